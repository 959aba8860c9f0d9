/** Where a win lies beside what was to be expected, in standard deviations: all rows are drawn on one scale. Pure. */
import type { WinLine } from "../types/api.ts";

/** The scale reaches so many deviations to either side of the theoretical win, and the band so many. */
export const REACH = 4;
export const BAND = 2;

export interface Drawn {
  /** From 0 to 100 along the scale: the win, or where it leaves the scale. */
  win: number;
  low: number;
  high: number;
  isBeyond: boolean;
}

export function drawn(line: Pick<WinLine, "win" | "theoretical" | "deviation">): Drawn | null {
  const { win, theoretical, deviation } = line;
  if (theoretical === null || deviation === null || deviation <= 0) return null;
  const off = (win - theoretical) / deviation;
  const at = (deviations: number) => 50 + (Math.max(-REACH, Math.min(REACH, deviations)) / REACH) * 50;
  return { win: at(off), low: at(-BAND), high: at(BAND), isBeyond: Math.abs(off) > REACH };
}
