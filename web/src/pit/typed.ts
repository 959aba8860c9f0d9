/** What somebody types into a form, as the service takes it. Pure. */
import { partsOf } from "../money.ts";

/** Money as it is read, "1,234.50", as a whole number of the smallest unit; null where it is none. */
export function typedMoney(text: string, currency: string): number | null {
  const plain = text.replace(/[,，\s']/g, "").replace(/．/g, ".");
  const parts = partsOf(currency), places = parts === 1 ? 0 : 2;
  const found = /^(\d{1,15})(?:\.(\d+))?$/.exec(plain);
  if (!found) return null;
  const [, whole = "", fraction = ""] = found;
  if (fraction.replace(/0+$/, "").length > places) return null;
  return Number(whole) * parts + (places ? Number(fraction.slice(0, places).padEnd(places, "0")) : 0);
}

/** The same back into a field: without separators, so that it can be edited. */
export function moneyTyped(value: number, currency: string): string {
  const parts = partsOf(currency);
  return value % parts === 0 ? String(value / parts) : (value / parts).toFixed(2);
}

export function typedWhole(text: string): number | null {
  const plain = text.trim();
  return /^\d{1,12}$/.test(plain) ? Number(plain) : null;
}

/** Seconds, as 2.5, in milliseconds. */
export function typedSeconds(text: string): number | null {
  const plain = text.trim();
  return /^\d{1,5}(\.\d{1,3})?$/.test(plain) ? Math.round(Number(plain) * 1000) : null;
}

/** A rate as people say it, "1 SGD is 42.5 PHP", in the smallest units of both: so much for so much. */
export function typedRate(text: string, gives: string, takes: string): { numerator: number; denominator: number } | null {
  const found = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!found) return null;
  const fraction = (found[2] ?? "").replace(/0+$/, "");
  const numerator = Number((found[1] as string) + fraction) * partsOf(takes), denominator = 10 ** fraction.length * partsOf(gives);
  const common = greatestCommon(numerator, denominator);
  return numerator > 0 ? { numerator: numerator / common, denominator: denominator / common } : null;
}

function greatestCommon(one: number, other: number): number {
  return other === 0 ? one : greatestCommon(other, one % other);
}

/** How much of the one is had for 1 of the other. */
export function rateOf(rate: { gives: string; takes: string; numerator: number; denominator: number }): number {
  return (rate.numerator / rate.denominator) * (partsOf(rate.gives) / partsOf(rate.takes));
}
