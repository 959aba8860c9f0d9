/** Hands for the coach to show, made from the tableau of the game. Pure. */
import type { Pack } from "../cards/packs.ts";
import type { TableauTold } from "../types/api.ts";
import { digits } from "./tableau.ts";

/** Cards of these ranks, each of another suit of the pack. */
export function examples(ranks: string, pack: Pack): string[] {
  return [...ranks].map((rank, place) => rank + (pack.suits[place % pack.suits.length]?.letter ?? ""));
}

/** The rank of so many points that every pack has. */
export const rankOf = (points: number): string => (points === 0 ? "T" : points === 1 ? "A" : String(points));

/** Two ranks that make a total. */
export function ranksFor(total: number): string {
  return total < 3 ? `T${rankOf(total)}` : `2${rankOf(total - 2)}`;
}

/** A total and a third card at which the Banker stands although it draws on others: what newcomers stumble over. */
export function stumblingCell(tableau: TableauTold): { banker: number; third: number } {
  for (const [total, cell] of Object.entries(tableau.banker_draws)) {
    const draws = digits(cell), not = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].find((third) => !draws.has(third));
    if (draws.size && not !== undefined) return { banker: Number(total), third: not };
  }
  return { banker: 0, third: 0 };
}
