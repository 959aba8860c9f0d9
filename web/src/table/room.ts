/** One table as somebody sits at it: the socket, what it told, what they want on the felt, and their own number. */
import { computed, effect, signal } from "@preact/signals";
import { announce } from "../announced.tsx";
import { get, Refusal } from "../api.ts";
import { everyTick, serverNow } from "../clock.ts";
import { Live } from "../live.ts";
import { amount, partsOf } from "../money.ts";
import { squeezing } from "../preferences.ts";
import { balanceIs, come, isStaff, look, me, netChanged, sessions } from "../session.ts";
import { play } from "../sound.ts";
import type { RoundSaid, RuleCard, SocketMessage, TableRules } from "../types/api.ts";
import { said } from "../words/said.ts";
import { table as words } from "../words/table.ts";
import { laid } from "./layout.ts";
import { SOON, timeOfDay } from "./light.ts";
import { after, isInRound, type Slip, type TableState, withLast } from "./model.ts";
import { OwnNumber } from "./own_number.ts";
import { chipsFor } from "./rail.ts";
import { read, readEnd } from "./read.ts";
import { added, again, doubled, type Means, type Problem, totalOf, type Wish } from "./slip.ts";
import { type CardId, everyCard, faceDown } from "./squeezed.ts";
import { type Refused, Wanted } from "./wanted.ts";

/** Said anew whenever the language changes. */
export type Sentence = () => string;

const NOTHING: Slip = {};

export class Room {
  readonly state = signal<TableState | null>(null);
  readonly rules = signal<RuleCard | null>(null);
  readonly isMissing = signal(false);
  /** By wager, what is to be said at its spot. */
  readonly notes = signal<Readonly<Record<string, Sentence>>>({});
  /** What concerns the whole slip. */
  readonly notice = signal<Sentence | null>(null);
  /** What stays until somebody has read it. */
  readonly news = signal<readonly Sentence[]>([]);
  readonly willRebet = signal(false);
  readonly turned = signal<ReadonlySet<CardId>>(new Set());
  readonly history = signal<readonly Slip[]>([]);
  private readonly wish = signal<number | null>(null);

  readonly live: Live<SocketMessage>;
  readonly wanted: Wanted;
  readonly number: OwnNumber;
  private readonly ends: (() => void)[] = [];
  private toldOfSoon = 0;
  private isHere = false;

  readonly layout = computed(() => laid(this.rules.value?.layout ?? []));
  readonly chips = computed(() => {
    const state = this.state.value;
    return state ? chipsFor(state.limits, partsOf(state.currency)) : [];
  });
  /** The chip in hand: the chosen one, or the smallest that every spot takes. */
  readonly chip = computed(() => {
    const chips = this.chips.value, wish = this.wish.value;
    if (wish !== null && chips.includes(wish)) return wish;
    const least = Math.max(0, ...Object.values(this.state.value?.limits ?? {}).map((limits) => limits.minimum));
    return chips.find((chip) => chip >= least) ?? chips.at(-1) ?? 0;
  });
  /** What one has on the felt and wants to have there. */
  readonly accepted = computed<Slip>(() => this.state.value?.stakes ?? NOTHING);
  readonly slip = computed<Slip>(() => {
    void this.wanted.pending.value;
    void this.accepted.value;
    return this.wanted.slip;
  });
  /** What could still be staked; null for who is nobody yet. */
  readonly left = computed<number | null>(() => {
    const balance = this.state.value?.balance;
    return balance == null ? null : balance + totalOf(this.accepted.value) - totalOf(this.slip.value);
  });
  /** Cards to be turned by hand. */
  readonly hidden = computed<ReadonlySet<CardId>>(() => {
    const state = this.state.value;
    if (!state || !squeezing.value) return new Set();
    return faceDown(state, isInRound(state.phase) ? this.accepted.value : (state.end?.stakes ?? NOTHING), this.turned.value);
  });

  constructor(readonly id: string) {
    this.live = new Live<SocketMessage>(`/api/tables/${encodeURIComponent(id)}/live`, (message) => this.hear(message));
    this.wanted = new Wanted({
      accepted: () => this.accepted.value,
      round: () => this.state.value?.round ?? 0,
      ask: async (command) => {
        // Whoever is nobody comes as a guest with the first chip; the socket is then theirs.
        if (!me.value) await come();
        return this.live.ask(command);
      },
      refused: (those) => this.refused(those),
    });
    this.number = new OwnNumber(id, (command) => this.live.ask(command));
  }

