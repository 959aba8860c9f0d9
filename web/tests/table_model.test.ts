import { expect, test } from "vitest";
import { after, type TableState, withLast } from "../src/table/model.ts";
import type { Hands, RoundSaid, SocketEvent, SocketMessage, TableShown } from "../src/types/api.ts";

const NO_CARDS: Hands = { player: [], banker: [], player_total: 0, banker_total: 0 };
const SHOWN: TableShown = {
  id: "one", name: "One", game: "g", dealing: "virtual", decks: 8, phase: "ready", paused: null, shoe: 3, round: 41,
  currency: "CHIPS", limits: { banker: { minimum: 10, maximum: 1000, step: 10 } }, patron_limit: null, table_limit: null,
  house_limit: null, rules_digest: "d", results: "BPT", closes_at: null, patrons: 1, watching: 1, trouble: null,
  spots: { banker: { stake: 0, patrons: 0 } }, deal: NO_CARDS, due: null, cards_left: 300, rounds_left: null,
  committed: { shoe: "s3", anchor: "aa", signature: null, public_key: null, round_in_shoe: 5 },
  stakes: {}, balance: 1000, you: "me",
};
const snapshot = (over: Partial<TableShown> = {}, version = 100): SocketMessage =>
  ({ type: "snapshot", version, time: 1000, build: "b", table: { ...SHOWN, ...over } });
/** Messages as the service sends them, with the numbers that every one has. */
function told(state: TableState | null, ...messages: readonly (Record<string, unknown> & { event: string })[]): TableState {
  let now = state;
  for (const message of messages) {
    now = after(now, { type: "event", version: (now?.version ?? 0) + 1, time: 2000, ...message } as unknown as SocketEvent);
  }
  return now as TableState;
}
const begun = after(null, snapshot()) as TableState;
const OPENED = { event: "betting-opened", round: 42, rules_digest: "d", round_in_shoe: 6, shoe_id: "s3", closes_at: 17_000 };
const CLOSED = { event: "betting-closed", round: 42, spots: { banker: { stake: 50, patrons: 1 } }, due: "player" };
const RESULT = { winner: "banker", player_total: 5, banker_total: 6, player_pair: false, banker_pair: false, lines: {} };
const SETTLED = {
  event: "round-settled", round: 42, deal: "P .. | B ..", result: RESULT, results: "BPTB", net: 25, moved: 75, balance: 1025,
  wagers: { banker: { stake: 50, net: 25, pays: [{ line: "Banker wins with six", clause: "4.1", amount: 25 }] } },
};
const card = (hand: string, deal: Partial<Hands>, why: string[], due: string | null) =>
  ({ event: "card-dealt", round: 42, hand, card: "9f", deal: { ...NO_CARDS, ...deal }, why: why.map((sentence) => ({ sentence, clause: "3.9" })), due });

test("a round from its opening to its payment", () => {
  const open = told(begun, OPENED);
  expect(open).toMatchObject({ phase: "betting", round: 42, closes_at: 17_000, opensFor: 15, stakes: {} });
  expect(open.committed?.round_in_shoe).toBe(6);
  const staked = after(open, { type: "accepted", id: "x", version: open.version + 1, time: 3000, stakes: { banker: 50 }, balance: 950 }) as TableState;
  expect(staked).toMatchObject({ stakes: { banker: 50 }, balance: 950 });
  const over = told(staked, CLOSED, SETTLED);
  expect(over).toMatchObject({ phase: "ready", stakes: {}, balance: 1025, results: "BPTB", lastSlip: { banker: 50 } });
  expect(over.end).toMatchObject({ round: 42, net: 25, stakes: { banker: 50 } });
  const next = told({ ...over, version: over.version }, { ...OPENED, round: 43, time: 6000 });
  expect(next).toMatchObject({ end: null, stakes: {}, lastSlip: { banker: 50 }, restsFor: 4000 });
});

