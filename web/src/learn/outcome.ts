/** What becomes of a wager: lines are read from the top, the first that holds decides; none holds, it is lost. Pure. */
import type { LineTold, WagerTold } from "../types/api.ts";
import { type Condition, type Facts, readCondition } from "./facts.ts";

export interface Outcome {
  /** The line that decided; null where the stake is lost. */
  line: LineTold | null;
  /** Paid on top. */
  bonuses: readonly LineTold[];
}

export interface Paytable {
  id: string;
  wager: WagerTold;
  outcome(facts: Facts): Outcome;
}

/** The wager as something that can be asked; null where one of its conditions is not understood. */
export function readWager(id: string, wager: WagerTold, known: ReadonlySet<string>): Paytable | null {
  const read = (lines: readonly LineTold[]) =>
    lines.map((line) => ({ line, holds: readCondition(line.when, known) }));
  const isWhole = (lines: ReturnType<typeof read>): lines is { line: LineTold; holds: Condition }[] =>
    lines.every(({ holds }) => holds !== null);
  const lines = read(wager.lines), bonuses = read(wager.bonuses);
  if (!isWhole(lines) || !isWhole(bonuses)) return null;
  return {
    id,
    wager,
    outcome(facts) {
      const line = lines.find(({ holds }) => holds(facts))?.line ?? null;
      // A stake that is only returned has no bonus on top.
      const isPaid = line !== null && line.pays !== "push";
      return { line, bonuses: isPaid ? bonuses.filter(({ holds }) => holds(facts)).map((each) => each.line) : [] };
    },
  };
}
