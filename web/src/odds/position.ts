/** A shoe in the middle of its life: so many decks, less cards that have left it, less cards that lie on the table. */
import type { PackTold } from "../types/api.ts";

/** By card, as the service writes it. */
export type Counts = Readonly<Record<string, number>>;
/** The Player's three cards and the Banker's three; null where none is seen. */
export type Hands = readonly (string | null)[];

export interface Position {
  game: string;
  decks: number;
  out: Counts;
  hands: Hands;
}

export const NO_HANDS: Hands = [null, null, null, null, null, null];
/** Places of the two hands, in the order in which cards are dealt; the third cards come last. */
const DEALING_ORDER = [0, 3, 1, 4, 2, 5] as const;
export const SLOTS = { player: [0, 1, 2], banker: [3, 4, 5] } as const;

export function cardsOf(pack: PackTold): string[] {
  return pack.suits.flatMap((suit) => pack.ranks.map((rank) => rank.letter + suit.letter));
}

export function onTable(hands: Hands, card: string): number {
  return hands.filter((each) => each === card).length;
}

export function left(position: Position, card: string): number {
  return position.decks - (position.out[card] ?? 0) - onTable(position.hands, card);
}

export function cardsLeft(position: Position, pack: PackTold): number {
  return cardsOf(pack).reduce((sum, card) => sum + left(position, card), 0);
}

export function cardsInAll(position: Position, pack: PackTold): number {
  return position.decks * pack.ranks.length * pack.suits.length;
}

function withOut(position: Position, card: string, count: number): Position {
  const { [card]: _, ...others } = position.out;
  return { ...position, out: count > 0 ? { ...others, [card]: count } : others };
}

/** One such card leaves the shoe, if there is one. */
export function takeOut(position: Position, card: string): Position {
  return left(position, card) > 0 ? withOut(position, card, (position.out[card] ?? 0) + 1) : position;
}

/** One that has left comes back. */
export function putBack(position: Position, card: string): Position {
  const count = position.out[card] ?? 0;
  return count > 0 ? withOut(position, card, count - 1) : position;
}

export function full(position: Position): Position {
  return { ...position, out: {}, hands: NO_HANDS };
}

export function isFull(position: Position): boolean {
  return !Object.keys(position.out).length && position.hands.every((card) => card === null);
}

/** Another number of decks: what a smaller shoe cannot have lost is not lost, and does not lie on the table either. */
export function withDecks(position: Position, decks: number): Position {
  const hands: (string | null)[] = [];
  for (const card of position.hands) hands.push(card !== null && onTable(hands, card) < decks ? card : null);
  const out: Record<string, number> = {};
  for (const [card, count] of Object.entries(position.out)) {
    const most = Math.min(count, decks - onTable(hands, card));
    if (most > 0) out[card] = most;
  }
  return { ...position, decks, out, hands };
}

/** A card from the shoe is laid on a place, or taken from it (null); what lay there goes back into the shoe. */
export function laid(position: Position, slot: number, card: string | null): Position {
  const cleared = { ...position, hands: position.hands.map((each, place) => (place === slot ? null : each)) };
  if (card === null) return cleared;
  if (left(cleared, card) <= 0) return position;
  return { ...cleared, hands: cleared.hands.map((each, place) => (place === slot ? card : each)) };
}

/** Where the next card would lie: the third cards only where somebody asks for them. */
export function nextSlot(hands: Hands): number | null {
  return DEALING_ORDER.slice(0, 4).find((slot) => hands[slot] === null) ?? null;
}

/** As the service reads it, `P 9s ? | B 3h`; null where nothing is seen. */
export function seenText(hands: Hands): string | null {
  if (hands.every((card) => card === null)) return null;
  const hand = (slots: readonly number[]) => {
    const cards = slots.map((slot) => hands[slot] ?? null);
    while (cards.length && cards.at(-1) === null) cards.pop();
    return cards.map((card) => ` ${card ?? "?"}`).join("");
  };
  return `P${hand(SLOTS.player)} | B${hand(SLOTS.banker)}`;
}

/** What the service says lies on the table. */
export function readSeen(text: string | undefined): Hands {
  const match = /^P([^|]*)\|\s*B(.*)$/.exec((text ?? "").trim());
  if (!match) return NO_HANDS;
  const hand = (part: string | undefined) => {
    const cards = (part ?? "").trim().split(/\s+/).filter(Boolean).map((card) => (card === "?" ? null : card));
    return [0, 1, 2].map((place) => cards[place] ?? null);
  };
  return [...hand(match[1]), ...hand(match[2])];
}

/** As the service reads cards that have left the shoe: each as often as it left. */
export function removeText(out: Counts): string {
  return Object.entries(out).flatMap(([card, count]) => Array<string>(count).fill(card)).join(" ");
}

/** The position of a table, which says what its shoe held before the cards on the table left it. */
export function ofShoe(game: string, decks: number, pack: PackTold, shoe: Counts, hands: Hands): Position {
  const out: Record<string, number> = {};
  for (const card of cardsOf(pack)) {
    const gone = decks - (shoe[card] ?? 0);
    if (gone > 0) out[card] = gone;
  }
  return { game, decks, out, hands };
}