  start(): this {
    void this.loadRules();
    this.live.start();
    let known = sessions.peek();
    this.ends.push(
      effect(() => {
        if (sessions.value !== known) this.live.again();
        known = sessions.value;
      }),
      everyTick(() => this.warn()),
    );
    return this;
  }

  stop(): void {
    this.live.stop();
    for (const end of this.ends) end();
  }

  // What is told.

  private hear(message: SocketMessage): void {
    const before = this.state.peek(), state = after(before, message);
    this.state.value = state;
    if (!state) return;
    if (message.type === "snapshot") this.shown(state, before);
    if (message.type === "event" && message.event === "settings-changed") void this.loadRules();
    else if (before && before.rules_digest !== state.rules_digest) void this.loadRules();
    if (message.type === "event") this.happened(state, message);
    if (message.type === "dispute-decided" && message.table === this.id) {
      this.tell(() => words.disputeDecided({ round: message.round, decision: message.decision }));
    }
    if (message.type === "account-adjusted") {
      const { amount: by, currency, round, reason } = message;
      this.tell(() => words.adjusted({ amount: amount(by, currency), round, reason }));
    }
    const isHeld = this.hidden.peek().size > 0;
    if (state.balance != null && state.balance !== before?.balance && !isHeld) balanceIs(state.currency, state.balance);
    const sentence = read(state, message, this.rules.peek()?.pack ?? "", isHeld);
    if (sentence) announce(sentence);
  }

  private shown(state: TableState, before: TableState | null): void {
    if (this.isHere && me.peek()) void look().catch(() => undefined);
    this.isHere = true;
    if (before?.round !== state.round) this.beginRound();
    this.number.follow(state);
    const number = isInRound(state.phase) ? state.round - 1 : state.round;
    if (number > 0 && (before?.you !== state.you || before?.round !== state.round)) void this.loadLast(number);
  }

  private happened(state: TableState, message: Extract<SocketMessage, { type: "event" }>): void {
    switch (message.event) {
      case "betting-opened":
        this.beginRound();
        this.number.follow(state);
        play("open");
        if (this.willRebet.value) this.rebet();
        this.willRebet.value = false;
        break;
      case "betting-closed":
        this.number.follow(state);
        play("close");
        break;
      case "card-dealt":
        play("card");
        break;
      case "round-settled":
        if (this.hidden.peek().size === 0) this.paid(state);
        break;
      case "round-corrected":
        if (message.moved) netChanged(state.currency, message.moved);
        break;
    }
  }

  /** What a round came to is told once it may be seen. */
  private paid(state: TableState): void {
    const net = state.end?.net;
    if (net == null) return;
    netChanged(state.currency, net);
    if (net > 0) play("win");
  }

  private beginRound(): void {
    this.turnAll();
    this.wanted.forget();
    this.history.value = [];
    this.notes.value = {};
    this.notice.value = null;
    this.turned.value = new Set();
  }

  private warn(): void {
    const state = this.state.peek();
    if (!state || state.phase !== "betting" || state.closes_at === null || this.toldOfSoon === state.round) return;
    const seconds = Math.ceil((state.closes_at - serverNow()) / 1000);
    if (seconds > SOON || seconds < 1) return;
    this.toldOfSoon = state.round;
    announce(words.readSoon({ seconds }));
  }

