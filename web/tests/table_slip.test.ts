import { expect, test } from "vitest";
import { chipsFor } from "../src/table/rail.ts";
import { added, again, doubled, leftOf, type Means } from "../src/table/slip.ts";

const limits = { banker: { minimum: 100, maximum: 1000, step: 50 }, tie: { minimum: 20, maximum: 500, step: 10 } };
const means = (over: Partial<Means> = {}): Means => ({ limits, patronLimit: null, balance: 5000, accepted: {}, ...over });

test("a chip more, capped at the maximum with a word about it", () => {
  expect(added({}, "banker", 100, means())).toEqual({ slip: { banker: 100 }, problem: null });
  expect(added({ banker: 900 }, "banker", 500, means())).toEqual({
    slip: { banker: 1000 }, problem: { kind: "capped", wager: "banker", amount: 1000 },
  });
  expect(added({ banker: 1000 }, "banker", 100, means())).toEqual({
    slip: null, problem: { kind: "maximum", wager: "banker", amount: 1000 },
  });
});

test("what the spot would not take is not asked for", () => {
  expect(added({}, "banker", 50, means()).problem).toEqual({ kind: "minimum", wager: "banker", amount: 100 });
  expect(added({ banker: 100 }, "banker", 20, means()).problem).toEqual({ kind: "step", wager: "banker", amount: 50 });
  expect(added({}, "dragon", 50, means())).toEqual({ slip: null, problem: null });
});

test("what is on the felt already counts as one's own, and not twice", () => {
  const poor = means({ balance: 100, accepted: { banker: 300 } });
  expect(leftOf(poor, { banker: 300 })).toBe(100);
  expect(added({ banker: 300 }, "banker", 100, poor).slip).toEqual({ banker: 400 });
  expect(added({ banker: 400 }, "tie", 20, poor)).toEqual({ slip: null, problem: { kind: "balance", wager: "tie", amount: 20 } });
  expect(added({}, "banker", 1000, means({ balance: null })).slip).toEqual({ banker: 1000 });
  expect(added({ tie: 400 }, "banker", 200, means({ patronLimit: 500 })).problem?.kind).toBe("patron-limit");
});

test("double and rebet are all or nothing", () => {
  expect(doubled({ banker: 400, tie: 100 }, means())).toEqual({ slip: { banker: 800, tie: 200 }, problem: null });
  expect(doubled({ banker: 400, tie: 300 }, means())).toEqual({ slip: null, problem: { kind: "maximum", wager: "tie", amount: 500 } });
  expect(doubled({ banker: 400 }, means({ balance: 300, accepted: { banker: 400 } })).problem).toEqual({ kind: "balance", wager: null, amount: 100 });
  expect(doubled({}, means()).problem?.kind).toBe("nothing");
  expect(again({ banker: 100, tie: 20 }, means()).slip).toEqual({ banker: 100, tie: 20 });
  // A wager that the table no longer has keeps the others back too.
  expect(again({ banker: 100, dragon: 20 }, means())).toEqual({ slip: null, problem: { kind: "maximum", wager: "dragon", amount: 0 } });
});

test("the rail begins with the smallest stake and ends with the largest chip", () => {
  expect(chipsFor({ a: { minimum: 10, maximum: 50_000, step: 10 } }, 1)).toEqual([10, 50, 100, 500, 1000, 5000, 50_000]);
  expect(chipsFor({ a: { minimum: 2000, maximum: 2_000_000, step: 20 } }, 100)).toEqual([2000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000]);
  expect(chipsFor({ a: { minimum: 100, maximum: 100, step: 100 } }, 1)).toEqual([100]);
});
