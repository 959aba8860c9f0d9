/** A socket that is never lost: it comes back by itself, resumes after the last event, and sends again what was not
 * answered, under the same id, so that it is done once. */
import { signal, type Signal } from "@preact/signals";
import { heardBuild, isUnreachable, newId, Refusal, unanswered } from "./api.ts";
import { heard } from "./clock.ts";
import type { Accepted, NotDone, SocketMessage, TableMessage } from "./types/api.ts";

export type Link = "connecting" | "connected" | "lost";

/** A command without its id, which is given here. */
export type Asked = TableMessage extends infer Each ? (Each extends TableMessage ? Omit<Each, "id"> : never) : never;

interface Waiting {
  text: string;
  since: number;
  resolve: (answer: Accepted) => void;
  reject: (refusal: Refusal) => void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
/** Whoever hears nothing for so long takes the connection for dead; the service asks after 30 s whether anybody is there. */
const SILENCE = 75_000;
const GIVE_UP = 60_000;

export interface Opened {
  send(text: string): void;
  close(): void;
}
export type Open = (
  path: string,
  told: { open(): void; message(text: string): void; close(code: number): void },
) => Opened;

/** A real socket to this page's own service. */
export const openSocket: Open = (path, told) => {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url);
  socket.onopen = () => told.open();
  socket.onmessage = (event) => told.message(String(event.data));
  socket.onclose = (event) => told.close(event.code);
  return { send: (text) => socket.send(text), close: () => socket.close() };
};

/** A socket on which everything is told in messages with a `type`. */
export class Live<Message extends { type: string; time: number }> {
  readonly link: Signal<Link> = signal<Link>("connecting");
  /** Of the last event that came. */
  version: number | null = null;
  /** Of the table that is listened to. */
  private currency: string | null = null;
  private socket: Opened | null = null;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isOver = false;
  private lastWord = 0;
  private readonly waiting = new Map<string, Waiting>();
  private readonly wake = () => this.comeBack();
  private watch: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly path: string,
    private readonly hear: (message: Message) => void,
    private readonly open: Open = openSocket,
  ) {}

  start(): this {
    this.connect();
    if (typeof document !== "undefined") {
      document.addEventListener("visibilitychange", this.wake);
      addEventListener("online", this.wake);
      addEventListener("pageshow", this.wake);
    }
    this.watch = setInterval(() => this.look(), 5_000);
    return this;
  }

  stop(): void {
    this.isOver = true;
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.watch !== null) clearInterval(this.watch);
    if (typeof document !== "undefined") {
      document.removeEventListener("visibilitychange", this.wake);
      removeEventListener("online", this.wake);
      removeEventListener("pageshow", this.wake);
    }
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  /** Send a command; its answer, or why it was refused. `id` may be given by whoever shows it as pending. */
  ask(command: Asked, id: string = newId()): Promise<Accepted> {
    const text = JSON.stringify({ id, ...command });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { text, since: Date.now(), resolve, reject });
      if (this.link.value === "connected") this.socket?.send(text);
    });
  }

  /** Connect anew, as somebody else: a session has begun or ended. */
  again(): void {
    this.version = null;
    this.lose();
  }

  private connect(): void {
    if (this.isOver) return;
    this.timer = null;
    const after = this.version === null ? "" : `?after=${this.version}`;
    const socket: Opened = this.open(this.path + after, {
      open: () => {
        if (socket !== this.socket) return;
        this.lastWord = Date.now();
        this.pause = FIRST_PAUSE;
        this.link.value = "connected";
        isUnreachable.value = false;
        for (const each of this.waiting.values()) socket.send(each.text);
      },
      message: (text) => {
        if (socket !== this.socket) return;
        this.lastWord = Date.now();
        this.take(JSON.parse(text) as Message);
      },
      close: () => {
        if (socket === this.socket) this.lose();
      },
    });
    this.socket = socket;
  }

  private take(message: Message): void {
    heard(message.time);
    const any = message as unknown as SocketMessage;
    if ("build" in any) heardBuild(any.build);
    if (any.type === "snapshot" || any.type === "event") this.version = any.version;
    if (any.type === "snapshot") this.currency = any.table.currency;
    if (any.type === "accepted" || any.type === "refused") this.answer(any);
    this.hear(message);
  }

  private answer(message: Accepted | NotDone): void {
    const waits = message.id === null ? undefined : this.waiting.get(message.id);
    if (!waits || message.id === null) return;
    if (message.type === "refused" && message.reason === "ask-again") {
      setTimeout(() => this.waiting.has(message.id as string) && this.socket?.send(waits.text), FIRST_PAUSE);
      return;
    }
    this.waiting.delete(message.id);
    if (message.type === "accepted") waits.resolve(message);
    else {
      const { reason, clause, message: english, closed_at } = message;
      waits.reject(new Refusal(reason, clause, english, 0, closed_at ?? null, this.currency));
    }
  }

  private lose(): void {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    if (this.isOver) return;
    this.link.value = "lost";
    // Once is a hiccup that nobody needs to read of; a second time there is nobody.
    if (this.pause > FIRST_PAUSE) isUnreachable.value = true;
    if (this.timer !== null) clearTimeout(this.timer);
    // Everybody comes back after a restart: not all in the same moment.
    this.timer = setTimeout(() => this.connect(), this.pause * (0.5 + Math.random() / 2));
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 2);
  }

  /** The page is looked at again, or the network is back: do not wait any longer. */
  private comeBack(): void {
    if (this.isOver || document.hidden) return;
    if (this.link.value === "lost") {
      if (this.timer !== null) clearTimeout(this.timer);
      this.pause = FIRST_PAUSE;
      this.connect();
    } else this.look();
  }

  private look(): void {
    const now = Date.now();
    if (this.link.value === "connected" && now - this.lastWord > SILENCE) this.lose();
    for (const [id, each] of this.waiting) {
      if (this.link.value !== "connected" && now - each.since > GIVE_UP) {
        this.waiting.delete(id);
        each.reject(unanswered());
      }
    }
  }
}
