/** What somebody in the pit has to look at now. Pure. */
import type { Asked, OnTheFloor } from "../types/api.ts";
import { askedFor, isWaiting } from "./asked.ts";

export type AlertKind = "stopped" | "paused" | "request" | "nearLimit" | "waits";
export interface Alert {
  kind: AlertKind;
  /** In whose words, where there are any. */
  text: string;
}

/** From so much of the house limit on, exposure is worth a look. */
export const NEAR = 0.8;

export function shareOfLimit(table: Pick<OnTheFloor, "exposure" | "house_limit">): number | null {
  if (table.exposure === null || !table.house_limit) return null;
  return table.exposure / table.house_limit;
}

export function alertsOf(table: OnTheFloor, requests: readonly Asked[]): Alert[] {
  const found: Alert[] = [];
  if (table.closed) return found;
  if (table.trouble !== null) found.push({ kind: "stopped", text: table.trouble });
  if (table.paused !== null) found.push({ kind: "paused", text: table.paused });
  for (const each of requests) {
    if (!isWaiting(each.state) || each.stream !== `table/${table.id}`) continue;
    found.push({ kind: "request", text: askedFor(each).reason });
  }
  if ((shareOfLimit(table) ?? 0) >= NEAR) found.push({ kind: "nearLimit", text: "" });
  if (table.waits) found.push({ kind: "waits", text: "" });
  return found;
}

/** What stakes at a table are counted in: its currency, or chips without value. */
export const unitOf = (table: Pick<OnTheFloor, "account" | "currency">): string => (table.account === "chips" ? "CHIPS" : table.currency);

export interface Sum {
  unit: string;
  held: number;
  exposure: number;
}

/** What all tables hold and may cost, by kind of money. */
export function sums(tables: readonly OnTheFloor[]): Sum[] {
  const found = new Map<string, Sum>();
  for (const table of tables) {
    if (table.closed) continue;
    const unit = unitOf(table), sum = found.get(unit) ?? { unit, held: 0, exposure: 0 };
    found.set(unit, { unit, held: sum.held + table.held, exposure: sum.exposure + (table.exposure ?? 0) });
  }
  return [...found.values()];
}
