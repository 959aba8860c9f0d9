/** Why an answer is right: a sentence and the clause it rests on. */
import { rules } from "../words/rules.ts";
import { learn } from "../words/learn.ts";
import { said } from "../words/said.ts";
import { paymentWords } from "../rules/payments.ts";
import { pointsIn } from "./facts.ts";
import type { Outcome } from "./outcome.ts";
import type { Exercise, Opening, School } from "./school.ts";
import { cellInFigures, totalOf } from "./tableau.ts";

export interface Reason {
  sentence: string;
  clause: string | null;
}

/** What is asked of a deal, in this order. */
export type Stage = "opening" | "third" | "winner" | "paid";
export type Asking = "everything" | "draws" | "payments";

export function stagesOf(exercise: Exercise, asking: Asking): Stage[] {
  const draws: Stage[] = exercise.bankerDraws === null ? ["opening"] : ["opening", "third"];
  const paid: Stage[] = exercise.paid ? ["paid"] : [];
  // A game none of whose wagers can be asked still has draws to learn.
  if (asking === "payments" && paid.length) return paid;
  return asking === "draws" ? draws : [...draws, "winner", ...paid];
}

export const OPENING_WORDS: Record<Opening, () => string> = {
  natural: learn.naturalOption, player: learn.playerOption, banker: learn.bankerOption, stand: learn.standOption,
};
export const WINNER_WORDS = { player: learn.playerWins, banker: learn.bankerWins, tie: learn.tieWins } as const;

/** A payment with all that comes on top of it. */
export function outcomeWords({ line, bonuses }: Outcome): string {
  if (line === null) return rules.lost();
  return bonuses.reduce((one, bonus) => learn.and({ one, other: paymentWords(bonus) }), paymentWords(line));
}

export interface Option {
  text: string;
  isRight: boolean;
}

const MOST_OPTIONS = 4;

/** The payments to choose from: the wager's own, returned and lost, and others of the game where that is too easy. */
function paymentOptions(school: School, exercise: Exercise): Option[] {
  const { paid } = exercise;
  if (!paid) return [];
  const answer = outcomeWords(paid.outcome);
  const own = [...new Set(paid.wager.wager.lines.map((line) => paymentWords(line)))];
  const others = school.wagers.flatMap(({ wager }) => wager.lines.map((line) => paymentWords(line)));
  const always = [answer, rules.lost(), rules.push()];
  const found = new Set(always.slice(0, 2));
  for (const text of [...own, rules.push(), ...others]) if (found.size < MOST_OPTIONS) found.add(text);
  // In an order that gives nothing away: payments as they are printed, then returned, then lost.
  const order = [...new Set([...own, ...others, answer])].filter((text) => !always.slice(1).includes(text));
  return [...order, rules.push(), rules.lost()]
    .filter((text) => found.has(text))
    .map((text) => ({ text, isRight: text === answer }));
}

export function optionsOf(stage: Stage, exercise: Exercise, school: School): Option[] {
  if (stage === "paid") return paymentOptions(school, exercise);
  if (stage === "third") {
    return [true, false].map((draws) => ({ text: draws ? learn.bankerDraws() : learn.bankerStands(), isRight: draws === exercise.bankerDraws }));
  }
  if (stage === "winner") {
    return (["player", "tie", "banker"] as const).map((each) => ({ text: WINNER_WORDS[each](), isRight: each === exercise.winner }));
  }
  return (["natural", "player", "banker", "stand"] as const).map((each) => ({ text: OPENING_WORDS[each](), isRight: each === exercise.opening }));
}

function openingReasons({ deal, opening }: Exercise, { card: { tableau }, pack, tableau: cells }: School): Reason[] {
  const player = totalOf(pointsIn(deal.player.slice(0, 2), pack)), banker = totalOf(pointsIn(deal.banker.slice(0, 2), pack));
  const { clauses } = tableau, drawsOn = cellInFigures(tableau.player_draws);
  if (opening === "natural") {
    const isBoth = cells.naturals.has(player) && cells.naturals.has(banker), isPlayers = cells.naturals.has(player);
    const one = { hand: isPlayers ? learn.theHandPlayer() : learn.theHandBanker(), total: isPlayers ? player : banker };
    return [{ sentence: isBoth ? learn.whyNaturals({ player, banker }) : learn.whyNatural(one), clause: clauses.natural }];
  }
  if (opening === "player") return [{ sentence: learn.whyPlayer({ total: player, cell: drawsOn }), clause: clauses.player_draws }];
  return [
    { sentence: learn.whyPlayerStands({ total: player, cell: drawsOn }), clause: clauses.player_draws },
    { sentence: learn.whyBankerAlone({ total: banker, cell: cellInFigures(tableau.banker_draws_when_player_stands) }), clause: clauses.player_stood },
  ];
}

export function reasonsOf(stage: Stage, exercise: Exercise, school: School): Reason[] {
  const { deal, paid } = exercise, { tableau } = school.card, total = (hand: readonly string[]) => totalOf(pointsIn(hand, school.pack));
  if (stage === "opening") return openingReasons(exercise, school);
  if (stage === "third") {
    const banker = total(deal.banker.slice(0, 2)), cell = cellInFigures(tableau.banker_draws[String(banker)] ?? "");
    const third = pointsIn(deal.player, school.pack)[2] ?? 0;
    return [{ sentence: cell ? learn.whyBanker({ total: banker, cell, third }) : learn.whyBankerNever({ total: banker }), clause: tableau.clauses.banker_draws }];
  }
  if (stage === "winner") {
    const player = total(deal.player), banker = total(deal.banker), isTie = exercise.winner === "tie";
    return [{ sentence: isTie ? learn.whyTie({ total: player }) : learn.whyWinner({ player, banker }), clause: isTie ? tableau.clauses.tie : tableau.clauses.winner }];
  }
  if (!paid) return [];
  const { line, bonuses } = paid.outcome;
  if (line === null) return [{ sentence: learn.whyLost({ wager: said(paid.wager.wager.name) }), clause: paid.wager.wager.clause }];
  return [line, ...bonuses].map((each) => ({ sentence: learn.whyPaid({ line: said(each.line), payment: paymentWords(each) }), clause: each.clause }));
}
