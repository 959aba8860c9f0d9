/** Which chips lie on the rail of a table. Pure. */
import { RAIL_LENGTH, railOf } from "../cards/chips.ts";
import type { SpotLimits } from "../types/api.ts";

const ALL = 30;

/** From the smallest stake of any spot up to the largest. Where there are too many, those just below the largest are
 * left out: small ones make any amount, and the largest saves taps. */
export function chipsFor(limits: Readonly<Record<string, SpotLimits>>, parts: number, length = RAIL_LENGTH): number[] {
  const least = Math.min(...Object.values(limits).map((each) => each.minimum)), all = railOf(limits, parts, ALL);
  const lawful = all.filter((chip) => chip >= least), chips = lawful.length ? lawful : all;
  // A smallest stake that no chip has is a chip itself: everybody can stake it with one tap.
  if (chips[0] !== least && Number.isFinite(least) && least % parts === 0) chips.unshift(least);
  while (chips.length > length) chips.splice(-2, 1);
  return chips;
}
