/** All tables as the lobby's socket tells them, and what a card of the lobby says of one: pure. */
import type { LobbyMessage, SpotLimits, TableListed } from "../types/api.ts";

export interface Floor {
  /** In the house's own order. */
  tables: readonly TableListed[];
  /** By table: how long its betting is open for, in milliseconds, as it was seen to open; until then a guess. */
  opensFor: Readonly<Record<string, number>>;
  /** For staff: how much waits for a second person. */
  waiting: number;
}

export function afterMessage(floor: Floor | null, message: LobbyMessage): Floor | null {
  switch (message.type) {
    case "tables":
      return { tables: message.tables, opensFor: opened(floor, message.tables, message.time), waiting: floor?.waiting ?? 0 };
    case "tables-changed": {
      if (floor === null) return null;
      const changed = new Map(message.tables.map((table) => [table.id, table]));
      const gone = new Set(message.gone);
      const known = floor.tables.filter(({ id }) => !gone.has(id)).map((table) => changed.get(table.id) ?? table);
      const ids = new Set(known.map(({ id }) => id));
      const tables = [...known, ...message.tables.filter(({ id }) => !ids.has(id))];
      return { ...floor, tables, opensFor: opened(floor, message.tables, message.time) };
    }
    case "requests":
      return floor && { ...floor, waiting: message.waiting };
    default:
      return floor;
  }
}

/** Betting is open for about so long, where nobody has seen it open yet. */
const USUALLY = 15_000;

function opened(floor: Floor | null, tables: readonly TableListed[], time: number): Floor["opensFor"] {
  const after = { ...floor?.opensFor };
  for (const { id, phase, round, closes_at } of tables) {
    if (phase !== "betting" || closes_at === null) continue;
    const left = closes_at - time, before = floor?.tables.find((table) => table.id === id);
    const sawItOpen = before !== undefined && before.round !== round && before.round > 0;
    after[id] = sawItOpen ? left : Math.max(after[id] ?? USUALLY, left);
  }
  return after;
}

/** Seconds before the close from which betting is nearly over. */
export const NEARLY = 5;

export type Light = "open" | "soon" | "shut" | "idle";
export type Word = "open" | "closing" | "noMore" | "dealing" | "result" | "settled" | "ready" | "newShoe" | "free" | "closed" | "paused" | "stopped";
export type Detail = "dealerCloses" | "cardsOut" | "resultOut" | "nextSoon" | "beginsWithYou" | "waitsForDealer" | "shuffled" | "stakesHeld" | null;

export interface StateSaid {
  light: Light;
  word: Word;
  /** Beside the word: seconds, or where there are none a few words. */
  seconds: number | null;
  detail: Detail;
}

type Told = Pick<TableListed, "phase" | "paused" | "trouble" | "dealing" | "closes_at" | "round" | "watching" | "patrons">;

/** What a table does, as its light, a word and what follows. */
export function stateOf(table: Told, now: number): StateSaid {
  const said = (light: Light, word: Word, detail: Detail = null, seconds: number | null = null): StateSaid => ({ light, word, seconds, detail });
  if (table.trouble !== null) return said("shut", "stopped", "stakesHeld");
  if (table.paused !== null) return said("shut", "paused", "stakesHeld");
  // A table of the house's own deals only while somebody is there.
  const isEmpty = table.dealing === "virtual" && table.watching + table.patrons === 0;
  switch (table.phase) {
    case "betting": {
      if (table.closes_at === null) return said("open", "open", "dealerCloses");
      const seconds = Math.max(0, Math.ceil((table.closes_at - now) / 1000));
      if (seconds === 0) return said("shut", "noMore");
      return seconds > NEARLY ? said("open", "open", null, seconds) : said("soon", "closing", null, seconds);
    }
    case "dealing":
    case "complete":
      return said("shut", "dealing", "cardsOut");
    case "announced":
      return said("shut", "result", "resultOut");
    case "ready":
      if (isEmpty) return said("idle", "free", "beginsWithYou");
      return said("idle", table.round > 0 ? "settled" : "ready", table.dealing === "virtual" ? "nextSoon" : "waitsForDealer");
    case "burn due":
      return said("idle", "newShoe", isEmpty ? "beginsWithYou" : "shuffled");
    case "closed":
      if (table.dealing !== "virtual") return said("idle", "closed", "waitsForDealer");
      return isEmpty ? said("idle", "free", "beginsWithYou") : said("idle", "newShoe", "shuffled");
  }
}

/** How much of the time to stake is left, from 0 to 1. */
export function shareLeft(closesAt: number | null, now: number, opensFor: number | undefined): number {
  if (closesAt === null || !opensFor) return 0;
  return Math.min(1, Math.max(0, (closesAt - now) / opensFor));
}

export interface Counts { B: number; P: number; T: number }

export function counted(results: string): Counts {
  const counts: Counts = { B: 0, P: 0, T: 0 };
  for (const letter of results) if (letter in counts) counts[letter as keyof Counts] += 1;
  return counts;
}

/** The limits of the wagers that take most: those that people compare tables by. */
export function widest(limits: Readonly<Record<string, SpotLimits>>): SpotLimits | null {
  let found: SpotLimits | null = null;
  for (const each of Object.values(limits)) if (found === null || each.maximum > found.maximum) found = each;
  return found;
}

/** Names without the words that all of them have: what tells them apart. */
export function shortened(names: readonly string[]): string[] {
  const wordsOf = (name: string) => name.split(/\s+/).map((word) => word.replace(/[,;:]+$/, ""));
  if (names.length < 2) return [...names];
  const [first, ...others] = names.map((name) => new Set(wordsOf(name))) as [Set<string>, ...Set<string>[]];
  const common = [...first].filter((word) => others.every((each) => each.has(word)));
  return names.map((name) => {
    const left = name.split(/\s+/).filter((word) => !common.includes(word.replace(/[,;:]+$/, "")) || /[,;:]$/.test(word));
    const joined = left.map((word) => (common.includes(word.replace(/[,;:]+$/, "")) ? word.slice(-1) : ` ${word}`)).join("");
    return joined.replace(/^[\s,;:]+|[\s,;:]+$/g, "") || name;
  });
}

export interface GameOnFloor { game: string; count: number }

/** The games of the tables, each once, in the order of the tables. */
export function gamesOf(tables: readonly TableListed[]): GameOnFloor[] {
  const counts = new Map<string, number>();
  for (const { game } of tables) counts.set(game, (counts.get(game) ?? 0) + 1);
  return [...counts].map(([game, count]) => ({ game, count }));
}

/** One's own tables first; else the house's order. */
export function ordered(tables: readonly TableListed[], own: readonly string[]): TableListed[] {
  const rank = ({ id }: TableListed) => (own.includes(id) ? own.indexOf(id) : own.length);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** A reason that begins with a clause, as "5.3 Two cards came out together": the two apart. */
export function clauseOf(reason: string): { clause: string | null; text: string } {
  const found = /^(\d+(?:\.\d+)+)[:,]?\s+(.+)$/s.exec(reason);
  return found ? { clause: found[1] as string, text: found[2] as string } : { clause: null, text: reason };
}
