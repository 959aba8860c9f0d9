/** A wager of one's own: lines of payments and conditions, in the words that the service understands. */
import type { FactTold, PackTold } from "../types/api.ts";

export interface Test {
  fact: string;
  isNot: boolean;
  /** Values of the fact; `true` asks for one at all, `false` for none. */
  is: readonly (string | number)[] | boolean;
}

export interface OwnLine {
  /** A ratio, `40:1`, or `push`. */
  pays: string;
  /** All of them must hold. */
  tests: readonly Test[];
}

export interface OwnWager {
  name: string;
  lines: readonly OwnLine[];
}

export const PUSH = "push";
export const OWN_ID = "own";
const RATIO = /^[1-9]\d{0,8}:[1-9]\d{0,8}$/;

export function isPayment(text: string): boolean {
  return text === PUSH || RATIO.test(text);
}

/** What somebody types for a payment: `40`, `40 to 1` and `40/1` are `40:1`. */
export function readPayment(text: string): string {
  const match = /^\s*(\d+)\s*(?:(?::|\/|to|赔|賠)\s*(\d+))?\s*$/i.exec(text);
  return match ? `${Number(match[1])}:${Number(match[2] ?? 1)}` : text.trim();
}

/** Whether a price can be asked for. */
export function isWhole(own: OwnWager): boolean {
  return own.name.trim() !== "" && own.lines.length > 0 && own.lines.every(
    (line) => isPayment(line.pays) && line.tests.length > 0
      && line.tests.every((test) => typeof test.is === "boolean" || test.is.length > 0),
  );
}

function condition(test: Test): Record<string, unknown> {
  const is = typeof test.is === "boolean" ? test.is : [...test.is];
  return test.isNot ? { not: { [test.fact]: is } } : { [test.fact]: is };
}

/** As a file of wagers of one's own has it. Labels are numbers: what a line says is told in the reader's language. */
export function asked(own: OwnWager): Record<string, unknown> {
  return {
    id: OWN_ID,
    name: own.name,
    lines: own.lines.map((line, place) => ({
      label: `Line ${place + 1} of ${OWN_ID}`, pays: line.pays, when: { all: line.tests.map(condition) },
    })),
  };
}

/** What somebody types for the ranks of a hand, in the order of the pack; null where it is no hand. */
export function readRanks(text: string, pack: PackTold): string | null {
  const order = pack.ranks.map((rank) => rank.letter);
  const letters = [...text.toUpperCase().replace(/10/g, "T").replace(/[^0-9A-Z]/g, "")];
  if (letters.length < 2 || letters.length > 3 || letters.some((letter) => !order.includes(letter))) return null;
  return letters.sort((one, other) => order.indexOf(one) - order.indexOf(other)).join("");
}

/** A first condition on a fact: that there is one at all, or what somebody is still to choose. */
export function firstTest(fact: FactTold): Test {
  return { fact: fact.fact, isNot: false, is: fact.may_be_none ? true : [] };
}

// In an address: lines apart by `~`, payment and conditions by `,`, a fact and its values by `:`.

const ANY = "*", NONE = "-", NOT = "!";

export function written(own: OwnWager): string {
  return own.lines.map((line) => [
    line.pays,
    ...line.tests.map((test) => {
      const is = test.is === true ? ANY : test.is === false ? NONE : test.is.join(":");
      return `${test.isNot ? NOT : ""}${test.fact}:${is}`;
    }),
  ].join(",")).join("~");
}

export function read(name: string, text: string): OwnWager | null {
  const lines = text.split("~").map((part): OwnLine | null => {
    const [pays = "", ...conditions] = part.split(",");
    const tests = conditions.map((each): Test | null => {
      const match = /^(!?)([a-z_]+):(.+)$/.exec(each);
      if (!match) return null;
      const values = (match[3] as string).split(":");
      const is = match[3] === ANY ? true : match[3] === NONE ? false : values;
      return { fact: match[2] as string, isNot: match[1] === NOT, is };
    });
    return isPayment(pays) && tests.every((test) => test !== null) ? { pays, tests: tests as Test[] } : null;
  });
  const own = { name, lines: lines as OwnLine[] };
  return lines.every((line) => line !== null) && isWhole(own) ? own : null;
}

/** With values as the fact has them, which an address writes as text; null where the game's pack has no such word. */
export function fitted(own: OwnWager, pack: PackTold): OwnWager | null {
  const lines = own.lines.map((line) => {
    const tests = line.tests.map((test): Test | null => {
      const fact = pack.facts.find((each) => each.fact === test.fact);
      if (!fact) return null;
      if (typeof test.is === "boolean") return fact.may_be_none ? test : null;
      const values = test.is.map((text) => (fact.kind === "ranks"
        ? readRanks(String(text), pack)
        : fact.values.find((value) => String(value) === String(text)) ?? null));
      return values.every((value) => value !== null) ? { ...test, is: values as (string | number)[] } : null;
    });
    return tests.every((test) => test !== null) ? { ...line, tests: tests as Test[] } : null;
  });
  return lines.every((line) => line !== null) ? { ...own, lines: lines as OwnLine[] } : null;
}
