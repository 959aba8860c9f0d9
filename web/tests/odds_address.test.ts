import { expect, test } from "vitest";
import { type Addressed, positionOf, read, written } from "../src/odds/address.ts";
import { NO_HANDS } from "../src/odds/position.ts";
import { GAME, PACK } from "./odds_pack.ts";

const at: Addressed = {
  game: "six-star", decks: 8, out: { "6f": 2, "9g": 1, Tf: 8 }, hands: ["9f", null, null, "3e", "Lw", null],
  wager: "fortune-six",
  own: {
    name: "龍 & \"seven\" ~, 7%",
    lines: [
      { pays: "40:1", tests: [{ fact: "winner", isNot: false, is: ["banker"] }, { fact: "banker_total", isNot: true, is: ["6", "7"] }] },
      { pays: "push", tests: [{ fact: "player_pair", isNot: false, is: true }, { fact: "one_suit", isNot: false, is: false }] },
    ],
  },
  play: { system: "1-3-2-6", wager: "banker", base: 100, rounds: 300, sessions: 1500, bankroll: 50_000, seed: 7 },
  table: null,
};

test("an address is restored exactly", () => {
  expect(read(written(at))).toEqual(at);
  expect(read(new URL(`http://host/odds${written(at)}`).search)).toEqual(at);
});

test("it can be read by people", () => {
  expect(written({ ...at, own: null, play: null })).toBe("?game=six-star&decks=8&out=6f2.9g.Tf8&hands=P9f_B3e.Lw&wager=fortune-six");
  expect(written({ ...at, play: null, wager: null, out: {}, hands: NO_HANDS, own: { ...at.own!, name: "Dragon Seven" } })).toBe(
    "?game=six-star&decks=8&own-name=Dragon+Seven&own=40:1,winner:banker,!banker_total:6:7~push,player_pair:*,one_suit:-",
  );
  expect(written({ ...at, hands: [null, "9f", null, null, null, null], out: {}, own: null, play: null, wager: null }))
    .toBe("?game=six-star&decks=8&hands=P*.9f_B");
});

test("a live table's cards are its own: only the table is written", () => {
  const live = { ...at, table: "orchid", own: null, play: null };
  expect(written(live)).toBe("?table=orchid&wager=fortune-six");
  expect(read(written(live)).table).toBe("orchid");
});

test.each([
  "", "?out=", "?out=zzz.9h99x.9", "?hands=9h", "?hands=P_B_C", "?decks=-3&own=40:1", "?own=forty,winner:tie&own-name=x",
  "?play=flat,banker,1,2,3,4", "?play=flat,banker,1,2,3,4,x", "?decks=1e99",
])("what is no address is nothing: %s", (search) => {
  const found = read(search);
  expect(found).toMatchObject({ game: null, decks: null, own: null, play: null, table: null });
  expect(found.hands).toEqual(NO_HANDS);
});

test("what the game does not have is left out of the position", () => {
  const found = read("?decks=99&out=9h20.Xs.2h&hands=P9h.Zz_B9h");
  expect(positionOf(found, GAME, PACK)).toEqual({
    game: "any-game", decks: 8, out: { "9h": 6 }, hands: ["9h", null, null, "9h", null, null],
  });
  expect(positionOf(read(""), GAME, PACK)).toEqual({ game: "any-game", decks: 4, out: {}, hands: NO_HANDS });
});