  private async loadRules(): Promise<void> {
    try {
      this.rules.value = (await get<TableRules>(`/api/tables/${encodeURIComponent(this.id)}/rules`)).card;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) {
        this.isMissing.value = true;
        this.stop();
      } else setTimeout(() => void this.loadRules(), 2_000);
    }
  }

  private async loadLast(round: number): Promise<void> {
    try {
      const found = await get<RoundSaid>(`/api/tables/${encodeURIComponent(this.id)}/rounds/${round}`);
      if (this.state.value) this.state.value = withLast(this.state.value, found);
    } catch {
      // The round before is only shown where it is known.
    }
  }

  // What one does.

  choose(chip: number): void {
    this.wish.value = chip;
    this.notice.value = null;
  }

  private get means(): Means | null {
    const state = this.state.value;
    return state && {
      limits: state.limits, patronLimit: state.patron_limit, balance: state.balance ?? null, accepted: this.accepted.value,
    };
  }

  place(wager: string): void {
    const state = this.state.value, means = this.means;
    if (!state || !means) return;
    if (isStaff.value) return this.note(wager, words.onlyWatching);
    // After the close the service refuses it, and says when that was.
    if (!isInRound(state.phase)) return this.note(wager, words.notOpen);
    this.take(added(this.slip.value, wager, this.chip.value, means), wager);
  }

  double(): void {
    if (this.means && this.isOpen) this.take(doubled(this.slip.value, this.means), null);
  }

  rebet(): void {
    const state = this.state.value;
    if (state && this.means && this.isOpen && !totalOf(this.slip.value)) this.take(again(state.lastSlip, this.means), null);
  }

  undo(): void {
    const history = this.history.value;
    if (!this.isOpen || !totalOf(this.slip.value)) return;
    this.notice.value = null;
    const last = history.at(-1);
    // Of what another page staked nobody knows the last chip.
    if (!last) return this.clear();
    this.history.value = history.slice(0, -1);
    this.wanted.want(last);
  }

  clear(): void {
    if (!this.isOpen || !totalOf(this.slip.value)) return;
    this.history.value = [...this.history.value, this.slip.value];
    this.wanted.want({});
    this.say(words.cleared);
  }

  get isOpen(): boolean {
    return this.state.value?.phase === "betting" && !isStaff.value;
  }

  private take({ slip, problem }: Wish, wager: string | null): void {
    const currency = this.state.value?.currency ?? "";
    this.notice.value = null;
    if (wager !== null) this.note(wager, null);
    if (problem) {
      if (wager !== null && problem.kind !== "nothing") this.note(wager, () => problemSaid(problem, currency));
      else this.say(problem.kind === "nothing" ? words.nothingToRepeat : () => words.notAll({ why: this.whole(problem, currency) }));
    }
    if (!slip) return;
    this.history.value = [...this.history.value, this.slip.value];
    play("chip");
    this.wanted.want(slip);
  }

  private whole(problem: Problem, currency: string): string {
    const why = problemSaid(problem, currency);
    return problem.wager === null ? why : words.onWager({ wager: said(this.rules.value?.wagers[problem.wager]?.name ?? problem.wager), why });
  }

  private refused(those: readonly Refused[]): void {
    const notes: Record<string, Sentence> = { ...this.notes.value }, currency = this.state.value?.currency ?? "";
    for (const each of those) notes[each.wager] = () => refusalSaid(each, currency);
    this.notes.value = notes;
    const [first] = those;
    if (first) announce(refusalSaid(first, currency));
    // Who is signed out is asked for anew with the next chip.
    if (first?.refusal.reason === "not-signed-in") void look().catch(() => undefined);
    const now = JSON.stringify(this.accepted.value);
    this.history.value = this.history.value.filter((slip) => JSON.stringify(slip) !== now);
  }

  note(wager: string, sentence: Sentence | null): void {
    const { [wager]: _, ...others } = this.notes.value;
    this.notes.value = sentence ? { ...others, [wager]: sentence } : others;
    if (sentence) announce(sentence());
  }

  say(sentence: Sentence): void {
    this.notice.value = sentence;
    announce(sentence());
  }

  tell(sentence: Sentence): void {
    this.news.value = [...this.news.value, sentence];
    announce(sentence());
  }

  dismiss(sentence: Sentence): void {
    this.news.value = this.news.value.filter((each) => each !== sentence);
  }

  // The squeeze.

  turn(...cards: readonly CardId[]): void {
    const wasHeld = this.hidden.peek().size > 0;
    this.turned.value = new Set([...this.turned.value, ...cards]);
    const state = this.state.peek();
    if (!wasHeld || this.hidden.peek().size > 0 || !state?.end) return;
    if (state.balance != null) balanceIs(state.currency, state.balance);
    if (state.end.result) this.paid(state);
    announce(readEnd(state.end, state.currency));
  }

  /** Whoever is done with squeezing does not want to be asked again by a third card of the same round. */
  turnAll(): void {
    this.turn(...everyCard());
  }
}

function refusalSaid({ refusal, amount: by }: Refused, currency: string): string {
  const { clause, closedAt } = refusal;
  if (closedAt !== null && clause) {
    const time = timeOfDay(closedAt);
    return by > 0 ? words.lateRefused({ clause: said(clause), time, amount: amount(by, currency) }) : words.lateUndone({ clause: said(clause), time });
  }
  return clause ? words.withClause({ clause: said(clause), sentence: refusal.sentence }) : refusal.sentence;
}

function problemSaid(problem: Problem, currency: string): string {
  const values = { amount: amount(problem.amount, currency) };
  switch (problem.kind) {
    case "capped": return words.capped(values);
    case "maximum": return words.atMaximum(values);
    case "minimum": return words.atMinimum(values);
    case "step": return words.offStep(values);
    case "patron-limit": return words.patronLimit(values);
    case "balance": return words.tooLittle(values);
    case "nothing": return words.nothingToRepeat();
  }
}
