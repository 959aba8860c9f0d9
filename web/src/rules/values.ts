/** What each rank counts, in the order of the pack. Pure. */
import type { Pack } from "../cards/packs.ts";

export interface RankValue {
  rank: string;
  /** As the rule card names it: `Ace`, `2`, `King`. */
  name: string;
  points: number;
}

/** By rank, not by place: in an object `2` to `9` come before `Ace`, whatever order they were sent in. A rank is written
 * with the first letter of its name. */
export function valuesInOrder(values: Readonly<Record<string, number>>, pack: Pack): RankValue[] {
  const named = Object.entries(values);
  return [...pack.ranks].flatMap((rank) => {
    const found = named.find(([name]) => name.charAt(0) === rank);
    return found ? [{ rank, name: found[0], points: found[1] }] : [];
  });
}
