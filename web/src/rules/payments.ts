/** What a line pays, as people read it. */
import { amount } from "../money.ts";
import type { LineTold } from "../types/api.ts";
import { language } from "../words/language.ts";
import { rules } from "../words/rules.ts";

/** `8 to 1`, `stake returned`, or an amount in the currency of the table; without one in that of the document. */
export function paymentWords(line: LineTold, currency = ""): string {
  if (line.amount !== undefined) return rules.fixed({ amount: amount(line.amount, currency) });
  const [pays, to] = (line.pays ?? "").split(":").map(Number);
  if (!pays || !to) return rules.push();
  const inFigures = (value: number) => value.toLocaleString(language.value === "en" ? "en" : "zh");
  return rules.ratio({ pays: inFigures(pays), to: inFigures(to) });
}

/** The hand of a wager, as it is marked: its own, or that of the hand with which its name begins. */
export function markOf(wager: string): { letter: "P" | "B" | "T" | null; side: "P" | "B" | null } {
  const letter = ({ player: "P", banker: "B", tie: "T" } as const)[wager] ?? null;
  return { letter, side: wager.startsWith("player-") ? "P" : wager.startsWith("banker-") ? "B" : null };
}
