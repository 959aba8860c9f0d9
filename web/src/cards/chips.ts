/** Chips as arithmetic: which there are at a table, which make an amount, and how each value looks. */
import type { SpotLimits } from "../types/api.ts";

/** Most chips on a rail: what a thumb reaches on a phone. */
export const RAIL_LENGTH = 7;
const SERIES = [1, 5] as const;
const HIGHEST = 1e12;

/** Every value of a chip there is, from 1 up: 1, 5, 10, 50, .. */
function* values(): Generator<number> {
  for (let power = 1; power <= HIGHEST; power *= 10) for (const lead of SERIES) if (lead * power <= HIGHEST) yield lead * power;
}

/** The chips of a table, in the smallest unit: those that a lawful stake can be made of, from the one that the smallest
 * stake needs. `parts` of the smallest unit make one of what is printed; a step below it has chips of its own. */
export function railOf(limits: Readonly<Record<string, SpotLimits>>, parts: number, length = RAIL_LENGTH): number[] {
  const spots = Object.values(limits).filter((spot) => spot.maximum > 0);
  if (!spots.length) return [];
  const minimum = Math.min(...spots.map((spot) => spot.minimum));
  const maximum = Math.max(...spots.map((spot) => spot.maximum));
  const step = Math.min(...spots.map((spot) => spot.step));
  const unit = step % parts === 0 ? parts : 1;
  const found: number[] = [];
  for (const value of values()) {
    const chip = value * unit;
    if (chip > maximum) break;
    if (chip % step === 0) found.push(chip);
  }
  // The smallest stake is laid with one chip or a few; smaller ones than that only crowd the rail.
  const useful = found.filter((chip) => chip * SERIES[1] > minimum || chip >= minimum);
  const rail = useful.length ? useful : found;
  // No chip of the series fits an odd step: the step itself is the chip.
  return rail.length ? rail.slice(0, length) : [Math.max(step, 1)];
}

export interface Stack {
  /** The largest at the bottom. */
  chips: number[];
  /** What the chips shown do not add up to. */
  rest: number;
}

/** An amount as a stack, the largest chips first, of which at most `shown` are drawn. */
export function stackOf(amount: number, chips: readonly number[], shown = 5): Stack {
  const found: number[] = [];
  let rest = amount;
  for (const chip of [...chips].sort((one, other) => other - one)) {
    while (chip > 0 && rest >= chip && found.length < shown) {
      found.push(chip);
      rest -= chip;
    }
  }
  return { chips: found, rest };
}

const SHORT = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]] as const;

/** What is printed on a chip: `500`, `1K`, `2.5M`. */
export function printed(value: number): string {
  for (const [size, letter] of SHORT) {
    const of = value / size;
    if (of >= 1 && Number.isInteger(of * 100)) return `${of}${letter}`;
  }
  return String(value);
}

/** Hues of which none is a hand's: neither blue, red nor green. White is legible on each. */
export const HUES = ["#7a5a46", "#3f5d63", "#5b6770", "#a4521b", "#22262b", "#6a3d8f", "#8a6a12", "#8c2f5e", "#0f6673"] as const;

/** An edge: so many places around, each of bars at these angles from its middle and of this width. */
export interface Edge {
  places: number;
  bars: readonly number[];
  width: number;
}
export const EDGES: readonly Edge[] = [
  { places: 3, bars: [0], width: 15 }, { places: 5, bars: [0], width: 13 },
  { places: 4, bars: [0], width: 13 }, { places: 6, bars: [0], width: 13 }, { places: 8, bars: [0], width: 13 },
  { places: 4, bars: [-6, 6], width: 6.5 }, { places: 6, bars: [-6, 6], width: 6.5 }, { places: 12, bars: [0], width: 8 },
  { places: 8, bars: [-6, 6], width: 6.5 }, { places: 5, bars: [-10, 0, 10], width: 5 },
];

/** The number of a value among all: 1, 5, 10, 50, .. up to 24, and above them those that begin with 2, with 25, and all
 * others. Hue and edge go round with different lengths, so that no two of the usual values share both; and where the
 * others begin is chosen such that a 20 or a 25 has no hue of the chips it is likely to lie beside. */
export function numberOf(value: number): number {
  const power = Math.max(0, Math.floor(Math.log10(Math.max(1, value)) + 1e-9)), lead = value / 10 ** power;
  if (lead === 1) return 2 * power;
  if (lead === 5) return 2 * power + 1;
  if (lead === 2) return 2 * power + 25;
  if (lead === 2.5) return 2 * power + 51;
  return 76 + (Math.round(lead * 1000) + power) % 14;
}

export function looksOf(value: number): { hue: string; edge: Edge } {
  const number = numberOf(value);
  return { hue: HUES[number % HUES.length] as string, edge: EDGES[number % EDGES.length] as Edge };
}
