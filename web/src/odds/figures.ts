/** Figures of odds as people read them, and how wagers of one shoe differ from those of another. */
import type { OddsSaid, PackTold, WagerOddsSaid } from "../types/api.ts";

export interface EffectSaid { count: number; effect: string; effect_float: number }

const MINUS = "−";

/** With so many places after the point; never a zero with a minus. */
export function fixed(value: number, places: number): string {
  const text = Math.abs(value).toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

export function signedFixed(value: number, places: number): string {
  const text = fixed(value, places);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export function percent(share: number): string {
  const hundred = share * 100;
  // Of what is rare, two figures that count; of what is huge, no fractions.
  const places = Math.abs(hundred) >= 1000 ? 0 : hundred === 0 || Math.abs(hundred) >= 0.1 ? 2 : Math.min(7, 1 - Math.floor(Math.log10(Math.abs(hundred))));
  return `${fixed(hundred, places)}%`;
}

/** So many tries until it happens once; null where it never does. */
export function oneIn(probability: number): string | null {
  if (probability <= 0) return null;
  const tries = 1 / probability;
  return fixed(tries, tries < 9.95 ? 2 : tries < 999.5 ? 1 : 0);
}

/** Points of a hundred by which the edge is another than from the full shoe; rounded as it is shown. */
export function difference(now: WagerOddsSaid, full: WagerOddsSaid | undefined): number | null {
  if (!full) return null;
  const points = Math.round((now.house_edge - full.house_edge) * 10_000) / 100;
  return points === 0 ? 0 : points;
}

const SCALES = [0.2, 0.5, 1];

/** How long a whole bar is: it changes seldom, so that bars can be compared from tap to tap. */
export function scaleOf(...odds: (OddsSaid | null | undefined)[]): number {
  const most = Math.max(0, ...odds.flatMap((each) => Object.values(each?.wagers ?? {})).map((wager) => Math.abs(wager.house_edge)));
  return SCALES.find((scale) => most <= scale) ?? 1;
}

export function bar(edge: number, scale: number): number {
  return Math.min(1, Math.abs(edge) / scale);
}

export interface Effect { letter: string; effect: number | null }

/** The effect of a card by some of its letters: over the cards alike, each as often as it is in the shoe. */
function mean(effects: Readonly<Record<string, EffectSaid>>, cards: readonly string[]): number | null {
  let sum = 0, count = 0;
  for (const card of cards) {
    const each = effects[card];
    if (!each) continue;
    sum += each.effect_float * each.count;
    count += each.count;
  }
  return count ? (sum / count) * 100 : null;
}

/** In points of return, rank by rank. */
export function byRank(effects: Readonly<Record<string, EffectSaid>>, pack: PackTold): Effect[] {
  return pack.ranks.map(({ letter }) => ({ letter, effect: mean(effects, pack.suits.map((suit) => letter + suit.letter)) }));
}

/** Suit by suit; empty where suits make no difference. */
export function bySuit(effects: Readonly<Record<string, EffectSaid>>, pack: PackTold): Effect[] {
  const found = pack.suits.map(({ letter }) => ({ letter, effect: mean(effects, pack.ranks.map((rank) => rank.letter + letter)) }));
  const readsSuits = pack.ranks.some((rank) => new Set(pack.suits.map((suit) => effects[rank.letter + suit.letter]?.effect)).size > 1);
  return readsSuits ? found : [];
}

/** How many places after the point tell these effects apart. */
export function placesFor(values: readonly (number | null)[]): number {
  const most = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  return most >= 0.095 || most === 0 ? 2 : most >= 0.0095 ? 3 : 4;
}

/** For a narrow cell: without the zero before the point. */
export function inCell(value: number, places: number): string {
  return signedFixed(value, places).replace(/^([+−]?)0\./, "$1.");
}

/** Where the bars of some values stand between 0 and 1: all on one zero line, the longest filling the room. */
export function placed(values: readonly (number | null)[]): { zero: number; of: (value: number | null) => { from: number; length: number } } {
  const known = values.filter((value): value is number => value !== null);
  const up = Math.max(0, ...known), down = Math.max(0, ...known.map((value) => -value)), whole = up + down || 1;
  const zero = up + down ? down / whole : 0.5;
  return {
    zero,
    of: (value) => ({ from: zero - Math.max(0, -(value ?? 0)) / whole, length: Math.abs(value ?? 0) / whole }),
  };
}
