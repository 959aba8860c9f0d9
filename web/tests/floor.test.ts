import { expect, test } from "vitest";
import { afterMessage, clauseOf, counted, type Floor, gamesOf, ordered, shareLeft, shortened, stateOf, widest } from "../src/lobby/floor.ts";
import type { TableListed } from "../src/types/api.ts";

function table(id: string, changes: Partial<TableListed> = {}): TableListed {
  return {
    id, name: id, game: "some-game", dealing: "virtual", decks: 8, phase: "ready", paused: null, trouble: null, shoe: 1, round: 4, currency: "SGD",
    limits: {}, patron_limit: null, table_limit: null, house_limit: null, rules_digest: "", results: "", closes_at: null, patrons: 1, watching: 1, ...changes,
  };
}

const told = (tables: TableListed[], time = 0) => afterMessage(null, { type: "tables", build: "", tables, time }) as Floor;

test("tables change in their place, new ones come last, closed ones go", () => {
  const floor = told([table("a"), table("b"), table("c")]);
  const next = afterMessage(floor, { type: "tables-changed", time: 1, tables: [table("b", { round: 5 }), table("d")], gone: ["a"] });
  expect(next?.tables.map(({ id, round }) => [id, round])).toEqual([["b", 5], ["c", 4], ["d", 4]]);
});

test("what comes before the first list is no floor, and what waits is counted", () => {
  expect(afterMessage(null, { type: "tables-changed", time: 1, tables: [table("a")], gone: [] })).toBeNull();
  expect(afterMessage(told([]), { type: "requests", waiting: 2, time: 3 })?.waiting).toBe(2);
});

test("the bar knows how long betting is open once it has seen it open", () => {
  const betting = (round: number, closes_at: number) => table("a", { phase: "betting", round, closes_at });
  let floor: Floor | null = told([betting(4, 8_000)]);
  expect(floor.opensFor.a).toBe(15_000);
  expect(shareLeft(8_000, 500, floor.opensFor.a)).toBe(0.5);
  floor = afterMessage(floor, { type: "tables-changed", time: 30_000, tables: [betting(5, 42_000)], gone: [] });
  expect(floor?.opensFor.a).toBe(12_000);
  // Patrons come and go while it is open: that is not another opening.
  floor = afterMessage(floor, { type: "tables-changed", time: 36_000, tables: [betting(5, 42_000)], gone: [] });
  expect(floor?.opensFor.a).toBe(12_000);
});

test.each([
  [{ phase: "betting", closes_at: 12_000 }, "open", "open", 12],
  [{ phase: "betting", closes_at: 5_001 }, "open", "open", 6],
  [{ phase: "betting", closes_at: 5_000 }, "soon", "closing", 5],
  [{ phase: "betting", closes_at: 0 }, "shut", "noMore", null],
  [{ phase: "betting", closes_at: null, dealing: "dealer" }, "open", "open", null],
  [{ phase: "dealing" }, "shut", "dealing", null],
  [{ phase: "announced" }, "shut", "result", null],
  [{ phase: "ready" }, "idle", "settled", null],
  [{ phase: "ready", round: 0 }, "idle", "ready", null],
  [{ phase: "ready", patrons: 0, watching: 0 }, "idle", "free", null],
  [{ phase: "closed", patrons: 0, watching: 0 }, "idle", "free", null],
  [{ phase: "closed" }, "idle", "newShoe", null],
  [{ phase: "closed", dealing: "dealer" }, "idle", "closed", null],
  [{ phase: "betting", closes_at: 9_000, paused: "5.3 two cards" }, "shut", "paused", null],
  [{ phase: "betting", closes_at: 9_000, trouble: "a fault" }, "shut", "stopped", null],
] as const)("a table says what it does: %o", (changes, light, word, seconds) => {
  expect(stateOf(table("a", changes), 0)).toMatchObject({ light, word, seconds });
});

test("counts, limits and games", () => {
  expect(counted("BPPTB")).toEqual({ B: 2, P: 2, T: 1 });
  const main = { minimum: 100, maximum: 5_000, step: 1 }, side = { minimum: 10, maximum: 500, step: 1 };
  expect(widest({ side, main })).toBe(main);
  expect(widest({})).toBeNull();
  expect(gamesOf([table("a"), table("b", { game: "other" }), table("c")])).toEqual([{ game: "some-game", count: 2 }, { game: "other", count: 1 }]);
});

test("one's own tables come first, the others as the house has them", () => {
  expect(ordered([table("a"), table("b"), table("c")], ["c", "b"]).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

test("names lose the words that all of them have", () => {
  expect(shortened(["Red Baccarat", "Baccarat, River House", "No Fee Baccarat, River House"])).toEqual(["Red", "River House", "No Fee, River House"]);
  expect(shortened(["Baccarat"])).toEqual(["Baccarat"]);
  expect(shortened(["Baccarat", "Red Baccarat"])).toEqual(["Baccarat", "Red"]);
});

test("a reason may begin with its clause", () => {
  expect(clauseOf("5.3 Two cards came out")).toEqual({ clause: "5.3", text: "Two cards came out" });
  expect(clauseOf("5.3: Two cards came out")).toEqual({ clause: "5.3", text: "Two cards came out" });
  expect(clauseOf("3 cards came out")).toEqual({ clause: null, text: "3 cards came out" });
});
