import { expect, test } from "vitest";
import { holdsFrom, shareUsed, typedAmount, typedWhole } from "../src/account/typed.ts";
import { byDay } from "../src/moments.ts";
import { lastedSaid, shownUnit } from "../src/shell/meters.tsx";

test.each([
  ["100", "SGD", 10_000], ["1,000.5", "SGD", 100_050], [" 12.34 ", "SGD", 1_234], ["1 000", "CHIPS", 1_000], ["5.00", "CHIPS", 5],
  ["5.50", "CHIPS", null], ["", "SGD", null], ["-3", "SGD", null], ["1e5", "SGD", null], ["1.234", "SGD", null], ["abc", "SGD", null],
])("an amount as it is typed: %s %s", (text, currency, amount) => {
  expect(typedAmount(text, currency)).toBe(amount);
});

test("whole numbers within their bounds", () => {
  expect(typedWhole("120", 1, 1440)).toBe(120);
  expect(typedWhole("0", 1, 1440)).toBeNull();
  expect(typedWhole("1441", 1, 1440)).toBeNull();
  expect(typedWhole("12.5", 1, 1440)).toBeNull();
});

test("a tighter limit holds at once, a looser one or none after a day", () => {
  const limit = { amount: 500, next: null };
  expect(holdsFrom(limit, 400)).toBe("at once");
  expect(holdsFrom(limit, 600)).toBe("after a day");
  expect(holdsFrom(limit, null)).toBe("after a day");
  expect(holdsFrom(limit, 500)).toBe("already");
  expect(holdsFrom(undefined, 500)).toBe("at once");
});

test("how much of a limit is used", () => {
  expect(shareUsed(50, 200)).toBe(0.25);
  expect(shareUsed(-50, 200)).toBe(0);
  expect(shareUsed(500, 200)).toBe(1);
  expect(shareUsed(5, null)).toBeNull();
});

test("time at play", () => {
  expect(lastedSaid(0)).toBe("0:00");
  expect(lastedSaid(42 * 60_000 + 18_999)).toBe("42:18");
  expect(lastedSaid(3_600_000 + 2_000)).toBe("1:00:02");
  expect(lastedSaid(-5)).toBe("0:00");
});

test("of several kinds of money the one that moved is shown", () => {
  const of = (net: Record<string, number>) => ({ balances: { CHIPS: 5, SGD: 7 }, session: { since: 0, net } });
  expect(shownUnit(of({ SGD: 0 }), null)).toBe("CHIPS");
  expect(shownUnit(of({ SGD: -3 }), null)).toBe("SGD");
  expect(shownUnit(of({ SGD: -3 }), "CHIPS")).toBe("CHIPS");
  expect(shownUnit(of({}), "PHP")).toBe("CHIPS");
  expect(shownUnit({ balances: {}, session: { since: 0, net: {} } }, null)).toBeNull();
});

test("what happened by day", () => {
  const noon = Date.UTC(2026, 10, 18, 12);
  expect(byDay([{ time: noon + 1 }, { time: noon }, { time: noon - 48 * 3_600_000 }]).map(({ all }) => all.length)).toEqual([2, 1]);
});
