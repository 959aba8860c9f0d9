import { expect, test } from "vitest";
import { bar, byRank, bySuit, difference, fixed, inCell, oneIn, percent, placed, placesFor, scaleOf, signedFixed } from "../src/odds/figures.ts";
import type { OddsSaid, WagerOddsSaid } from "../src/types/api.ts";
import { PACK } from "./odds_pack.ts";

const wager = (house_edge: number): WagerOddsSaid =>
  ({ ev: "0/1", ev_float: -house_edge, house_edge, hit: 0.5, std: 1, lines: [] }) as unknown as WagerOddsSaid;
const odds = (...edges: number[]) =>
  ({ wagers: Object.fromEntries(edges.map((edge, place) => [String(place), wager(edge)])) }) as unknown as OddsSaid;

test("figures have the places that they are given, and no zero has a sign", () => {
  expect([fixed(-1.234, 2), fixed(-0.001, 2), fixed(1234.5, 1), signedFixed(0.004, 2), signedFixed(0.44, 2), signedFixed(-0.24, 2)])
    .toEqual(["−1.23", "0.00", "1,234.5", "0.00", "+0.44", "−0.24"]);
});

test("what is rare keeps two figures that count", () => {
  expect([percent(0.0183), percent(0), percent(0.0000123), percent(1), percent(-0.02), percent(-17.8)])
    .toEqual(["1.83%", "0.00%", "0.0012%", "100.00%", "−2.00%", "−1,780%"]);
});

test("one in so many", () => {
  expect([oneIn(0), oneIn(1), oneIn(0.0391), oneIn(0.4), oneIn(1 / 54321)]).toEqual([null, "1.00", "25.6", "2.50", "54,321"]);
});

test("a difference is in points of the edge, rounded as it is shown", () => {
  expect(difference(wager(0.0183), wager(0.0139))).toBe(0.44);
  expect(Object.is(difference(wager(0.01), wager(0.01000001)), 0)).toBe(true);
  expect(difference(wager(0.01), undefined)).toBeNull();
});

test("a bar is compared with the same whole from tap to tap", () => {
  expect([scaleOf(odds(0.01, 0.18)), scaleOf(odds(0.18), odds(0.21)), scaleOf(odds(-8)), scaleOf(null)]).toEqual([0.2, 0.5, 1, 0.2]);
  expect([bar(0.05, 0.2), bar(-0.05, 0.2), bar(3, 1)]).toEqual([0.25, 0.25, 1]);
});

test("effects of alike cards are weighed by how many of them there are", () => {
  const effects = { "9h": { count: 1, effect: "1/2", effect_float: 0.5 }, "9s": { count: 3, effect: "-1/2", effect_float: -0.5 } };
  expect(byRank(effects, PACK).map((each) => each.effect)).toEqual([null, -25, null, null]);
  expect(bySuit(effects, PACK).map((each) => each.effect)).toEqual([50, -50]);
  const same = { ...effects, "9s": { ...effects["9h"], count: 3 } };
  expect(bySuit(same, PACK)).toEqual([]);
});

test("small effects have as many places as tell them apart", () => {
  expect([placesFor([0.41, -0.001]), placesFor([-0.012, null]), placesFor([0.002]), placesFor([null, 0])]).toEqual([2, 3, 4, 2]);
  expect([inCell(0.412, 2), inCell(-0.0124, 3), inCell(0, 2), inCell(-1.5, 2)]).toEqual(["+.41", "−.012", ".00", "−1.50"]);
});

test("bars stand on one zero line, and the longest fill the room", () => {
  const { zero, of } = placed([3, -1, null, 0]);
  expect(zero).toBe(0.25);
  expect(of(3)).toEqual({ from: 0.25, length: 0.75 });
  expect(of(-1)).toEqual({ from: 0, length: 0.25 });
  expect(of(null)).toEqual({ from: 0.25, length: 0 });
  expect(placed([0, null]).zero).toBe(0.5);
});
