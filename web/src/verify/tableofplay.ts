/** Who draws: the standard table of play, or one that a rule card says. */
import type { TableauTold } from "../types/api.ts";

export interface TableOfPlay {
  naturals: ReadonlySet<number>;
  playerDraws: ReadonlySet<number>;
  bankerDrawsWhenPlayerStands: ReadonlySet<number>;
  /** By the Banker's total, the points of the Player's third card on which the Banker draws. */
  bankerDraws: readonly ReadonlySet<number>[];
}

/** `0-7 9` as numbers. */
export function numbersOf(written: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const part of written.split(" ").filter(Boolean)) {
    const [from, to = from] = part.split("-").map(Number);
    for (let number = from!; number <= to!; number++) found.add(number);
  }
  return found;
}

export function tableOfPlay(told: Pick<TableauTold, "naturals" | "player_draws" | "banker_draws_when_player_stands" | "banker_draws">): TableOfPlay {
  return {
    naturals: numbersOf(told.naturals),
    playerDraws: numbersOf(told.player_draws),
    bankerDrawsWhenPlayerStands: numbersOf(told.banker_draws_when_player_stands),
    bankerDraws: Array.from({ length: 10 }, (_, total) => numbersOf(told.banker_draws[total] ?? "")),
  };
}

/** As the verifier knows it of its own: it asks no server how a shoe should have been dealt. */
export const STANDARD = tableOfPlay({
  naturals: "8-9", player_draws: "0-5", banker_draws_when_player_stands: "0-5",
  banker_draws: { "0": "0-9", "1": "0-9", "2": "0-9", "3": "0-7 9", "4": "2-7", "5": "4-7", "6": "6-7" },
});

/** Ace to nine count their face value, everything else nothing. */
export function pointsOf(card: string): number {
  return "A23456789".indexOf(card.charAt(0)) + 1;
}

export const totalOf = (cards: readonly string[]) => cards.reduce((sum, card) => sum + pointsOf(card), 0) % 10;

export interface Hands {
  player: string[];
  banker: string[];
  /** How many cards the deal takes, as far as these tell: more than these while a hand is due another. */
  due: number;
}

/** The hands that cards make in the order in which they are drawn: P, B, P, B, thirds. */
export function dealt(drawn: readonly string[], table: TableOfPlay): Hands {
  const player = [drawn[0], drawn[2]].filter((card) => card !== undefined), banker = [drawn[1], drawn[3]].filter((card) => card !== undefined);
  const playerTotal = totalOf(player), bankerTotal = totalOf(banker);
  const isNatural = table.naturals.has(playerTotal) || table.naturals.has(bankerTotal);
  const thirds: (typeof player)[] = [];
  if (!isNatural) {
    if (table.playerDraws.has(playerTotal)) {
      thirds.push(player);
      const third = drawn[4];
      if (third !== undefined && table.bankerDraws[bankerTotal]?.has(pointsOf(third))) thirds.push(banker);
    } else if (table.bankerDrawsWhenPlayerStands.has(bankerTotal)) thirds.push(banker);
  }
  thirds.forEach((hand, place) => {
    const card = drawn[4 + place];
    if (card !== undefined) hand.push(card);
  });
  return { player, banker, due: 4 + thirds.length };
}

export function notation({ player, banker }: Pick<Hands, "player" | "banker">): string {
  return ["P", ...player, "|", "B", ...banker].join(" ");
}

/** A deal as it is written, `P 9s Kd 4c | B 3h 4h`, card by card. */
export function handsOf(deal: string): Pick<Hands, "player" | "banker"> {
  const [player = "", banker = ""] = deal.split("|");
  const cards = (hand: string) => hand.trim().split(/\s+/).slice(1);
  return { player: cards(player), banker: cards(banker) };
}

/** The same in the order in which the cards came. */
export function inDealingOrder({ player, banker }: Pick<Hands, "player" | "banker">): { hand: "player" | "banker"; card: string }[] {
  const found: { hand: "player" | "banker"; card: string }[] = [];
  for (let place = 0; place < 3; place++) {
    for (const [hand, cards] of [["player", player], ["banker", banker]] as const) {
      const card = cards[place];
      if (card !== undefined) found.push({ hand, card });
    }
  }
  return found;
}
