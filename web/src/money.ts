/** Money is a whole number of the smallest unit everywhere; here it becomes what people read, and chips. */
import { language } from "./words/language.ts";

/** Play money of a currency is shown in its unit, of which the smallest is a hundredth; chips have no smaller part. */
export function partsOf(currency: string): number {
  return currency === "CHIPS" ? 1 : 100;
}

const MINUS = "−";

export function amount(value: number, currency: string): string {
  const parts = partsOf(currency), whole = value % parts === 0;
  const text = (Math.abs(value) / parts).toLocaleString(language.value === "en" ? "en" : "zh", {
    minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2,
  });
  return value < 0 ? MINUS + text : text;
}

/** With its sign, as a gain or a loss is shown. */
export function signed(value: number, currency: string): string {
  return value > 0 ? `+${amount(value, currency)}` : amount(value, currency);
}
