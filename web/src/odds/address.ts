/** Everything in the laboratory has an address: short, to be read by people, and restored exactly.
 *
 *     ?game=six-star&decks=8&out=6f2.9g&hands=P9f.8w_B3e&wager=fortune-six
 */
import type { PackTold } from "../types/api.ts";
import { type Counts, type Hands, left, NO_HANDS, onTable, type Position, SLOTS } from "./position.ts";
import { type OwnWager, read as readOwn, written as writtenOwn } from "./own.ts";

/** Sessions that are played: all that decides what becomes of them, beside the position's game and decks. */
export interface Play {
  system: string;
  wager: string;
  base: number;
  rounds: number;
  sessions: number;
  bankroll: number;
  seed: number;
}

export interface Addressed {
  game: string | null;
  decks: number | null;
  out: Counts;
  hands: Hands;
  wager: string | null;
  own: OwnWager | null;
  play: Play | null;
  table: string | null;
}

const NUMBERS = ["base", "rounds", "sessions", "bankroll", "seed"] as const;

/** What stands for itself in a query; everything else is escaped. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/%20/g, "+").replace(/%(3A|2C|7E|21|2A)/gi, (each) => decodeURIComponent(each));
}

function writtenCounts(out: Counts): string {
  return Object.entries(out).sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([card, count]) => (count === 1 ? card : card + count)).join(".");
}

function readCounts(text: string): Counts {
  const found: Record<string, number> = {};
  for (const part of text.split(".")) {
    const match = /^([0-9A-Z][a-z])(\d{0,2})$/.exec(part);
    if (match) found[match[1] as string] = Math.max(1, Number(match[2] || 1));
  }
  return found;
}

function writtenHands(hands: Hands): string {
  const hand = (slots: readonly number[]) => {
    const cards = slots.map((slot) => hands[slot] ?? "*");
    while (cards.at(-1) === "*") cards.pop();
    return cards.join(".");
  };
  return `P${hand(SLOTS.player)}_B${hand(SLOTS.banker)}`;
}

function readHands(text: string): Hands {
  const match = /^P([^_]*)_B([^_]*)$/.exec(text);
  if (!match) return NO_HANDS;
  const hand = (part: string | undefined) => {
    const cards = (part ?? "").split(".");
    return [0, 1, 2].map((place) => (/^[0-9A-Z][a-z]$/.test(cards[place] ?? "") ? (cards[place] as string) : null));
  };
  return [...hand(match[1]), ...hand(match[2])];
}

function readPlay(text: string): Play | null {
  const [system, wager, ...parts] = text.split(",");
  const numbers = parts.map(Number);
  if (!system || !wager || numbers.length !== NUMBERS.length || !numbers.every((each) => Number.isSafeInteger(each) && each >= 0)) {
    return null;
  }
  const [base, rounds, sessions, bankroll, seed] = numbers as [number, number, number, number, number];
  return { system, wager, base, rounds, sessions, bankroll, seed };
}

export function written(at: Addressed): string {
  const parts: [string, string | null][] = [
    ["table", at.table],
    ["game", at.table ? null : at.game],
    ["decks", at.table || at.decks === null ? null : String(at.decks)],
    ["out", at.table ? null : writtenCounts(at.out)],
    ["hands", at.table || at.hands.every((card) => card === null) ? null : writtenHands(at.hands)],
    ["wager", at.wager],
    ["own-name", at.own && at.own.name],
    ["own", at.own && writtenOwn(at.own)],
    ["play", at.play && [at.play.system, at.play.wager, ...NUMBERS.map((name) => at.play?.[name])].join(",")],
  ];
  const query = parts.filter(([, text]) => text).map(([name, text]) => `${name}=${escaped(text as string)}`).join("&");
  return query && `?${query}`;
}

export function read(search: string): Addressed {
  const query = new URLSearchParams(search);
  const decks = /^\d{1,2}$/.test(query.get("decks") ?? "") ? Number(query.get("decks")) : 0;
  return {
    game: query.get("game"),
    decks: decks || null,
    out: readCounts(query.get("out") ?? ""),
    hands: readHands(query.get("hands") ?? ""),
    wager: query.get("wager"),
    own: readOwn(query.get("own-name") ?? "", query.get("own") ?? ""),
    play: readPlay(query.get("play") ?? ""),
    table: query.get("table"),
  };
}

/** The position that an address means in a game with such cards; what the game does not have is left out. */
export function positionOf(at: Addressed, game: { game: string; decks: { minimum: number; maximum: number; default: number } }, pack: PackTold): Position {
  const decks = Math.min(game.decks.maximum, Math.max(game.decks.minimum, at.decks ?? game.decks.default));
  const known = new Set(pack.suits.flatMap((suit) => pack.ranks.map((rank) => rank.letter + suit.letter)));
  const hands: (string | null)[] = [];
  for (const card of at.hands) hands.push(card !== null && known.has(card) && onTable(hands, card) < decks ? card : null);
  const empty: Position = { game: game.game, decks, out: {}, hands };
  const out: Record<string, number> = {};
  for (const [card, count] of Object.entries(at.out)) {
    const most = known.has(card) ? Math.min(count, left(empty, card)) : 0;
    if (most > 0) out[card] = most;
  }
  return { ...empty, out };
}
