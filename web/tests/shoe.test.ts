/** What is known of a shoe's rounds, what is counted of them, and the band around what was seen. */
import { expect, test } from "vitest";
import { counted, exactShares, extrasOf, isUsuallyDealt, merged, specialWagers, wilson } from "../src/roads/shoe.ts";
import type { LineTold, OddsSaid, RoundOfShoe, RoundResult, RuleCard } from "../src/types/api.ts";

const result = (winner: RoundResult["winner"], extra: Partial<RoundResult> = {}): RoundResult => ({
  winner, player_total: winner === "player" ? 7 : 2, banker_total: winner === "banker" ? 7 : 2, player_pair: false, banker_pair: false, lines: {}, ...extra,
});
const recorded = (each: RoundResult | null, number: number): RoundOfShoe => ({
  number, round_in_shoe: number, deal: "", result: each, void: each === null, corrected: false,
});
const line = (name: string, when: string, pays = "1:1"): LineTold => ({ line: name, when, pays, clause: "1" });
const RULES = {
  game: "a-new-game", switches: {}, reading: {},
  wagers: {
    banker: { name: "Banker", clause: "1", bonuses: [], lines: [line("Banker wins with four", "winner is banker and banker total is 4", "push"), line("Banker wins", "winner is banker"), line("Returned", "winner is tie", "push")] },
    player: { name: "Player", clause: "1", bonuses: [], lines: [line("Player wins", "winner is player")] },
    tie: { name: "Tie", clause: "1", bonuses: [], lines: [line("Tie", "winner is tie", "8:1")] },
    "a-pair": { name: "A Pair", clause: "1", bonuses: [], lines: [line("Pair", "not (player pair is none)", "11:1")] },
    lucky: { name: "Lucky", clause: "1", bonuses: [], lines: [line("With six", "winner is banker and banker total is 6", "12:1")] },
    wild: { name: "Wild", clause: "1", bonuses: [], lines: [line("Alike", "not (one suit is none) and cards is 4", "50:1")] },
  },
} as unknown as RuleCard;

test("the socket's word goes before the record's, and neither is believed against the letters", () => {
  const one = result("banker"), two = result("player"), other = result("tie");
  const rounds = [recorded(one, 1), recorded(null, 2), recorded(two, 3)];
  expect(merged("BP", [null, null], rounds)).toEqual([one, two]);
  const told = result("player", { player_pair: true });
  expect(merged("BP", [null, told], rounds)).toEqual([one, told]);
  expect(merged("BT", [null, null], rounds)).toEqual([one, null]);
  expect(merged("BT", [null, other], rounds)).toEqual([one, other]);
  expect(merged("", [one], rounds)).toEqual([]);
});

test("special wins are found from the rules, whatever the game calls them", () => {
  const specials = specialWagers(RULES);
  expect(specials).toEqual([{ wager: "lucky", name: "Lucky", mark: "6" }, { wager: "wild", name: "Wild", mark: "W" }]);
  expect(extrasOf(result("banker", { lines: { banker: "Banker wins", lucky: "With six" } }), specials).special).toBe("6");
  expect(extrasOf(result("banker", { lines: { banker: "Banker wins", "a-pair": "Pair" }, player_pair: true }), specials))
    .toEqual({ bankerPair: false, playerPair: true, special: "" });
  expect(extrasOf(null, specials).special).toBe("");
  expect(specialWagers(null)).toEqual([]);
});

test("a shoe is counted", () => {
  const results = [result("banker", { banker_pair: true, lines: { lucky: "With six" } }), result("banker"), null, result("player", { player_pair: true })];
  const found = counted("BBTP", results, specialWagers(RULES));
  expect(found).toMatchObject({ rounds: 4, letters: { B: 2, P: 1, T: 1 }, bankerPairs: 1, playerPairs: 1, longest: { B: 2, P: 1 } });
  expect(found.specials.map((each) => each.count)).toEqual([1, 0]);
  expect(counted("BTBPPP", [], []).longest).toEqual({ B: 2, P: 3 });
});

test("a bound is where what was seen would just be 1.96 deviations away", () => {
  const z = 1.959963984540054;
  for (const [seen, rounds] of [[17, 37], [16, 37], [4, 37], [1, 2], [60, 80]] as const) {
    for (const bound of wilson(seen, rounds)) expect(Math.abs(seen / rounds - bound)).toBeCloseTo(z * Math.sqrt((bound * (1 - bound)) / rounds), 12);
  }
  expect(wilson(0, 10)[1]).toBeCloseTo((z * z) / (10 + z * z), 12);
});

test("a band holds what was seen, and is all there is where nothing was", () => {
  expect(wilson(0, 0)).toEqual([0, 1]);
  for (let rounds = 1; rounds < 60; rounds++) {
    for (let seen = 0; seen <= rounds; seen++) {
      const [low, high] = wilson(seen, rounds);
      expect(low).toBeLessThanOrEqual(seen / rounds);
      expect(high).toBeGreaterThanOrEqual(seen / rounds);
      const [mirrored] = wilson(rounds - seen, rounds);
      expect(1 - high).toBeCloseTo(mirrored, 12);
    }
  }
});

test("exact shares come from when a line holds, not from what it pays", () => {
  const said = (name: string, probability_float: number) => ({ line: name, probability_float, on_top: false, clause: "", pays: "", probability: "" });
  const odds = {
    wagers: {
      banker: { lines: [said("Banker wins with four", 0.1), said("Banker wins", 0.36), said("Returned", 0.09)] },
      player: { lines: [said("Player wins", 0.45)] },
      tie: { lines: [said("Tie", 0.09), { ...said("Tie", 0.01), on_top: true }] },
    },
  } as unknown as OddsSaid;
  const found = exactShares(odds, RULES);
  expect(found?.B).toBeCloseTo(0.46, 12);
  expect(found?.P).toBeCloseTo(0.45, 12);
  expect(found?.T).toBeCloseTo(0.09, 12);
  const without = { wagers: { ...odds.wagers, player: { lines: [] } } } as unknown as OddsSaid;
  expect(exactShares(without, RULES)).toBeNull();
});

test("odds of the usual reading are not given for another table of play", () => {
  const read = (tableau: string) => ({ ...RULES, switches: { tableau: ["usual", "printed"] }, reading: { tableau } }) as unknown as RuleCard;
  expect(isUsuallyDealt(RULES)).toBe(true);
  expect(isUsuallyDealt(read("usual"))).toBe(true);
  expect(isUsuallyDealt(read("printed"))).toBe(false);
});
