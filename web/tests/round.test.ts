/** What the page of a round says: why each hand drew, and which step of a verification fails. */
import { describe, expect, test } from "vitest";
import { whySaid } from "../src/round/hands.tsx";
import { type StepName, stepsOf } from "../src/round/steps.ts";
import { whyOf } from "../src/round/why.ts";
import type { RoundSaid, TableauTold, Transcript } from "../src/types/api.ts";
import { handsOf, inDealingOrder } from "../src/verify/tableofplay.ts";
import { verify } from "../src/verify/verify.ts";
import workedExample from "../../tests/fairness/golden/worked-example.json?raw";

const TABLEAU: TableauTold = {
  name: "standard", naturals: "8-9", player_draws: "0-5", banker_draws_when_player_stands: "0-5",
  banker_draws: { "0": "0-9", "1": "0-9", "2": "0-9", "3": "0-7 9", "4": "2-7", "5": "4-7", "6": "6-7", "7": "" },
  clauses: { initial_deal: "1", natural: "2", player_draws: "3", player_stood: "4", banker_draws: "5", winner: "6", tie: "7" },
};
const why = (deal: string) => whyOf(handsOf(deal), TABLEAU).map((line) => `${line.after} ${line.clause}: ${whySaid(line)}`);

describe("why each hand drew or stood", () => {
  test.each([
    ["P Lw Lf 5d | B Sg 3e 3g", ["4 2: Luk + Luk is 0, Sau + 3 is 3: no natural", "5 3: Player on 0 draws: 5, total 5", "6 5: Banker on 3 draws against 5: 3, total 6", "6 6: Banker 6 beats Player 5"]],
    ["P 9s Kd | B 3h 4h", ["4 2: Player has a natural 9, 9 + King: no more cards", "4 6: Player 9 beats Banker 7"]],
    ["P 9s 9d | B 8h Th", ["4 2: Both have a natural, Player 8 and Banker 8: no more cards", "4 7: Both have 8: a tie"]],
    ["P 6s Kd | B Ah 4h Ac", ["4 2: 6 + King is 6, Ace + 4 is 5: no natural", "4 3: Player stands on 6", "5 4: Player stood, so Banker on 5 draws: Ace, total 6", "5 7: Both have 6: a tie"]],
    ["P 6s Kd | B 3h 4h", ["4 2: 6 + King is 6, 3 + 4 is 7: no natural", "4 3: Player stands on 6", "4 4: Player stood, and Banker stands on 7", "4 6: Banker 7 beats Player 6"]],
    ["P 2s Kd 8c | B 3h Kh", ["4 2: 2 + King is 2, 3 + King is 3: no natural", "5 3: Player on 2 draws: 8, total 0", "5 5: Banker stands on 3 against 8", "5 6: Banker 3 beats Player 0"]],
  ])("%s", (deal, lines) => expect(why(deal)).toEqual(lines));

  test("no more is said than the cards on the table tell", () => {
    expect(why("P 2s | B 3h")).toEqual([]);
    expect(why("P 2s Kd | B 3h Kh")).toEqual(["4 2: 2 + King is 2, 3 + King is 3: no natural"]);
    expect(why("P 2s Kd 9c | B 3h Kh")).toHaveLength(2);
  });
});

test("cards come in dealing order", () => {
  expect(inDealingOrder(handsOf("P Lw Lf 5d | B Sg 3e")).map(({ hand, card }) => hand.charAt(0) + card)).toEqual(["pLw", "bSg", "pLf", "b3e", "p5d"]);
  expect(inDealingOrder(handsOf("P | B"))).toEqual([]);
});

describe("a verification of one round, step by step", () => {
  const shoe = () => JSON.parse(workedExample) as Transcript;
  const roundOf = ({ rounds }: Transcript, place: number): RoundSaid => {
    const { number, deal, state, key } = rounds[place]!;
    return { round_in_shoe: place, number, deal, state, key, void: null, corrected: false } as RoundSaid;
  };
  const said = async (changed: Transcript, round: RoundSaid, own: Parameters<typeof stepsOf>[2] = null) => {
    const found = stepsOf(await verify(JSON.stringify({ ...changed, seal: undefined })), round, own);
    const failed = found.steps.filter((step) => step.holds === false).map((step) => step.name);
    return { ...found, failed };
  };
  const { nonces } = shoe().rounds[1]!, [{ patron, nonce, commitment }] = nonces as [(typeof nonces)[0]];
  const own = { patron, nonce: nonce!, commitment, shoe: "salon-863", roundInShoe: 1 };

  test("all of it holds, with one's own number", async () => {
    const found = await said(shoe(), roundOf(shoe(), 1), own);
    expect(found).toMatchObject({ holds: true, failed: [], isOwnThere: true, isServerOnly: false, sentence: null });
    expect(found.steps.map((step) => step.name)).toContain("own");
    expect(await said(shoe(), roundOf(shoe(), 3))).toMatchObject({ holds: true, isServerOnly: true });
  });

  test.each<[string, (changed: Transcript, round: RoundSaid) => void, StepName[], boolean | null]>([
    ["the anchor", (changed) => (changed.anchor = "00".repeat(32)), ["shoe"], false],
    ["a card of the burn", (changed) => (changed.rounds[0]!.drawn[0] = "2c"), ["before"], false],
    ["a number", (changed) => (changed.rounds[1]!.nonces[0]!.nonce = "00".repeat(32)), ["numbers"], false],
    ["the state", (changed) => (changed.rounds[1]!.state = "00".repeat(32)), ["state"], false],
    ["the key", (changed) => (changed.rounds[1]!.key = "00".repeat(32)), ["key"], false],
    ["a card", (changed) => (changed.rounds[1]!.drawn[0] = "2c"), ["draw"], false],
    ["the deal of the record", (_, round) => (round.deal = "P 9c 9d | B Kc Kd"), ["record"], false],
    ["the key of the record", (_, round) => (round.key = "00".repeat(32)), ["record"], false],
    ["a later round", (changed) => (changed.rounds[3]!.drawn[0] = "2c"), ["rest"], true],
    ["a round that is not there yet", (changed) => { changed.rounds.length = 1; delete changed.final; changed.unused_keys = {}; }, [], null],
  ])("%s", async (_, change, failed, holds) => {
    const changed = shoe(), round = roundOf(changed, 1);
    change(changed, round);
    expect(await said(changed, round)).toMatchObject({ failed, holds });
  });

  test("another number than the one this browser made", async () => {
    const other = { ...own, nonce: "00".repeat(32), commitment: "11".repeat(32) };
    expect(await said(shoe(), roundOf(shoe(), 1), other)).toMatchObject({ failed: ["own"], holds: false });
  });
});
