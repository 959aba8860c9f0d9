import { expect, test } from "vitest";
import { gathered, printedPayments, shortened } from "../src/table/payments.ts";
import type { LineTold } from "../src/types/api.ts";

const line = (label: string, pays: string, when = "x"): LineTold => ({ line: label, clause: "4.1", when, pays });
const wager = (lines: LineTold[], bonuses: LineTold[] = []) => ({ name: "Banker", clause: "2.2.1", lines, bonuses });

test("the usual payment is printed large, and what differs beside it", () => {
  const found = printedPayments(wager([
    line("Banker wins with six", "1:2"), line("Banker wins with one", "2:1"), line("Banker wins otherwise", "1:1"),
    line("Tie returns the Banker wager", "push", "winner is tie"),
  ]));
  expect(found.ratios).toEqual([{ pays: 1, to: 1 }]);
  expect(found.besides).toEqual([
    { line: "Banker wins with six", ratio: { pays: 1, to: 2 } }, { line: "Banker wins with one", ratio: { pays: 2, to: 1 } },
  ]);
});

test("a hand that wins and is only returned is said", () => {
  const found = printedPayments(wager([line("Banker wins with four", "push", "winner is banker and banker total is 4"), line("Banker wins otherwise", "1:1")]));
  expect(found.besides).toEqual([{ line: "Banker wins with four", ratio: null }]);
});

test("payments that are all multiples are a scale", () => {
  const found = printedPayments(wager([line("Four cards of one element", "50:1"), line("Five cards of one element", "500:1")]));
  expect(found.ratios).toEqual([{ pays: 50, to: 1 }, { pays: 500, to: 1 }]);
  expect(found.besides).toEqual([]);
  expect(found.labels).toEqual(["Four cards of one element", "Five cards of one element"]);
});

test("bonuses are amounts or ratios on top", () => {
  const found = printedPayments(wager([line("Tie", "8:1")], [{ line: "6 Stars", clause: "4.3", when: "y", amount: 3_000_000 }, line("Tie on Element Eights", "800:1")]));
  expect(found.amounts).toEqual([3_000_000]);
  expect(found.besides).toEqual([{ line: "Tie on Element Eights", ratio: { pays: 800, to: 1 } }]);
});

test("labels are shortened on their own spot and gathered where they say nearly the same", () => {
  expect(shortened("Banker wins with six", "Banker")).toBe("With six");
  expect(shortened("Banker wins with six", "Fortune Six")).toBe("Banker wins with six");
  expect(shortened("Banker wins with six", "Banker", true)).toBe("Wins with six");
  expect(shortened("Banker wins otherwise", "Banker", true)).toBe("Wins");
  expect(shortened("Banker wins with Flaming 9's", "Banker")).toBe("Flaming 9's");
  expect(gathered(["Four cards of one element", "Five cards of one element", "Six cards of one element"], "or")).toBe("Four, five or six cards of one element");
  expect(gathered(["Banker wins with six on two cards", "Banker wins with six on three cards"], "or")).toBe("Banker wins with six on two or three cards");
  expect(gathered(["Pair of Gold 4's", "Other pair"], "or")).toBeNull();
  expect(gathered(["one"], "or")).toBeNull();
});
