import { expect, test } from "vitest";
import { laid, nextTo } from "../src/table/layout.ts";

const SIX = laid([["player-pair", "element-bonus", "banker-pair"], ["player", "tie", "banker"], [null, "fortune-six", null]]);
const at = (wager: string, layout = SIX) => layout.places.find((place) => place.wager === wager);

test("an empty place belongs to the spot above it", () => {
  expect(SIX).toMatchObject({ columns: 3, rows: 3 });
  expect(at("player")).toEqual({ wager: "player", column: 1, row: 2, columns: 1, rows: 2 });
  expect(at("tie")).toEqual({ wager: "tie", column: 2, row: 2, columns: 1, rows: 1 });
  expect(at("fortune-six")).toEqual({ wager: "fortune-six", column: 2, row: 3, columns: 1, rows: 1 });
  const tall = laid([["a", "t", "b"], ["c", null, "d"], ["p", null, "k"]]);
  expect(at("t", tall)?.rows).toBe(3);
});

test("rows of different lengths share the width, and every wager lies there once", () => {
  const felt = laid([["a", "b", "c"], ["p", "k"]]);
  expect(felt.columns).toBe(6);
  expect(felt.places.map(({ wager, column, columns }) => [wager, column, columns])).toEqual([
    ["a", 1, 2], ["b", 3, 2], ["c", 5, 2], ["p", 1, 3], ["k", 4, 3],
  ]);
  // Nothing lies above the first row: its empty place stays empty.
  expect(laid([[null, "b"]]).places).toHaveLength(1);
});

test("arrow keys go to what lies straight ahead, and stay at the edge", () => {
  expect(nextTo(SIX, "player-pair", "ArrowRight")).toBe("element-bonus");
  expect(nextTo(SIX, "player-pair", "ArrowDown")).toBe("player");
  expect(nextTo(SIX, "tie", "ArrowDown")).toBe("fortune-six");
  expect(nextTo(SIX, "fortune-six", "ArrowLeft")).toBe("player");
  expect(nextTo(SIX, "fortune-six", "ArrowRight")).toBe("banker");
  expect(nextTo(SIX, "banker", "ArrowRight")).toBe("banker");
  expect(nextTo(SIX, "fortune-six", "ArrowDown")).toBe("fortune-six");
  // From every spot every other can be reached.
  for (const { wager } of SIX.places) {
    const seen = new Set([wager]), todo = [wager];
    for (let from = todo.pop(); from !== undefined; from = todo.pop()) {
      for (const direction of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
        const to = nextTo(SIX, from, direction);
        if (!seen.has(to)) todo.push(to);
        seen.add(to);
      }
    }
    expect(seen.size).toBe(SIX.places.length);
  }
});
