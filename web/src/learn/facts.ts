/** The facts of a finished deal, and the conditions over them in which the lines of a rule card are told. Pure. */
import { type Pack, pointsOf } from "../cards/packs.ts";
import { totalOf } from "./tableau.ts";

/** The codes of both hands, in the order dealt. */
export interface Deal {
  player: readonly string[];
  banker: readonly string[];
}

export type Winner = "player" | "banker" | "tie";
/** By the name that a condition uses; `none` where there is no such thing. */
export type Facts = ReadonlyMap<string, string>;

export const pointsIn = (hand: readonly string[], pack: Pack): number[] => hand.map((code) => pointsOf(code, pack));

function shared(letters: readonly string[]): string {
  const [first = "none"] = letters;
  return letters.every((letter) => letter === first) ? first : "none";
}

export function winnerOf(player: number, banker: number): Winner {
  return player === banker ? "tie" : player > banker ? "player" : "banker";
}

export function factsOf(deal: Deal, pack: Pack): Facts {
  const totals = { player: totalOf(pointsIn(deal.player, pack)), banker: totalOf(pointsIn(deal.banker, pack)) };
  const found = new Map<string, string>([
    ["winner", winnerOf(totals.player, totals.banker)],
    ["cards", String(deal.player.length + deal.banker.length)],
    ["one suit", shared([...deal.player, ...deal.banker].map((code) => code.charAt(1)))],
  ]);
  for (const hand of ["player", "banker"] as const) {
    const ranks = deal[hand].map((code) => code.charAt(0)), suits = deal[hand].map((code) => code.charAt(1));
    found.set(`${hand} total`, String(totals[hand]));
    found.set(`${hand} cards`, String(ranks.length));
    found.set(`${hand} pair`, shared(ranks.slice(0, 2)));
    found.set(`${hand} suit`, shared(suits.slice(0, 2)));
    found.set(`${hand} ranks`, ranks.sort((one, other) => pack.ranks.indexOf(one) - pack.ranks.indexOf(other)).join(""));
  }
  return found;
}

export type Condition = (facts: Facts) => boolean;

/** A condition as the service prints it: `winner is banker and banker total is 6 or 7`, with `not (..)` and brackets.
 * Null where a word is not understood: whoever asks then leaves the line alone rather than guess. */
export function readCondition(text: string, known: ReadonlySet<string>): Condition | null {
  const words: readonly string[] = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  /** The name of a fact that begins here and is followed by `is`. */
  function factAt(place: number): string | null {
    const end = words.indexOf("is", place);
    const name = end > place ? words.slice(place, end).join(" ") : "";
    return known.has(name) ? name : null;
  }
  function comparison(): Condition | null {
    const name = factAt(at);
    if (name === null) return null;
    at = words.indexOf("is", at) + 1;
    const values = new Set([words[at++] ?? ""]);
    // `or` leads to another value, or to another condition.
    while (words[at] === "or" && words[at + 1] !== "(" && words[at + 1] !== "not" && factAt(at + 1) === null) {
      values.add(words[at + 1] ?? "");
      at += 2;
    }
    return (facts) => values.has(facts.get(name) ?? "");
  }
  function part(): Condition | null {
    const isNot = words[at] === "not";
    if (isNot) at++;
    if (words[at] !== "(") return isNot ? null : comparison();
    at++;
    const within = either();
    if (within === null || words[at++] !== ")") return null;
    return isNot ? (facts) => !within(facts) : within;
  }
  function series(word: string, one: () => Condition | null, join: (parts: Condition[]) => Condition): Condition | null {
    const parts: Condition[] = [];
    do {
      const found = one();
      if (found === null) return null;
      parts.push(found);
    } while (words[at] === word && ++at);
    return join(parts);
  }
  const all = () => series("and", part, (parts) => (facts) => parts.every((each) => each(facts)));
  const either = (): Condition | null => series("or", all, (parts) => (facts) => parts.some((each) => each(facts)));

  const found = either();
  return at === words.length ? found : null;
}
