/** What a patron wants to have on the felt: each change as a whole, or the reason why not. Pure. */
import type { SpotLimits } from "../types/api.ts";
import type { Slip } from "./model.ts";

export interface Means {
  limits: Readonly<Record<string, SpotLimits>>;
  /** The most that one patron may have on a round. */
  patronLimit: number | null;
  /** What one has beside what lies on the felt already; null where nobody has said. */
  balance: number | null;
  /** What lies on the felt, accepted. */
  accepted: Slip;
}

export type Problem =
  | { kind: "capped" | "maximum" | "minimum" | "step"; wager: string; amount: number }
  | { kind: "patron-limit"; wager: string | null; amount: number }
  | { kind: "balance"; wager: string | null; amount: number }
  | { kind: "nothing"; wager: null; amount: 0 };

/** A slip to ask for, with what has to be said about it; without one nothing changes. */
export interface Wish {
  slip: Slip | null;
  problem: Problem | null;
}

export function totalOf(slip: Slip): number {
  return Object.values(slip).reduce((sum, stake) => sum + stake, 0);
}

export function without(slip: Slip): Slip {
  return Object.fromEntries(Object.entries(slip).filter(([, stake]) => stake > 0));
}

/** What is left to stake, with this slip on the felt. */
export function leftOf(means: Means, slip: Slip): number | null {
  return means.balance === null ? null : means.balance + totalOf(means.accepted) - totalOf(slip);
}

/** One more chip on a spot: as much of it as the maximum has room for. */
export function added(slip: Slip, wager: string, chip: number, means: Means): Wish {
  const limits = means.limits[wager];
  if (!limits) return { slip: null, problem: null };
  const now = slip[wager] ?? 0, most = limits.maximum - (limits.maximum % limits.step);
  const wanted = Math.min(now + chip, most), isCapped = wanted < now + chip;
  if (wanted <= now) return { slip: null, problem: { kind: "maximum", wager, amount: most } };
  const next = { ...slip, [wager]: wanted }, problem = problemOf(next, means, wager);
  if (problem) return { slip: null, problem };
  return { slip: next, problem: isCapped ? { kind: "capped", wager, amount: most } : null };
}

/** Twice everything, or nothing at all. */
export function doubled(slip: Slip, means: Means): Wish {
  return whole(Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake])), means);
}

/** What lay there in the last round, or nothing at all. */
export function again(last: Slip, means: Means): Wish {
  return whole(last, means);
}

function whole(slip: Slip, means: Means): Wish {
  if (!totalOf(slip)) return { slip: null, problem: { kind: "nothing", wager: null, amount: 0 } };
  const problem = problemOf(slip, means);
  return problem ? { slip: null, problem } : { slip, problem: null };
}

/** Why a slip would be refused, as far as that can be known here; of several wagers the first that is wrong. */
export function problemOf(slip: Slip, means: Means, changed: string | null = null): Problem | null {
  for (const [wager, stake] of Object.entries(slip)) {
    const limits = means.limits[wager];
    if (stake === 0 || (changed !== null && wager !== changed)) continue;
    if (!limits) return { kind: "maximum", wager, amount: 0 };
    if (stake > limits.maximum) return { kind: "maximum", wager, amount: limits.maximum };
    if (stake < limits.minimum) return { kind: "minimum", wager, amount: limits.minimum };
    if (stake % limits.step) return { kind: "step", wager, amount: limits.step };
  }
  const total = totalOf(slip), left = leftOf(means, slip);
  if (means.patronLimit !== null && total > means.patronLimit) return { kind: "patron-limit", wager: changed, amount: means.patronLimit };
  if (left !== null && left < 0) return { kind: "balance", wager: changed, amount: -left };
  return null;
}
