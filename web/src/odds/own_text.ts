/** What a line of a wager of one's own says, in the reader's language. */
import type { PackTold } from "../types/api.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import type { OwnLine, Test } from "./own.ts";

/** A value as people call it: a rank or a suit has a name, a hand of cards its own word. */
export function valueText(fact: string, value: string | number, pack: PackTold): string {
  const kind = pack.facts.find((each) => each.fact === fact)?.kind;
  if (kind === "shared suit") return said(pack.suits.find((suit) => suit.letter === value)?.name ?? String(value));
  if (kind === "shared rank") return said(pack.ranks.find((rank) => rank.letter === value)?.name ?? String(value));
  const text = String(value);
  return typeof value === "number" || kind === "ranks" ? text : said(text.charAt(0).toUpperCase() + text.slice(1));
}

export function factText(fact: string, pack: PackTold): string {
  return said(pack.facts.find((each) => each.fact === fact)?.name ?? fact);
}

export function testText(test: Test, pack: PackTold): string {
  const values = test.is === true ? odds.any() : test.is === false ? odds.none()
    : test.is.map((value) => valueText(test.fact, value, pack)).join(" / ");
  return `${factText(test.fact, pack)} ${test.isNot ? odds.isNot() : odds.is()} ${values}`;
}

export function lineText(line: OwnLine, pack: PackTold): string {
  return line.tests.map((test) => testText(test, pack)).join(` ${odds.and()} `);
}
