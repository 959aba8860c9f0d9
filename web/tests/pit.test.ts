import { expect, test } from "vitest";
import { alertsOf, shareOfLimit, sums } from "../src/pit/alerts.ts";
import { askedFor, isWaiting } from "../src/pit/asked.ts";
import { drawn } from "../src/pit/band.ts";
import { may, viewsOf } from "../src/pit/duties.ts";
import { ordered, pressed } from "../src/pit/order.ts";
import { fieldOf, newTableOf, typedOf, wishesOf } from "../src/pit/settings.ts";
import { moneyTyped, rateOf, typedMoney, typedRate, typedSeconds, typedWhole } from "../src/pit/typed.ts";
import type { Asked, OnTheFloor } from "../src/types/api.ts";

test.each([
  ["250", "SGD", 25_000], ["1,000.50", "SGD", 100_050], ["0.1", "SGD", 10], ["1 000", "SGD", 100_000], ["1.00", "CHIPS", 1], ["12", "CHIPS", 12],
  ["1.5", "CHIPS", null], ["0.125", "SGD", null], ["-5", "SGD", null], ["", "SGD", null], ["ten", "SGD", null], ["1e3", "SGD", null],
])("what is typed as %s of %s is so much of the smallest unit", (text, currency, money) => {
  expect(typedMoney(text, currency)).toBe(money);
  if (money !== null) expect(typedMoney(moneyTyped(money, currency), currency)).toBe(money);
});

test("numbers and seconds are read strictly", () => {
  expect([typedWhole("8"), typedWhole("8.5"), typedWhole("-1"), typedWhole("")]).toEqual([8, null, null, null]);
  expect([typedSeconds("2.5"), typedSeconds("0"), typedSeconds("x")]).toEqual([2_500, 0, null]);
});

test("a rate is said in whole units and kept in the smallest, with chips that have no smaller part", () => {
  expect(typedRate("42.5", "SGD", "PHP")).toEqual({ numerator: 85, denominator: 2 });
  expect(typedRate("10", "SGD", "CHIPS")).toEqual({ numerator: 1, denominator: 10 });
  for (const [gives, takes] of [["SGD", "PHP"], ["SGD", "CHIPS"], ["CHIPS", "SGD"]] as const) {
    const rate = typedRate("42.5", gives, takes);
    expect(rate && rateOf({ gives, takes, ...rate })).toBeCloseTo(42.5);
  }
  expect([typedRate("0", "SGD", "PHP"), typedRate("-1", "SGD", "PHP"), typedRate("", "SGD", "PHP")]).toEqual([null, null, null]);
});

test("each role is offered what it may do, and nobody else anything", () => {
  expect(viewsOf("auditor")).toContain("exports");
  expect(viewsOf("auditor")).not.toContain("staff");
  expect(viewsOf("supervisor")).not.toContain("exports");
  expect(viewsOf("director")).toContain("staff");
  for (const role of ["dealer", "patron", "guest", null]) expect(viewsOf(role)).toEqual([]);
  expect([may("auditor", "decide"), may("supervisor", "decide"), may("supervisor", "tables"), may("director", "tables")]).toEqual([false, true, false, true]);
});

const request = (stream: string, body: Record<string, unknown>, state = "waiting"): Asked =>
  ({ id: "r", stream, body, state, asked_by: "s-1", asked: 0, decided_by: null, decided: null, note: null, names: {} });

test("a request is read from the message that asked for it", () => {
  expect(askedFor(request("table/pit-1", { do: "void", irregularity: "order-altered", note: "fell", round: 4 })))
    .toMatchObject({ kind: "void", table: "pit-1", round: 4, reason: "fell", irregularity: "order-altered", patron: null });
  expect(askedFor(request("desk/main", { do: "adjust", patron: "g-1", unit: "SGD", amount: -5, table: "pit-1", round: 1, reason: "paid twice" })))
    .toMatchObject({ kind: "adjust", table: "pit-1", round: 1, amount: -5, unit: "SGD", reason: "paid twice", patron: "g-1" });
  expect(askedFor(request("desk/main", { do: "rate", gives: "SGD", takes: "PHP", numerator: 85, denominator: 2 }))).toMatchObject({ kind: "rate", unit: "SGD", takes: "PHP", table: null });
  expect(askedFor(request("desk/main", { do: "something-new" })).kind).toBe("other");
  expect(["waiting", "deciding", "approved", "lapsed"].map(isWaiting)).toEqual([true, true, false, false]);
});

const TABLE: OnTheFloor = {
  id: "orchid", name: "Orchid", game: "six", dealing: "virtual", decks: 8, currency: "SGD", account: "cash",
  limits: { banker: { minimum: 1_000, maximum: 1_000_000, step: 10 } }, patron_limit: null, table_limit: 5_000_000, house_limit: 100_000,
  reading: { rounding: "down" }, bonuses: { "Six Stars": 300_000 }, burn: "by-first-card", cut_depth: 14, overrides: [],
  betting_milliseconds: 20_000, card_milliseconds: null, place: 1, closed: false, digest: "", warnings: [], phase: "ready", paused: null, trouble: null,
  patrons: 3, held: 9_000, exposure: 0, waits: false,
};

