import { describe, expect, test } from "vitest";
import { packOf } from "../src/cards/packs.ts";
import { examples, ranksFor, stumblingCell } from "../src/learn/examples.ts";
import { optionsOf, reasonsOf, stagesOf } from "../src/learn/explained.ts";
import { type Deal, factsOf, pointsIn, readCondition } from "../src/learn/facts.ts";
import { dealt, type Dice, exerciseOf, nextExercise, OPENINGS, openingOf, schoolOf } from "../src/learn/school.ts";
import { counted, NOTHING_ASKED, readScore } from "../src/learn/score.ts";
import { cellInFigures, decide, digits, readTableau, totalOf } from "../src/learn/tableau.ts";
import type { RuleCard } from "../src/types/api.ts";
import settled from "./settled-deals.json" with { type: "json" };

/** Rule cards as the service tells them, and deals that the package has settled. */
const GAMES = settled as unknown as {
  card: RuleCard;
  deals: Record<string, Record<string, [number, ...number[]]>>;
}[];

function dice(seed: number): Dice {
  return () => (seed = (seed * 48271) % 2147483647) / 2147483647;
}

function read(text: string): Deal {
  const [player = "", banker = ""] = text.split("|").map((hand) => hand.trim().slice(2));
  return { player: player.split(" "), banker: banker.split(" ") };
}

test("a cell of the tableau is what it says", () => {
  expect([...digits("0-4 6")]).toEqual([0, 1, 2, 3, 4, 6]);
  expect([...digits("7")]).toEqual([7]);
  expect(digits("").size).toBe(0);
  expect(cellInFigures("0-7 9")).toBe("0–7, 9");
});

describe.each(GAMES)("$card.game, $card.tableau.name", ({ card, deals }) => {
  const school = schoolOf(card), told = card.tableau;

  test("who draws follows its own strings, for all totals and third cards", () => {
    const tableau = readTableau(told);
    for (let player = 0; player <= 9; player++) {
      for (let banker = 0; banker <= 9; banker++) {
        const now = decide(tableau, [0, player], [9, (banker + 1) % 10]);
        const isNatural = digits(told.naturals).has(player) || digits(told.naturals).has(banker);
        if (isNatural) expect(now).toEqual({ hand: null, rule: "natural" });
        else if (digits(told.player_draws).has(player)) expect(now).toEqual({ hand: "player", rule: "player_draws" });
        else expect(now).toEqual({ hand: digits(told.banker_draws_when_player_stands).has(banker) ? "banker" : null, rule: "player_stood" });
        if (isNatural) continue;
        for (let third = 0; third <= 9; third++) {
          const draws = digits(told.banker_draws[String(banker)] ?? "").has(third);
          expect(decide(tableau, [0, player, third], [0, banker])).toEqual({ hand: draws ? "banker" : null, rule: "banker_draws" });
        }
        expect(decide(tableau, [0, player], [0, banker, 5]).rule).toBe("complete");
      }
    }
  });

  test("every wager is understood, and every line is what the package makes of it", () => {
    expect(school.wagers.map(({ id }) => id)).toEqual(Object.keys(card.wagers));
    expect(Object.keys(deals).length).toBeGreaterThan(8);
    for (const [text, paid] of Object.entries(deals)) {
      const facts = factsOf(read(text), school.pack);
      for (const { id, wager, outcome } of school.wagers) {
        const { line, bonuses } = outcome(facts), [place, ...onTop] = paid[id] ?? [];
        expect(line, `${id} of ${text}`).toBe(place === undefined ? null : wager.lines[place]);
        expect(bonuses, `${id} of ${text}`).toEqual(onTop.map((each) => wager.bonuses[each]));
      }
    }
  });

  test("every question has one right answer of two to four, and every answer its clause", () => {
    const roll = dice(5);
    for (let times = 0; times < 150; times++) {
      const exercise = nextExercise(school, roll);
      for (const stage of stagesOf(exercise, "everything")) {
        const options = optionsOf(stage, exercise, school), texts = options.map(({ text }) => text);
        expect(options.filter(({ isRight }) => isRight), `${stage} ${texts}`).toHaveLength(1);
        expect(new Set(texts).size).toBe(texts.length);
        expect(texts.length >= 2 && texts.length <= 4).toBe(true);
        const reasons = reasonsOf(stage, exercise, school);
        expect(reasons.length).toBeGreaterThan(0);
        for (const { sentence, clause } of reasons) expect([sentence, clause].every(Boolean)).toBe(true);
      }
      expect(stagesOf(exercise, "draws")).not.toContain("paid");
      expect(stagesOf(exercise, "payments")).toEqual(["paid"]);
    }
  });

  test("what the coach shows is so", () => {
    for (let total = 0; total <= 9; total++) expect(totalOf(pointsIn(examples(ranksFor(total), school.pack), school.pack))).toBe(total);
    const { banker, third } = stumblingCell(told), draws = digits(told.banker_draws[String(banker)] ?? "");
    expect(draws.size > 0 && !draws.has(third)).toBe(true);
  });

  test("exercises are lawful deals, and of every opening", () => {
    const roll = dice(7), seen = new Set<string>();
    for (let times = 0; times < 150; times++) {
      const { deal, opening, bankerDraws, winner, paid } = nextExercise(school, roll);
      const points = [pointsIn(deal.player, school.pack), pointsIn(deal.banker, school.pack)] as const;
      expect(decide(school.tableau, ...points).hand).toBeNull();
      expect(deal.player.length + deal.banker.length).toBe(
        4 + (opening === "player" ? 1 + (bankerDraws ? 1 : 0) : opening === "banker" ? 1 : 0),
      );
      const [player, banker] = points.map(totalOf) as [number, number];
      expect(winner).toBe(player === banker ? "tie" : player > banker ? "player" : "banker");
      expect(paid).not.toBeNull();
      seen.add(opening);
    }
    expect([...seen].sort()).toEqual([...OPENINGS].sort());
  });
});

