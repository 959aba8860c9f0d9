import { describe, expect, test } from "vitest";
import { HUES, looksOf, numberOf, printed, railOf, stackOf } from "../src/cards/chips.ts";

const spot = (minimum: number, maximum: number, step: number) => ({ minimum, maximum, step });
const USUAL = [1, 5, 10, 50, 100, 500, 1e3, 5e3, 1e4, 5e4, 1e5, 5e5, 1e6, 5e6, 1e7, 5e7, 1e8, 5e8, 1e9, 5e9, 1e10, 5e10, 1e11, 5e11, 1e12];
const OTHERS = [2, 20, 200, 2e3, 2e4, 2e5, 2e6, 2e9, 25, 250, 2500, 25e3, 25e4, 25e5];

describe("the rail of a table", () => {
  test("begins with what the smallest stake needs and ends within the largest", () => {
    expect(railOf({ player: spot(1000, 1_000_000, 100), tie: spot(500, 100_000, 100) }, 100)).toEqual([500, 1000, 5000, 10_000, 50_000, 100_000, 500_000]);
  });
  test("every chip is a lawful step", () => {
    for (const step of [1, 5, 10, 25, 100, 500]) {
      for (const chip of railOf({ player: spot(step, step * 1000, step) }, 1)) expect(chip % step).toBe(0);
    }
  });
  test("a step that no chip of the series meets is a chip itself", () => {
    expect(railOf({ player: spot(300, 600, 300) }, 100)).toEqual([300]);
  });
  test("a step below what is printed has chips of its own", () => {
    expect(railOf({ player: spot(50, 1000, 50) }, 100)[0]).toBe(50);
  });
  test("no spot, no chips; never more than the rail holds", () => {
    expect(railOf({}, 100)).toEqual([]);
    expect(railOf({ player: spot(1, 1e12, 1) }, 1)).toHaveLength(7);
    expect(railOf({ player: spot(1, 1e12, 1) }, 1, 4)).toEqual([1, 5, 10, 50]);
  });
});

describe("a stack", () => {
  test("of every amount adds up, with what is not shown", () => {
    for (let amount = 0; amount <= 2500; amount += 5) {
      const { chips, rest } = stackOf(amount, [5, 10, 50, 100, 500], 5);
      expect(chips.reduce((sum, chip) => sum + chip, rest)).toBe(amount);
      expect(chips.length).toBeLessThanOrEqual(5);
      expect(chips).toEqual([...chips].sort((one, other) => other - one));
    }
  });
  test("takes the largest first, whatever the order they come in", () => {
    expect(stackOf(660, [5, 100, 50, 10, 500])).toEqual({ chips: [500, 100, 50, 10], rest: 0 });
    expect(stackOf(7, [5])).toEqual({ chips: [5], rest: 2 });
  });
});

test("what is printed is short and true", () => {
  expect([1, 50, 100, 999, 1000, 1500, 2500, 10_000, 1_000_000, 2_500_000, 1e9, 1e12].map(printed))
    .toEqual(["1", "50", "100", "999", "1K", "1.5K", "2.5K", "10K", "1M", "2.5M", "1B", "1T"]);
  expect(printed(1_234)).toBe("1234");
  expect(printed(0.5)).toBe("0.5");
});

describe("looks", () => {
  test("no two usual values share both hue and edge", () => {
    const seen = [...USUAL, ...OTHERS].map((value) => JSON.stringify(looksOf(value)));
    expect(new Set(seen).size).toBe(seen.length);
  });
  test("no two chips of a rail share a hue or an edge", () => {
    for (const rail of [...USUAL.slice(0, -6).map((_, place) => USUAL.slice(place, place + 7)), [5, 25, 100, 500, 1000], [1, 5, 25, 100, 500], [10, 20, 50, 100, 500]]) {
      expect(new Set(rail.map((value) => looksOf(value).hue)).size).toBe(rail.length);
      expect(new Set(rail.map((value) => JSON.stringify(looksOf(value).edge))).size).toBe(rail.length);
    }
  });
  test("any value has looks, always the same", () => {
    for (const value of [0.5, 3, 7, 123, 4_567, 999_999_999_999, 1e12]) {
      expect(HUES).toContain(looksOf(value).hue);
      expect(numberOf(value)).toBe(numberOf(value));
    }
  });
});
