import { afterEach, expect, test } from "vitest";
import { cardName, codesOf, packOf, pointsOf } from "../src/cards/packs.ts";
import { PIPS } from "../src/cards/shapes.ts";
import { valuesInOrder } from "../src/rules/values.ts";
import { language } from "../src/words/language.ts";

afterEach(() => (language.value = "en"));

test("the packs have 52 and 65 different faces", () => {
  for (const [id, size] of [["52", 52], ["65", 65]] as const) expect(new Set(codesOf(packOf(id))).size).toBe(size);
});

test("every card of either pack has a name of its own in each language", () => {
  for (const each of ["en", "zh-Hans", "zh-Hant"] as const) {
    language.value = each;
    for (const id of ["52", "65"]) {
      const codes = codesOf(packOf(id)), names = codes.map((code) => cardName(code, id));
      expect(new Set(names).size).toBe(codes.length);
      for (const [place, name] of names.entries()) expect(name).not.toBe(codes[place]);
    }
  }
});

test("a letter is another suit in the other pack", () => {
  expect([cardName("9f", "65"), cardName("9d", "65"), cardName("9d", "52"), cardName("Ks", "52"), cardName("Sf", "65")])
    .toEqual(["nine of Fire", "nine of Wood", "nine of Diamonds", "King of Spades", "Sau of Fire"]);
  language.value = "zh-Hant";
  expect(cardName("Td", "52")).toBe("方塊10");
});

test("ace to nine count as printed, all others nothing", () => {
  expect([..."A23456789TJQK"].map((rank) => pointsOf(`${rank}s`, packOf("52")))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]);
  expect([..."SLF"].map((rank) => pointsOf(`${rank}f`, packOf("65")))).toEqual([0, 0, 0]);
});

test("what ranks count stands beside the rank, in the order of the pack", () => {
  for (const [id, pictures] of [["52", ["Jack", "Queen", "King"]], ["65", ["Sau", "Luk", "Fuk"]]] as const) {
    const pack = packOf(id);
    const told = Object.fromEntries(["Ace", "2", "3", "4", "5", "6", "7", "8", "9", "Ten", ...pictures].map((name, place) => [name, place < 9 ? place + 1 : 0]));
    const found = valuesInOrder(told, pack);
    expect(found.map(({ rank }) => rank).join("")).toBe(pack.ranks);
    expect(found.map(({ points }) => points)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]);
    expect(found[0]?.name).toBe("Ace");
  }
});

test("a number has as many pips as it says, none on another", () => {
  for (const [rank, pips] of Object.entries(PIPS)) {
    expect(pips).toHaveLength(rank === "T" ? 10 : Number(rank));
    expect(new Set(pips.map(String)).size).toBe(pips.length);
  }
});
