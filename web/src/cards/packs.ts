/** The two packs as facts: ranks and suits in their canonical order, and how each is told apart. */
import { cards, ranks, suits } from "../words/cards.ts";

export type SuitName = keyof typeof suits;
export type Rank = keyof typeof ranks;

export interface Suit {
  letter: string;
  name: SuitName;
  /** The character in the index; a suit without one shows its shape there. */
  character?: string;
  /** The class that gives the colour; `four` with a colour for each suit. */
  ink: string;
  four?: string;
}

export interface Pack {
  kind: "pack52" | "pack65";
  ranks: string;
  suits: readonly Suit[];
}

const PACKS: Readonly<Record<string, Pack>> = {
  "52": {
    kind: "pack52",
    ranks: "A23456789TJQK",
    suits: [
      { letter: "c", name: "clubs", ink: "s-black", four: "s-green" },
      { letter: "d", name: "diamonds", ink: "s-red", four: "s-blue" },
      { letter: "h", name: "hearts", ink: "s-red" },
      { letter: "s", name: "spades", ink: "s-black" },
    ],
  },
  "65": {
    kind: "pack65",
    ranks: "A23456789TSLF",
    suits: [
      { letter: "f", name: "fire", character: "火", ink: "s-fire" },
      { letter: "g", name: "gold", character: "金", ink: "s-gold" },
      { letter: "e", name: "earth", character: "土", ink: "s-earth" },
      { letter: "d", name: "wood", character: "木", ink: "s-wood" },
      { letter: "w", name: "water", character: "水", ink: "s-water" },
    ],
  },
};

/** The pack that a rule card names; one that is not known is drawn as the usual one rather than not at all. */
export function packOf(id: string): Pack {
  return PACKS[id] ?? (PACKS["52"] as Pack);
}

export function codesOf(pack: Pack): string[] {
  return pack.suits.flatMap((suit) => [...pack.ranks].map((rank) => rank + suit.letter));
}

/** Ace to nine count their face value, ten and the pictures nothing. */
export function pointsOf(code: string, pack: Pack): number {
  const place = pack.ranks.indexOf(code.charAt(0));
  return place < 9 ? place + 1 : 0;
}

export function suitOf(code: string, pack: Pack): Suit | undefined {
  return pack.suits.find((suit) => suit.letter === code.charAt(1));
}

/** `nine of Fire`, in the reader's language. */
export function cardName(code: string, id: string): string {
  const suit = suitOf(code, packOf(id)), rank = code.charAt(0) as Rank;
  return suit && rank in ranks ? cards.card({ rank: ranks[rank](), suit: suits[suit.name]() }) : code;
}
