/** The five roads against the worked cases that the Python package is tested with, and the properties of any shoe. */
import { describe, expect, test } from "vitest";
import { type Asked, beadPlate, bigRoad, columnsOf, DERIVED, latest, roads, type Square } from "../src/roads/roads.ts";
import vectors from "../../tests/vectors/roads.json";

interface Vector {
  id: string;
  sequence: string;
  column_heights: number[];
  leading_ties: number;
  ties_per_cell: number[][];
  big_road_hold: [number, number][];
  big_road_drop?: [number, number][];
  big_eye_boy: string;
  small_road: string;
  cockroach_pig: string;
  ask_banker: string;
  ask_player: string;
}

const VECTORS = vectors as unknown as Vector[];
const letters = (asked: Asked) => DERIVED.map((name) => asked[name] ?? "-").join("");
const places = (cells: readonly Square[]) => cells.map(({ column, row }) => [column, row]);

test("all worked cases are here, and some tell the two tails apart", () => {
  expect(VECTORS).toHaveLength(13);
  expect(VECTORS.some((each) => JSON.stringify(each.big_road_hold) !== JSON.stringify(each.big_road_drop ?? each.big_road_hold))).toBe(true);
});

describe.each(VECTORS)("worked case $id", (vector) => {
  test.each(["hold", "drop"] as const)("with tails that %s", (tail) => {
    const shoe = roads(vector.sequence, { tail });
    const found: Record<string, unknown> = {
      column_heights: shoe.runs.map((run) => run.rounds.length),
      leading_ties: shoe.waitingTies,
      ties_per_cell: shoe.runs.map((run) => run.ties),
      [`big_road_${tail}`]: places(shoe.bigRoad),
      big_eye_boy: shoe.derived.bigEyeBoy.marks,
      small_road: shoe.derived.smallRoad.marks,
      cockroach_pig: shoe.derived.cockroachPig.marks,
      ask_banker: letters(shoe.ask.B),
      ask_player: letters(shoe.ask.P),
    };
    const wanted = vector as unknown as Record<string, unknown>;
    for (const name of Object.keys(found)) if (name in wanted) expect(found[name], name).toEqual(wanted[name]);
  });
});

/** The same shoes on every run: a small generator of its own. */
function shoes(): string[] {
  let seed = 20240229;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const free = Array.from({ length: 150 }, () => Array.from({ length: next(100) }, () => "BPT"[next(3)]).join(""));
  // Runs this long turn right, pile their tails up to row 0, and meet each other there.
  const long = Array.from({ length: 100 }, () => Array.from({ length: next(12) }, (_, run) => "BP"[run % 2]!.repeat(1 + next(25))).join(""));
  return ["", "T", "TTT", "TTB", ...free, ...long];
}

/** From the way players are taught: look at filled and empty cells, never at heights. */
function marksByLooking(results: string, step: number): string {
  const filled = new Set<string>();
  let column = -1, row = 0, previous = "", marks = "";
  const alike = (left: number, depth: number) => filled.has(`${left} ${depth}`) === filled.has(`${left} ${depth - 1}`);
  for (const winner of results.replaceAll("T", "")) {
    if (winner === previous) {
      row += 1;
      if (column >= step) marks += alike(column - step, row) ? "R" : "B";
    } else {
      // A new column takes the opposite of the mark that one more of the old winner would have given.
      if (column >= step) marks += alike(column - step, row + 1) ? "B" : "R";
      column += 1;
      row = 0;
      previous = winner;
    }
    filled.add(`${column} ${row}`);
  }
  return marks;
}

test("derived roads equal a second implementation, and know neither ties nor which hand is which", () => {
  const swapped = (results: string) => [...results].map((letter) => ({ B: "P", P: "B" })[letter] ?? letter).join("");
  for (const results of shoes()) {
    const shoe = roads(results);
    DERIVED.forEach((name, place) => {
      expect(shoe.derived[name].marks).toBe(marksByLooking(results, place + 1));
      expect(roads(results.replaceAll("T", "")).derived[name].marks).toBe(shoe.derived[name].marks);
      expect(roads(swapped(results)).derived[name].marks).toBe(shoe.derived[name].marks);
      expect(shoe.derived[name].marks.startsWith(roads(results.slice(0, -1)).derived[name].marks)).toBe(true);
    });
  }
});

test("ask says the mark that then comes, and the two hands are opposite", () => {
  for (const results of shoes()) {
    const shoe = roads(results);
    for (const side of ["B", "P"] as const) {
      const then = roads(results + side);
      for (const name of DERIVED) expect(then.derived[name].marks).toBe(shoe.derived[name].marks + (shoe.ask[side][name] ?? ""));
    }
    for (const name of DERIVED) {
      const both = `${shoe.ask.B[name]}${shoe.ask.P[name]}`;
      expect(["RB", "BR", "nullnull"]).toContain(both);
    }
  }
});

test("no two cells share a square, and every round but a tie has one cell", () => {
  for (const results of shoes()) {
    for (const tail of ["hold", "drop"] as const) {
      for (const leadingTie of ["attach", "own-column"] as const) {
        const shoe = roads(results, { tail, leadingTie });
        for (const cells of [shoe.bigRoad, ...DERIVED.map((name) => shoe.derived[name].cells)]) {
          expect(new Set(cells.map(({ column, row }) => `${column} ${row}`)).size).toBe(cells.length);
          expect(cells.every(({ row }) => row >= 0 && row < 6)).toBe(true);
        }
        const counted = shoe.bigRoad.filter((cell) => cell.side !== "T");
        expect(counted.map((cell) => cell.round)).toEqual([...results].flatMap((letter, round) => (letter === "T" ? [] : [round])));
        const ties = shoe.bigRoad.reduce((sum, cell) => sum + cell.ties, shoe.waitingTies);
        expect(ties).toBe([...results].filter((letter) => letter === "T").length);
      }
    }
  }
});

test("ties before the first winner wait for its cell, or have a column of their own", () => {
  expect(bigRoad("TT")).toEqual([]);
  expect(bigRoad("TTB")).toEqual([{ column: 0, row: 0, side: "B", ties: 2, round: 2 }]);
  expect(bigRoad("TTB", { leadingTie: "own-column" })).toEqual([
    { column: 0, row: 0, side: "T", ties: 2, round: 1 }, { column: 1, row: 0, side: "B", ties: 0, round: 2 },
  ]);
});

test("a full bead plate loses its oldest whole column", () => {
  expect(beadPlate("BPTBPTB").map(({ column, row, letter }) => `${column}${row}${letter}`)).toEqual(["00B", "01P", "02T", "03B", "04P", "05T", "10B"]);
  const full = beadPlate("B".repeat(12) + "P", 2);
  expect(full).toHaveLength(7);
  expect(full[0]).toEqual({ column: 0, row: 0, letter: "B", round: 6 });
  expect(full.at(-1)).toEqual({ column: 1, row: 0, letter: "P", round: 12 });
});

test("where there is room for few columns the latest are shown, with one free", () => {
  const cells = bigRoad("BP".repeat(10));
  expect(columnsOf(cells)).toBe(20);
  const shown = latest(cells, 8);
  expect(columnsOf(shown)).toBe(7);
  expect(shown.at(-1)).toMatchObject({ side: "P", round: 19 });
  expect(latest(bigRoad("BPB"), 8)).toEqual(bigRoad("BPB"));
});
