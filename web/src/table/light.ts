/** The state of a table as everybody reads it: a colour, a word and a shape. Pure but for the words. */
import { table } from "../words/table.ts";
import type { TableState } from "./model.ts";

/** The last seconds of betting. */
export const SOON = 5;

export interface Light {
  /** As the style sheet has them: disc, triangle, square, and nothing to do. */
  kind: "open" | "soon" | "shut" | "idle";
  word: string;
}

export function lightOf(state: TableState, seconds: number | null): Light {
  if (state.isClosed) return { kind: "idle", word: table.tableClosed() };
  if (state.stopped) return { kind: "shut", word: table.stopped() };
  if (state.paused) return { kind: "shut", word: table.paused() };
  switch (state.phase) {
    case "betting":
      return seconds !== null && seconds <= SOON
        ? { kind: "soon", word: table.closingSoon() } : { kind: "open", word: table.betsOpen() };
    case "dealing":
      return { kind: "shut", word: table.noMoreBets() };
    case "complete":
    case "announced":
      return { kind: "shut", word: table.result() };
    case "ready":
      return !state.end ? { kind: "idle", word: table.waiting() }
        : { kind: "shut", word: state.end.void ? table.voided() : table.settled() };
    default:
      return { kind: "idle", word: table.shoeComing() };
  }
}

export const handName = { player: table.player, banker: table.banker } as const;
export const winnerName = { player: table.playerWins, banker: table.bankerWins, tie: table.isTie } as const;

/** A time of day, as a refusal and a receipt name it. */
export function timeOfDay(time: number): string {
  const at = new Date(time), two = (part: number) => String(part).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
