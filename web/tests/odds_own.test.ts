import { expect, test } from "vitest";
import { asked, firstTest, fitted, isWhole, type OwnWager, read, readPayment, readRanks, written } from "../src/odds/own.ts";
import { PACK } from "./odds_pack.ts";

const dragon: OwnWager = {
  name: "Dragon",
  lines: [
    { pays: "40:1", tests: [{ fact: "winner", isNot: false, is: ["banker"] }, { fact: "banker_total", isNot: true, is: [6, 7] }] },
    { pays: "push", tests: [{ fact: "player_pair", isNot: false, is: true }] },
  ],
};

test("it is asked as a file of wagers has it", () => {
  expect(asked(dragon)).toEqual({
    id: "own",
    name: "Dragon",
    lines: [
      { label: "Line 1 of own", pays: "40:1", when: { all: [{ winner: ["banker"] }, { not: { banker_total: [6, 7] } }] } },
      { label: "Line 2 of own", pays: "push", when: { all: [{ player_pair: true }] } },
    ],
  });
});

test("from an address it comes back with the values that its facts have", () => {
  const found = read(dragon.name, written(dragon));
  expect(found && fitted(found, PACK)).toEqual(dragon);
});

test("words of another pack make no wager of this one", () => {
  for (const text of ["1:1,one_suit:*", "1:1,winner:*", "1:1,winner:nobody", "1:1,player_ranks:AZ", "1:1,banker_total:5"]) {
    const found = read("x", text);
    expect(found, text).not.toBeNull();
    expect(found && fitted(found, PACK), text).toBeNull();
  }
});

test("ranks are put in the order of the pack", () => {
  expect(readRanks("k a", PACK)).toBe("AK");
  expect(readRanks("10 9 9", PACK)).toBe("99T");
  for (const text of ["", "9", "9999", "92"]) expect(readRanks(text, PACK)).toBeNull();
});

test("a payment is typed in several ways", () => {
  expect(["40", "40:1", " 40 to 1 ", "3/2", "1赔2"].map(readPayment)).toEqual(["40:1", "40:1", "40:1", "3:2", "1:2"]);
  expect(readPayment("push")).toBe("push");
});

test("only a whole wager has a price", () => {
  expect(isWhole(dragon)).toBe(true);
  expect(isWhole({ ...dragon, name: " " })).toBe(false);
  expect(isWhole({ ...dragon, lines: [] })).toBe(false);
  expect(isWhole({ ...dragon, lines: [{ pays: "40", tests: dragon.lines[0]!.tests }] })).toBe(false);
  expect(isWhole({ ...dragon, lines: [{ pays: "40:1", tests: [] }] })).toBe(false);
  expect(isWhole({ ...dragon, lines: [{ pays: "40:1", tests: [{ fact: "winner", isNot: false, is: [] }] }] })).toBe(false);
});

test("a condition begins with what is still to be chosen, or that there is one at all", () => {
  expect(PACK.facts.map((fact) => firstTest(fact).is)).toEqual([[], [], true, []]);
});