test("a table calls for an eye where it waits, is stopped, nears its limit or is asked about", () => {
  const kinds = (table: Partial<OnTheFloor>, requests: Asked[] = []) => alertsOf({ ...TABLE, ...table }, requests).map(({ kind }) => kind);
  expect(kinds({})).toEqual([]);
  expect(kinds({ paused: "a card fell" })).toEqual(["paused"]);
  expect(kinds({ trouble: "the store is down", waits: true })).toEqual(["stopped", "waits"]);
  expect([kinds({ exposure: 79_999 }), kinds({ exposure: 80_000 })]).toEqual([[], ["nearLimit"]]);
  const asked = request("table/orchid", { do: "void", note: "fell" });
  expect(kinds({}, [asked, request("table/plum", { do: "void" }), { ...asked, state: "approved" }])).toEqual(["request"]);
  expect(kinds({ closed: true, paused: "x" })).toEqual([]);
  expect(shareOfLimit({ exposure: 10, house_limit: null })).toBeNull();
});

test("money of one kind is added up over the open tables, and never with another kind", () => {
  const chips = { ...TABLE, account: "chips", held: 5, exposure: 7 };
  expect(sums([TABLE, { ...TABLE, held: 1_000, exposure: null }, chips, { ...TABLE, closed: true }])).toEqual([
    { unit: "SGD", held: 10_000, exposure: 0 }, { unit: "CHIPS", held: 5, exposure: 7 },
  ]);
});

test("of a table's settings only what was changed is sent, limits by wager, and an emptied limit is taken away", () => {
  const before = typedOf(TABLE);
  expect(before).toMatchObject({ "limits.banker.minimum": "10", "limits.banker.step": "0.10", table_limit: "50000", patron_limit: "", betting_milliseconds: "20", card_milliseconds: "" });
  expect(wishesOf(before, before, "SGD")).toEqual({ wishes: {}, unread: [] });
  const typed = { ...before, name: "Plum", "limits.banker.maximum": "20,000", table_limit: "", patron_limit: "500", card_milliseconds: "0.5", "reading.rounding": "up", "bonuses.Six Stars": "1000", overrides: "even-money-banker" };
  expect(wishesOf(typed, before, "SGD")).toEqual({
    wishes: {
      name: "Plum", limits: { banker: { minimum: 1_000, maximum: 2_000_000, step: 10 } }, table_limit: null, patron_limit: 50_000, card_milliseconds: 500,
      reading: { rounding: "up" }, bonuses: { "Six Stars": 100_000 }, overrides: ["even-money-banker"],
    },
    unread: [],
  });
  expect(wishesOf({ ...before, decks: "many", "limits.banker.step": "" }, before, "SGD").unread).toEqual(["decks", "limits.banker.step"]);
  expect(newTableOf({ id: " plum ", game: "six", decks: "" }, "SGD")).toEqual({ table: { id: "plum", game: "six" }, unread: [] });
});

test("a refusal stands at the field that it is about", () => {
  expect(fieldOf("unfit-decks", "..")).toBe("decks");
  expect(fieldOf("malformed", "The request is not well formed (at limits.banker.step).")).toBe("limits");
  expect(fieldOf("malformed", "The id of a table is 1 to 40 small letters, digits and dashes, no dash first.")).toBe("id");
  expect(fieldOf("offline", "The service cannot be reached.")).toBeNull();
});

test("a win is drawn on a scale of deviations, and what leaves the scale stays at its end", () => {
  expect(drawn({ win: 100, theoretical: 100, deviation: 10 })).toEqual({ win: 50, low: 25, high: 75, isBeyond: false });
  expect(drawn({ win: 120, theoretical: 100, deviation: 10 })?.win).toBe(75);
  expect(drawn({ win: -900, theoretical: 100, deviation: 10 })).toMatchObject({ win: 0, isBeyond: true });
  expect([drawn({ win: 1, theoretical: null, deviation: null }), drawn({ win: 1, theoretical: 1, deviation: 0 })]).toEqual([null, null]);
});

test("rows are sorted with nothing last, and a second press turns them round", () => {
  const rows = [{ at: 2 }, { at: null }, { at: 10 }];
  expect(ordered(rows, ({ at }) => at, false).map(({ at }) => at)).toEqual([2, 10, null]);
  expect(ordered(rows, ({ at }) => at, true).map(({ at }) => at)).toEqual([10, 2, null]);
  expect(ordered([{ at: "b" }, { at: "a" }], ({ at }) => at, false).map(({ at }) => at)).toEqual(["a", "b"]);
  expect(pressed(null, "held", true)).toEqual({ key: "held", isFalling: true });
  expect(pressed({ key: "held", isFalling: true }, "held", true)).toEqual({ key: "held", isFalling: false });
  expect(pressed({ key: "held", isFalling: true }, "name", false)).toEqual({ key: "name", isFalling: false });
});