test("cards come no more often than the decks have them", () => {
  const [{ card }] = GAMES as [(typeof GAMES)[number]];
  const school = schoolOf({ ...card, decks: { minimum: 1, maximum: 1, default: 1 } }), roll = dice(3);
  for (let times = 0; times < 300; times++) {
    const deal = dealt(school, roll), cards = [...deal.player, ...deal.banker];
    expect(new Set(cards).size).toBe(cards.length);
  }
});

test("an opening is read from the first two cards of each hand", () => {
  const [{ card }] = GAMES as [(typeof GAMES)[number]];
  const school = schoolOf(card);
  expect(openingOf(school, read("P 2c 3d 9h | B Kc 3d 4s"))).toBe("player");
  expect(exerciseOf(school, read("P 2c 4d | B Kc 5d 4s"), null)).toMatchObject({ opening: "banker", bankerDraws: null, winner: "banker", paid: null });
});

describe("conditions", () => {
  const facts = factsOf(read("P 9f Tf | B 4d 4w"), packOf("65"));
  const known = new Set(facts.keys());
  const holds = (text: string) => readCondition(text, known)?.(facts);

  test.each([
    ["winner is player", true], ["winner is banker or player", true], ["winner is tie or banker total is 8", true],
    ["player total is 8 or 9 and banker total is 8", true], ["not (player suit is none)", true], ["banker pair is 4 and banker suit is none", true],
    ["not (winner is player or winner is tie)", false], ["winner is tie and (cards is 4 or cards is 5)", false],
    ["winner is tie or player cards is 2 and player suit is g", false], ["player ranks is 9T", true],
  ])("%s", (text, expected) => expect(holds(text)).toBe(expected));

  test.each(["", "luck is good", "winner is player and", "(winner is player", "winner player", "not winner is player"])(
    "%j is not understood rather than guessed", (text) => expect(readCondition(text, known)).toBeNull(),
  );
});

test("a score counts, keeps its best streak, and believes nothing that cannot be one", () => {
  const after = [true, true, false, true].reduce(counted, NOTHING_ASKED);
  expect(after).toEqual({ asked: 4, right: 3, streak: 1, best: 2 });
  expect(readScore(JSON.stringify(after))).toEqual(after);
  for (const text of [null, "", "[]", "null", '{"asked":1,"right":2,"streak":0,"best":0}', '{"asked":"1"}']) expect(readScore(text)).toEqual(NOTHING_ASKED);
});
