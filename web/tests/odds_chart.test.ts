import { expect, test } from "vitest";
import { band, line, scaleOf, ticks } from "../src/odds/chart.ts";

test("steps are of 1, 2 or 5, cover the values, and have no zero with a sign", () => {
  expect(ticks(-3050, 2190, 5)).toEqual([-4000, -2000, 0, 2000, 4000]);
  expect(ticks(0, 300, 3)).toEqual([0, 100, 200, 300]);
  expect(ticks(-7, 0, 3)).toEqual([-10, -5, 0]);
  expect(ticks(0, 0, 3)).toEqual([0, 1]);
  expect(Object.is(ticks(-3, 3, 2)[1], 0)).toBe(true);
});

test("lines begin with nothing won, and bands close", () => {
  const scale = scaleOf({ width: 110, height: 120, left: 10, right: 0, top: 10, bottom: 10 }, 100, -50, 50);
  expect([scale.y(scale.money[0]!), scale.y(scale.money.at(-1)!)]).toEqual([110, 10]);
  expect(line(scale, [50, 100], [50, -50])).toBe("M10.0 60.0L60.0 10.0L110.0 110.0");
  expect(band(scale, [100], [-50], [50])).toBe("M10.0 60.0L110.0 10.0L110.0 110.0Z");
});
