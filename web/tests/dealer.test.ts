import { expect, test } from "vitest";
import { codesOf, packOf } from "../src/cards/packs.ts";
import { course, mainStep } from "../src/dealer/course.ts";
import { after, NOTHING, read } from "../src/dealer/typed.ts";
import type { TableState } from "../src/table/model.ts";

const typing = (keys: string, pack: string) => [...keys].reduce((typed, key) => after(typed, key, packOf(pack)), NOTHING);

test.each(["52", "65"])("every card of the pack of %s is typed by its rank and its suit, in either case", (id) => {
  for (const card of codesOf(packOf(id))) {
    expect(typing(card, id).card).toBe(card);
    expect(typing(card.toLowerCase(), id).card).toBe(card);
    if (card.startsWith("T")) expect(typing(`10${card.charAt(1)}`, id).card).toBe(card);
  }
});

test("half a card awaits its other half, and what can mean nothing changes nothing", () => {
  expect(typing("3", "65")).toEqual({ text: "3", rank: "3", card: null });
  expect(typing("1", "52")).toEqual({ text: "1", rank: null, card: null });
  expect(typing("3z", "52").text).toBe("3");
  expect(typing("zz", "52")).toEqual(NOTHING);
  expect(after(typing("3", "52"), "Escape", packOf("52"))).toEqual(NOTHING);
  expect(after(typing("10", "52"), "Backspace", packOf("52")).text).toBe("1");
  expect(after(typing("3", "52"), "Shift", packOf("52")).text).toBe("3");
  expect(read("3hh", packOf("52"))).toBeNull();
});

const at = (phase: string, player: string[], banker: string[], due: string | null): TableState =>
  ({ phase, due, deal: { player, banker, player_total: 0, banker_total: 0 } }) as unknown as TableState;

test("of the stations of a round one is now, and a third card that nobody draws is left out", () => {
  expect(course(at("ready", [], [], null)).bets).toBe("now");
  expect(course(at("betting", [], [], null)).noMore).toBe("now");
  expect(course(at("dealing", ["9s"], [], "banker")).firstFour).toBe("now");
  const third = course(at("dealing", ["2s", "3s"], ["2h", "3h"], "player"));
  expect([third.playerThird, third.bankerThird, third.confirm]).toEqual(["now", "ahead", "ahead"]);
  const banker = course(at("dealing", ["2s", "4s"], ["2h", "3h"], "banker"));
  expect([banker.playerThird, banker.bankerThird]).toEqual(["left out", "now"]);
  const natural = course(at("complete", ["9s", "Ks"], ["2h", "3h"], null));
  expect([natural.playerThird, natural.bankerThird, natural.confirm]).toEqual(["left out", "left out", "now"]);
  expect(course(at("announced", ["9s", "Ks"], ["2h", "3h"], null)).settle).toBe("now");
});

test("a paused table is resumed before anything else is done, and what only stands beside is never the main step", () => {
  expect(mainStep([{ do: "deal", hand: "player" }, { do: "resume" }])?.do).toBe("resume");
  expect(mainStep([{ do: "undo-card" }, { do: "deal", hand: "banker" }])?.do).toBe("deal");
  expect(mainStep([{ do: "undo-card" }, { do: "pause" }, { do: "end-shoe" }])).toBeNull();
});
