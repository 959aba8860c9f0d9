/** What all views of the pit know of the house: its tables, what waits, and what things and people are called. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post } from "../api.ts";
import { Live } from "../live.ts";
import { afterMessage, type Floor } from "../lobby/floor.ts";
import { me, sessions } from "../session.ts";
import { pit } from "../words/pit.ts";
import { said } from "../words/said.ts";
import { language } from "../words/language.ts";
import { unitOf } from "./alerts.ts";
import type { DisputeList, FloorList, GameList, GameListed, LobbyMessage, OnTheFloor, RuleCard } from "../types/api.ts";

/** As the lobby's socket tells it: light, countdown, round and shoe, and how much waits. */
export const lobby = signal<Floor | null>(null);
/** For the pit: with money, settings, and closed tables too. */
export const tables = signal<readonly OnTheFloor[] | null>(null);
export const games = signal<readonly GameListed[]>([]);
/** Disputes that nobody has taken up. */
export const openDisputes = signal(0);
/** Counts what was heard of requests: lists of them are asked for again. */
export const news = signal(0);

export async function lookAtFloor(): Promise<void> {
  tables.value = (await get<FloorList>("/api/floor")).tables;
}

async function lookAtDisputes(): Promise<void> {
  openDisputes.value = (await get<DisputeList>("/api/disputes?state=open")).disputes.length;
}

function hear(message: LobbyMessage): void {
  lobby.value = afterMessage(lobby.value, message);
  if (message.type.startsWith("request")) news.value += 1;
}

/** A view follows another at once: the socket stays for a moment, and with it what it told. */
const LINGERS = 2_000;
let live: Live<LobbyMessage> | null = null;
let session = -1;
let leaving: ReturnType<typeof setTimeout> | null = null;

function stay(): () => void {
  if (leaving !== null) clearTimeout(leaving);
  if (live !== null && session !== sessions.value) {
    live.stop();
    live = null;
  }
  live ??= new Live<LobbyMessage>("/api/live", hear).start();
  session = sessions.value;
  return () => {
    leaving = setTimeout(() => {
      live?.stop();
      live = null;
    }, LINGERS);
  };
}

const DISPUTES_EVERY = 15_000;

export function useHouse(): void {
  useEffect(stay, [sessions.value]);
  useEffect(() => {
    const quietly = (work: Promise<void>) => void work.catch(() => undefined);
    quietly(lookAtFloor());
    quietly(lookAtDisputes());
    if (!games.value.length) quietly(get<GameList>("/api/games").then((found) => void (games.value = found.games)));
    const timer = setInterval(() => document.hidden || quietly(lookAtDisputes()), DISPUTES_EVERY);
    return () => clearInterval(timer);
  }, [sessions.value]);
}

export const disputesChanged = (): void => void lookAtDisputes().catch(() => undefined);

export const tableName = (id: string): string => said(tables.value?.find((table) => table.id === id)?.name ?? id);
/** What stakes at a table are counted in. */
export function tableUnit(id: string): string {
  const found = tables.value?.find((table) => table.id === id);
  return found ? unitOf(found) : "";
}
/** Under a table's name: its game, or how it is dealt where it is called after its game. */
export function aboutTable(table: OnTheFloor): string {
  const game = gameName(table.game);
  if (game !== said(table.name)) return game;
  return pit.howDealt({ decks: table.decks, dealing: table.dealing === "virtual" ? pit.virtualShort() : pit.dealer() });
}
export const gameName = (id: string): string => said(games.value.find((each) => each.game === id)?.name ?? id);

/** Rule cards by game, for the names of wagers; asked for once each. */
const cards = signal<Readonly<Record<string, RuleCard>>>({});
const asked = new Set<string>();

export function cardOf(game: string | null): RuleCard | null {
  if (game === null || game === "") return null;
  if (!asked.has(game)) {
    asked.add(game);
    get<RuleCard>(`/api/games/${encodeURIComponent(game)}`).then(
      (card) => (cards.value = { ...cards.value, [game]: card }),
      () => asked.delete(game),
    );
  }
  return cards.value[game] ?? null;
}

export const wagerName = (game: string | null, wager: string): string => said(cardOf(game)?.wagers[wager]?.name ?? wager);

/** Beside ids the service says what people are called. */
export interface Named {
  names: Readonly<Record<string, string>>;
}

export function personName(id: string | null | undefined, of: Named | null): string {
  if (!id) return "";
  if (id === me.value?.patron) return pit.you({ name: me.value.name });
  return of?.names[id] ?? id;
}

/** A moment, as the reader's own clock has it. */
export function moment(time: number | null): string {
  if (time === null) return "";
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "medium" }).format(time);
}

/** A command of the table's, over HTTP: the pit sits at no table. */
export const command = (table: string, said: Record<string, unknown>): Promise<unknown> => post(`/api/tables/${encodeURIComponent(table)}/commands`, said);
