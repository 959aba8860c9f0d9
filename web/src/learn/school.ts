/** The dealer's school: lawful deals at random, and what is asked of each. Pure, but for the dice that are handed in. */
import { codesOf, type Pack, packOf } from "../cards/packs.ts";
import type { RuleCard } from "../types/api.ts";
import { type Deal, type Facts, factsOf, pointsIn, type Winner, winnerOf } from "./facts.ts";
import { type Outcome, type Paytable, readWager } from "./outcome.ts";
import { decide, readTableau, type Tableau, totalOf } from "./tableau.ts";

/** A number from 0 up to and without 1. */
export type Dice = () => number;

export interface School {
  card: RuleCard;
  pack: Pack;
  tableau: Tableau;
  wagers: readonly Paytable[];
}

/** What happens after two cards each. */
export type Opening = "natural" | "player" | "banker" | "stand";
export const OPENINGS: readonly Opening[] = ["natural", "player", "banker", "stand"];

export interface Exercise {
  deal: Deal;
  facts: Facts;
  opening: Opening;
  /** Whether the Banker draws against the Player's third card; null where there is none. */
  bankerDraws: boolean | null;
  winner: Winner;
  /** One wager, and what becomes of it; null where none of the game's can be asked. */
  paid: { wager: Paytable; outcome: Outcome } | null;
}

export function schoolOf(card: RuleCard): School {
  const pack = packOf(card.pack);
  const known = new Set(factsOf({ player: [], banker: [] }, pack).keys());
  const wagers = Object.entries(card.wagers).flatMap(([id, wager]) => readWager(id, wager, known) ?? []);
  return { card, pack, tableau: readTableau(card.tableau), wagers };
}

/** A shoe is so large that cards are as good as drawn one by one; the same face may come as often as there are decks. */
function drawer(pack: Pack, decks: number, dice: Dice): () => string {
  const codes = codesOf(pack), gone = new Map<string, number>();
  return () => {
    for (;;) {
      const code = codes[Math.floor(dice() * codes.length)] as string, times = gone.get(code) ?? 0;
      if (times >= decks) continue;
      gone.set(code, times + 1);
      return code;
    }
  };
}

export function dealt(school: School, dice: Dice): Deal {
  const draw = drawer(school.pack, school.card.decks.default, dice);
  const player = [draw()], banker = [draw()];
  player.push(draw());
  banker.push(draw());
  for (;;) {
    const due = decide(school.tableau, pointsIn(player, school.pack), pointsIn(banker, school.pack)).hand;
    if (due === null) return { player, banker };
    (due === "player" ? player : banker).push(draw());
  }
}

export function openingOf(school: School, deal: Deal): Opening {
  const two = (hand: readonly string[]) => pointsIn(hand.slice(0, 2), school.pack);
  const { hand, rule } = decide(school.tableau, two(deal.player), two(deal.banker));
  return rule === "natural" ? "natural" : hand ?? "stand";
}

export function exerciseOf(school: School, deal: Deal, wager: Paytable | null): Exercise {
  const facts = factsOf(deal, school.pack);
  const total = (hand: readonly string[]) => totalOf(pointsIn(hand, school.pack));
  return {
    deal,
    facts,
    opening: openingOf(school, deal),
    bankerDraws: deal.player.length > 2 ? deal.banker.length > 2 : null,
    winner: winnerOf(total(deal.player), total(deal.banker)),
    paid: wager && { wager, outcome: wager.outcome(facts) },
  };
}

/** How often each opening is asked: naturals are quickly learnt, third cards are not. */
const SHARES: readonly (readonly [Opening, number])[] = [["natural", 0.12], ["player", 0.58], ["banker", 0.18], ["stand", 0.12]];
const TRIES = 400;

function pick<Kind>(from: readonly Kind[], dice: Dice): Kind | null {
  return from[Math.floor(dice() * from.length)] ?? null;
}

/** An exercise worth asking: by turns one of an opening, and one in which a line of a wager pays, rare ones as often as
 * others. What does not come up in a few hundred deals is left for another time. */
export function nextExercise(school: School, dice: Dice): Exercise {
  const wager = pick(school.wagers, dice);
  if (wager && dice() < 0.5) {
    const line = pick(wager.wager.lines, dice);
    for (let tries = 0; tries < TRIES; tries++) {
      const deal = dealt(school, dice);
      if (wager.outcome(factsOf(deal, school.pack)).line === line) return exerciseOf(school, deal, wager);
    }
  }
  let share = dice();
  const wanted = SHARES.find(([, of]) => (share -= of) < 0)?.[0] ?? "player";
  for (let tries = 0; tries < TRIES; tries++) {
    const deal = dealt(school, dice);
    if (openingOf(school, deal) === wanted) return exerciseOf(school, deal, wager);
  }
  return exerciseOf(school, dealt(school, dice), wager);
}
