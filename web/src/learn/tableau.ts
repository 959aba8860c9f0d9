/** Who draws, by the tableau that the service tells: nothing of it is known here. Pure. */
import type { TableauTold } from "../types/api.ts";

export type Hand = "player" | "banker";
/** What a decision rests on; each has its clause. */
export type Rule = "natural" | "player_draws" | "player_stood" | "banker_draws" | "complete";

export interface Decision {
  /** The hand that is due a card; null where none is. */
  hand: Hand | null;
  rule: Rule;
}

export interface Tableau {
  naturals: ReadonlySet<number>;
  playerDraws: ReadonlySet<number>;
  /** The Banker's totals on which it draws after the Player stood. */
  bankerDrawsAlone: ReadonlySet<number>;
  /** By the Banker's total, the point values of the Player's third card. */
  bankerDraws: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The point values of a cell such as `0-7 9`. */
export function digits(cell: string): Set<number> {
  const found = new Set<number>();
  for (const part of cell.split(" ").filter(Boolean)) {
    const [first, last = first] = part.split("-").map(Number);
    for (let value = first as number; value <= (last as number); value++) found.add(value);
  }
  return found;
}

/** As one reads it: `0–7, 9`. */
export function cellInFigures(cell: string): string {
  return cell.replaceAll("-", "–").replaceAll(" ", ", ");
}

export function readTableau(told: TableauTold): Tableau {
  return {
    naturals: digits(told.naturals),
    playerDraws: digits(told.player_draws),
    bankerDrawsAlone: digits(told.banker_draws_when_player_stands),
    bankerDraws: new Map(Object.entries(told.banker_draws).map(([total, cell]) => [Number(total), digits(cell)])),
  };
}

/** The right digit of the sum. */
export function totalOf(points: readonly number[]): number {
  return points.reduce((sum, each) => sum + each, 0) % 10;
}

/** Which hand is due the next card once both have two, from the point values that they hold. */
export function decide(tableau: Tableau, player: readonly number[], banker: readonly number[]): Decision {
  const bankerTotal = totalOf(banker.slice(0, 2));
  if (banker.length > 2) return { hand: null, rule: "complete" };
  const third = player[2];
  if (third !== undefined) {
    return { hand: tableau.bankerDraws.get(bankerTotal)?.has(third) ? "banker" : null, rule: "banker_draws" };
  }
  const playerTotal = totalOf(player);
  if (tableau.naturals.has(playerTotal) || tableau.naturals.has(bankerTotal)) return { hand: null, rule: "natural" };
  if (tableau.playerDraws.has(playerTotal)) return { hand: "player", rule: "player_draws" };
  return { hand: tableau.bankerDrawsAlone.has(bankerTotal) ? "banker" : null, rule: "player_stood" };
}
