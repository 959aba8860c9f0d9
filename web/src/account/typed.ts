/** What somebody types as an amount of money or a time, and what a limit will do: pure. */
import { partsOf } from "../money.ts";
import type { LimitSaid } from "../types/api.ts";

/** In the smallest unit; null where it is no amount. Spaces and separators of thousands are as people write them. */
export function typedAmount(text: string, currency: string): number | null {
  const plain = text.trim().replace(/[\s,，'’]/g, "").replace(/。/g, ".");
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(plain)) return null;
  const parts = partsOf(currency), [whole = "0", rest = ""] = plain.split(".");
  if (parts === 1) return rest.replace(/0/g, "") ? null : Number(whole);
  return Number(whole) * parts + Number(rest.padEnd(2, "0"));
}

export function typedWhole(text: string, least: number, most: number): number | null {
  const plain = text.trim();
  if (!/^\d{1,6}$/.test(plain)) return null;
  const value = Number(plain);
  return value >= least && value <= most ? value : null;
}

/** When a limit that is asked for would hold: a tighter one at once, a looser one or none after a day. */
export function holdsFrom(now: LimitSaid | undefined, wanted: number | null): "at once" | "after a day" | "already" {
  const amount = now?.amount ?? null;
  if (wanted === amount) return "already";
  if (amount !== null && (wanted === null || wanted > amount)) return "after a day";
  return "at once";
}

/** How much of a limit is used, from 0 to 1; null where there is none. */
export function shareUsed(used: number, limit: number | null): number | null {
  return limit === null ? null : limit === 0 ? 1 : Math.min(1, Math.max(0, used / limit));
}
