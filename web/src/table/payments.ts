/** What a spot of the felt says about its payments, from the lines of the declaration. Pure. */
import type { LineTold, WagerTold } from "../types/api.ts";

/** A payment of so much to so much. */
export interface Ratio {
  pays: number;
  to: number;
}

export interface Printed {
  /** In large print: one ratio, or several to one. */
  ratios: readonly Ratio[];
  /** Lines that pay otherwise, each with its ratio, or null where the stake is returned. */
  besides: readonly { line: string; ratio: Ratio | null }[];
  /** Where several lines are in large print: their labels, in the same order. */
  labels: readonly string[];
  /** Fixed amounts on top, in the smallest unit. */
  amounts: readonly number[];
}

export function ratioOf(line: LineTold): Ratio | null {
  const found = /^(\d+):(\d+)$/.exec(line.pays ?? "");
  return found ? { pays: Number(found[1]), to: Number(found[2]) } : null;
}

const isEven = ({ pays, to }: Ratio) => pays === to;

/** Of the lines the first that holds pays, so that the last one is the usual payment. Where each pays a multiple of the
 * stake they are a scale and are printed together. That a tie returns a wager on a hand is not printed on the felt. */
export function printedPayments(wager: WagerTold): Printed {
  const paying = wager.lines.flatMap((line) => {
    const ratio = ratioOf(line);
    return ratio ? [{ line: line.line, ratio }] : [];
  });
  const pushes = wager.lines.filter((line) => line.pays === "push" && line.when !== "winner is tie");
  const bonuses = wager.bonuses.flatMap((line) => {
    const ratio = ratioOf(line);
    return ratio ? [{ line: line.line, ratio }] : [];
  });
  const amounts = wager.bonuses.flatMap((line) => (line.amount === undefined ? [] : [line.amount]));
  const isScale = paying.length > 1 && paying.every(({ ratio }) => ratio.to === 1 && !isEven(ratio));
  const usual = paying.at(-1);
  return {
    ratios: isScale ? paying.map(({ ratio }) => ratio) : usual ? [usual.ratio] : [],
    besides: [
      ...(isScale ? [] : paying.slice(0, -1)),
      ...pushes.map((line) => ({ line: line.line, ratio: null })),
      ...bonuses,
    ],
    labels: isScale ? paying.map(({ line }) => line) : [],
    amounts,
  };
}

/** A label on the spot of its own wager: `Banker wins with six` is `With six` on Banker, and `Wins with six` when it was
 * paid. */
export function shortened(label: string, name: string, isPaid = false): string {
  const own = new RegExp(isPaid ? `^${escaped(name)} (?=wins\\b)` : `^${escaped(name)} wins,? `, "i");
  const rest = label.replace(own, "").replace(/^with (?=[A-Z])/, "").replace(/^(wins) otherwise$/, "$1");
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Labels that say nearly the same, said once: `Four, five or six cards of one element`; null where they have too
 * little in common. Words are told apart by spaces, so that this serves languages that have them. */
export function gathered(labels: readonly string[], or: string): string | null {
  const split = labels.map((label) => label.split(" "));
  const [first] = split, shortest = Math.min(...split.map((words) => words.length));
  if (!first || split.length < 2) return null;
  let before = 0, behind = 0;
  while (before < shortest && split.every((words) => words[before] === first[before])) before += 1;
  while (behind < shortest - before && split.every((words) => words.at(-1 - behind) === first.at(-1 - behind))) behind += 1;
  if (before + behind < 2) return null;
  const parts = split.map((words) => words.slice(before, words.length - behind).join(" "));
  if (parts.some((part) => !part)) return null;
  const [head, ...rest] = parts.map((part, place) => (place && !before ? part.toLowerCase() : part));
  const list = rest.length === 1 ? `${head} ${or} ${rest[0]}` : `${[head, ...rest.slice(0, -1)].join(", ")} ${or} ${rest.at(-1)}`;
  return [...first.slice(0, before), list, ...(behind ? first.slice(-behind) : [])].join(" ");
}

/** The hand whose tint a spot takes: its own, or that of the hand it begins with. */
export function handOf(wager: string): "P" | "B" | "T" | null {
  return wager === "player" ? "P" : wager === "banker" ? "B" : wager === "tie" ? "T" : null;
}

export function sideOf(wager: string): "P" | "B" | null {
  return wager.startsWith("player-") ? "P" : wager.startsWith("banker-") ? "B" : null;
}