test("an answer that comes behind the close still counts, and one of a round that is over does not", () => {
  const open = told(begun, OPENED), closed = told(open, { ...CLOSED, version: open.version + 5 });
  const late: SocketMessage = { type: "accepted", id: "x", version: open.version + 2, time: 3000, stakes: { banker: 50 }, balance: 950 };
  expect(after(closed, late)).toMatchObject({ stakes: { banker: 50 }, balance: 950 });
  const over = told(closed, SETTLED);
  expect(after(over, late)).toMatchObject({ stakes: {}, balance: 1025 });
});

test("what another tab did comes as one's own", () => {
  const open = told(begun, OPENED);
  const own = after(open, { type: "own", version: open.version + 3, time: 1, stakes: { banker: 70 }, balance: 930 }) as TableState;
  expect(own).toMatchObject({ stakes: { banker: 70 }, balance: 930 });
  expect(after(own, { type: "accepted", id: "x", version: open.version + 1, time: 1, stakes: { banker: 50 }, balance: 950 })?.stakes).toEqual({ banker: 70 });
});

test("the reasons of a round are gathered, and go with a card that is taken back", () => {
  const two = { player: ["Lw", "Lf"], banker: ["Sg", "3e"], player_total: 0, banker_total: 3 };
  const four = told(begun, OPENED, CLOSED, card("banker", two, ["the Player draws on 0"], "player"));
  expect(four.firstTotals).toEqual({ playerTotal: 0, bankerTotal: 3 });
  const five = told(four, card("player", { ...two, player: ["Lw", "Lf", "5d"], player_total: 5 }, ["the Banker draws on 3"], "banker"));
  const six = told(five, card("banker", { ...two, player: ["Lw", "Lf", "5d"], banker: ["Sg", "3e", "3g"] }, ["both hands are complete"], null));
  expect(six.reasons.map((reason) => reason.sentence)).toEqual(["the Player draws on 0", "the Banker draws on 3"]);
  expect(six).toMatchObject({ phase: "complete", firstTotals: { playerTotal: 0, bankerTotal: 3 } });
  const back = told(five, { ...card("player", two, ["the Player draws on 0"], "player"), event: "card-taken-back" });
  expect(back.reasons.map((reason) => reason.sentence)).toEqual(["the Player draws on 0"]);
});

test("a void round gives back what lay on it, also when it was paid already", () => {
  const staked = { ...told(begun, OPENED), stakes: { banker: 50 } };
  const voided = { event: "round-voided", round: 42, irregularity: "wrong card", clause: "5.2", note: "n", results: "BPT", moved: 0, balance: 1000 };
  expect(told(staked, voided).end).toMatchObject({ void: { clause: "5.2" }, stakes: { banker: 50 } });
  expect(told(staked, voided)).toMatchObject({ stakes: {}, lastSlip: { banker: 50 } });
  expect(told(staked, CLOSED, SETTLED, voided).end).toMatchObject({ stakes: { banker: 50 }, wagers: {} });
});

test("whoever loads the page between two rounds is told how the last one ended", () => {
  const said = {
    number: 41, time: 900, deal: "P 9s Kd | B 3h 4h 2c", player_total: 9, banker_total: 9, winner: "tie", void: null,
    wagers: { banker: { stake: 20, net: 0, pays: [] } },
  } as unknown as RoundSaid;
  const known = withLast(begun, said);
  expect(known.end).toMatchObject({ round: 41, net: 0, stakes: { banker: 20 }, result: { winner: "tie" } });
  expect(known.deal).toEqual({ player: ["9s", "Kd"], banker: ["3h", "4h", "2c"], player_total: 9, banker_total: 9 });
  expect(known.lastSlip).toEqual({ banker: 20 });
  // In a round that runs only the slip is taken over, to repeat it.
  const open = withLast(told(begun, OPENED), said);
  expect(open.end).toBeNull();
  expect(open.lastSlip).toEqual({ banker: 20 });
});

test("a snapshot of the same round keeps what was told of it, one of another patron forgets the slip", () => {
  const staked = told(begun, OPENED, CLOSED, SETTLED);
  const again = after(staked, snapshot({ round: 42 }, staked.version)) as TableState;
  expect(again.end?.round).toBe(42);
  expect(again.lastSlip).toEqual({ banker: 50 });
  expect((after(staked, snapshot({ round: 42, you: "other" }, staked.version)) as TableState).lastSlip).toEqual({});
});
