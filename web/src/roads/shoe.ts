/** What is known of the rounds of a shoe, and what can be counted of them. Pure. */
import type { OddsSaid, RoundOfShoe, RoundResult, RuleCard } from "../types/api.ts";
import { type Extras, NO_EXTRAS } from "./drawn.tsx";
import type { Letter } from "./roads.ts";

export const LETTER_OF: Readonly<Record<RoundResult["winner"], Letter>> = { banker: "B", player: "P", tie: "T" };
const HANDS = ["banker", "player", "tie"] as const;

/** What the socket told, and for rounds before that what the record says; the letters are always the latest.
 * A result that does not have its letter was corrected since, and is not believed. */
export function merged(
  letters: string, told: readonly (RoundResult | null)[], recorded: readonly RoundOfShoe[],
): (RoundResult | null)[] {
  const counted = recorded.filter((each) => !each.void && each.result !== null);
  return [...letters].map((letter, place) => {
    for (const known of [told[place], counted[place]?.result]) if (known && LETTER_OF[known.winner] === letter) return known;
    return null;
  });
}

export interface SpecialWager {
  wager: string;
  name: string;
  /** One letter or figure: the total that it asks for, or how its name begins. */
  mark: string;
}

/** The wagers of a game that pay on something rare: not on who wins, and not on a pair, which has a dot. */
export function specialWagers(rules: RuleCard | null, named: (english: string) => string = (name) => name): SpecialWager[] {
  const found: SpecialWager[] = [];
  for (const [wager, { name, lines }] of Object.entries(rules?.wagers ?? {})) {
    if (HANDS.includes(wager as (typeof HANDS)[number]) || lines.every((line) => /\bpair is\b/.test(line.when))) continue;
    const totals = new Set(lines.map((line) => /\btotal is (\d)\b/.exec(line.when)?.[1]));
    const [only] = totals;
    found.push({ wager, name, mark: totals.size === 1 && only ? only : ([...named(name)][0] ?? "") });
  }
  return found;
}

export function extrasOf(result: RoundResult | null | undefined, specials: readonly SpecialWager[]): Extras {
  if (!result) return NO_EXTRAS;
  return {
    bankerPair: result.banker_pair,
    playerPair: result.player_pair,
    special: specials.find(({ wager }) => wager in result.lines)?.mark ?? "",
  };
}

/** The total of the winning hand; on a tie that of either. */
export function winningTotal(result: RoundResult): number {
  return result.winner === "player" ? result.player_total : result.banker_total;
}

export interface Counts {
  rounds: number;
  letters: Readonly<Record<Letter, number>>;
  bankerPairs: number;
  playerPairs: number;
  longest: Readonly<Record<"B" | "P", number>>;
  specials: readonly { special: SpecialWager; count: number }[];
}

export function counted(letters: string, results: readonly (RoundResult | null)[], specials: readonly SpecialWager[]): Counts {
  const of = (letter: Letter) => [...letters].filter((each) => each === letter).length;
  const those = (holds: (result: RoundResult) => boolean) => results.filter((each) => each !== null && holds(each)).length;
  const longest = (letter: "B" | "P") =>
    letters.replaceAll("T", "").split(letter === "B" ? "P" : "B").reduce((most, run) => Math.max(most, run.length), 0);
  return {
    rounds: letters.length,
    letters: { B: of("B"), P: of("P"), T: of("T") },
    bankerPairs: those((each) => each.banker_pair),
    playerPairs: those((each) => each.player_pair),
    longest: { B: longest("B"), P: longest("P") },
    specials: specials.map((special) => ({ special, count: those((each) => special.wager in each.lines) })),
  };
}

/** Where a share lies with 95% confidence, from so many seen of so many (Wilson): it never leaves 0 to 1. */
export function wilson(seen: number, rounds: number, z = 1.959963984540054): [low: number, high: number] {
  if (rounds === 0) return [0, 1];
  const share = seen / rounds, square = (z * z) / rounds;
  const centre = (share + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / rounds + square / (4 * rounds));
  // At none and at all the bounds are 0 and 1 but for rounding.
  return [seen === 0 ? 0 : Math.max(0, centre - half), seen === rounds ? 1 : Math.min(1, centre + half)];
}

/** How likely each result is, from the lines of the three wagers on it; null where they do not say it exactly. */
export function exactShares(odds: OddsSaid, rules: RuleCard): Readonly<Record<Letter, number>> | null {
  const shares: Record<Letter, number> = { B: 0, P: 0, T: 0 };
  for (const hand of HANDS) {
    const lines = rules.wagers[hand]?.lines ?? [];
    // A line may return the stake although its hand wins: what counts is when it holds, not what it pays.
    for (const { line, on_top, probability_float } of odds.wagers[hand]?.lines ?? []) {
      const when = lines.find((each) => each.line === line)?.when;
      if (!on_top && when?.startsWith(`winner is ${hand}`)) shares[LETTER_OF[hand]] += probability_float;
    }
  }
  return Math.abs(shares.B + shares.P + shares.T - 1) < 1e-9 ? shares : null;
}

/** Whether the odds of the game, which are those of its usual reading, are those of this table too. */
export function isUsuallyDealt(rules: RuleCard): boolean {
  const ways = rules.switches["tableau"];
  return !ways || rules.reading["tableau"] === ways[0];
}
