/** Where the round is, for somebody who deals it: eight steps, of which one is now. Pure. */
import type { Step } from "../types/api.ts";
import type { TableState } from "../table/model.ts";

export const COURSE = ["bets", "noMore", "firstFour", "announce", "playerThird", "bankerThird", "confirm", "settle"] as const;
export type Station = (typeof COURSE)[number];
export type Standing = "done" | "now" | "ahead" | "left out";

/** By station, whether it is behind, before or ahead of the dealer; a third card that nobody draws is left out. */
export function course(state: TableState): Record<Station, Standing> {
  const { phase, deal, due } = state;
  const found = Object.fromEntries(COURSE.map((each) => [each, "ahead"])) as Record<Station, Standing>;
  if (phase === "betting") return { ...found, bets: "done", noMore: "now" };
  if (phase !== "dealing" && phase !== "complete" && phase !== "announced") return { ...found, bets: "now" };
  Object.assign(found, { bets: "done", noMore: "done" });
  const first = Math.min(2, deal.player.length) + Math.min(2, deal.banker.length);
  if (first < 4) return { ...found, firstFour: "now" };
  Object.assign(found, { firstFour: "done", announce: "done" });
  const third = (hand: "player" | "banker"): Standing =>
    deal[hand].length === 3 ? "done" : due === hand ? "now" : hand === "banker" && due === "player" ? "ahead" : "left out";
  Object.assign(found, { playerThird: third("player"), bankerThird: third("banker") });
  if (due !== null) return found;
  if (phase !== "announced") return { ...found, confirm: "now" };
  return { ...found, confirm: "done", settle: "now" };
}

/** Steps that lead the round on, in the order in which one of them is due; the others stand beside it. */
const LEADS = ["resume", "open-shoe", "burn", "deal", "announce", "settle", "close-betting", "open-betting"];

/** The one action that is shown large. */
export function mainStep(steps: readonly Step[]): Step | null {
  for (const name of LEADS) {
    const found = steps.find((step) => step.do === name);
    if (found) return found;
  }
  return null;
}

/** Which card of the hand is due: its first, second or third. */
export function ordinal(state: TableState, hand: "player" | "banker"): 1 | 2 | 3 {
  return (state.deal[hand].length + 1) as 1 | 2 | 3;
}
