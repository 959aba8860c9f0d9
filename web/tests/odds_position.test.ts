import { describe, expect, test } from "vitest";
import {
  cardsInAll, cardsLeft, full, isFull, laid, left, nextSlot, NO_HANDS, ofShoe, onTable, type Position, putBack, readSeen,
  removeText, seenText, takeOut, withDecks,
} from "../src/odds/position.ts";
import { PACK } from "./odds_pack.ts";

const whole: Position = { game: "any-game", decks: 4, out: {}, hands: NO_HANDS };

describe("the shoe", () => {
  test("a card leaves until there is none, and comes back until all are there", () => {
    let now = whole;
    for (let time = 0; time < 6; time++) now = takeOut(now, "9h");
    expect([left(now, "9h"), now.out]).toEqual([0, { "9h": 4 }]);
    for (let time = 0; time < 6; time++) now = putBack(now, "9h");
    expect(now).toEqual(whole);
  });

  test("cards on the table are in no shoe, and cannot be taken out of it", () => {
    const now = laid(takeOut(whole, "9h"), 0, "9h");
    expect([left(now, "9h"), cardsLeft(now, PACK), cardsInAll(now, PACK)]).toEqual([2, 30, 32]);
    expect(isFull(now)).toBe(false);
    expect(isFull(full(now))).toBe(true);
  });

  test("a smaller shoe has lost no more than it had", () => {
    const hands = ["9h", "9h", "9h", null, null, null];
    const now = withDecks({ ...whole, decks: 8, out: { "9h": 5, Ks: 7 }, hands }, 2);
    expect(now.hands).toEqual(["9h", "9h", null, null, null, null]);
    expect(now.out).toEqual({ Ks: 2 });
    expect([left(now, "9h"), left(now, "Ks")]).toEqual([0, 0]);
  });

  test("a table's shoe is what it held before the cards on the table left it", () => {
    const shoe = { "9h": 3, "9s": 4, Ah: 4, As: 4, Th: 4, Ts: 4, Kh: 4, Ks: 0 };
    const now = ofShoe("any-game", 4, PACK, shoe, readSeen("P 9h ? | B ? ?"));
    expect(now.out).toEqual({ "9h": 1, Ks: 4 });
    expect([left(now, "9h"), left(now, "Ks"), left(now, "Ah")]).toEqual([2, 0, 4]);
  });
});

describe("the hands", () => {
  test("what lay on a place goes back when another card is laid there", () => {
    const now = laid(laid(whole, 3, "9h"), 3, "Ks");
    expect([now.hands[3], left(now, "9h"), left(now, "Ks")]).toEqual(["Ks", 4, 3]);
    expect(laid(now, 3, null).hands).toEqual(NO_HANDS);
  });

  test("a card of which there is none is not laid", () => {
    const none = { ...whole, out: { "9h": 4 } };
    expect(laid(none, 0, "9h")).toBe(none);
  });

  test("cards are laid in the order of the deal, and third cards only where they are asked for", () => {
    let now = whole;
    const order: (number | null)[] = [];
    for (let time = 0; time < 5; time++) {
      const slot = nextSlot(now.hands);
      order.push(slot);
      if (slot !== null) now = laid(now, slot, "Kh");
    }
    expect(order).toEqual([0, 3, 1, 4, null]);
    expect(onTable(now.hands, "Kh")).toBe(4);
  });

  test("they are written as the service reads them, and read as it writes them", () => {
    expect(seenText(NO_HANDS)).toBeNull();
    expect(seenText([null, "9h", null, "Ks", null, null])).toBe("P ? 9h | B Ks");
    expect(seenText(["9h", "Ah", "Kh", null, null, null])).toBe("P 9h Ah Kh | B");
    expect(readSeen("P ? 9h | B Ks ?")).toEqual([null, "9h", null, "Ks", null, null]);
    expect(readSeen("P 9h Ah Kh | B 9s As Ks")).toEqual(["9h", "Ah", "Kh", "9s", "As", "Ks"]);
    expect(readSeen(undefined)).toEqual(NO_HANDS);
  });
});

test("cards that left are told one by one", () => {
  expect(removeText({ "9h": 2, Ks: 1 })).toBe("9h 9h Ks");
});
