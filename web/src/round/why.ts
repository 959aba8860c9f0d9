/** Why each hand drew or stood, line by line, from the table of play on the rule card. Pure. */
import type { TableauTold } from "../types/api.ts";
import { dealt, type Hands, inDealingOrder, pointsOf, tableOfPlay, totalOf } from "../verify/tableofplay.ts";

export const WHY = [
  "noNatural", "naturalPlayer", "naturalBanker", "naturalBoth", "playerDraws", "playerStands", "bankerDraws", "bankerStands",
  "bankerDrawsAfterStand", "bankerStandsAfterStand", "bankerBeats", "playerBeats", "tied",
] as const;

export interface WhyLine {
  text: (typeof WHY)[number];
  /** Cards are given by their codes and totals as numbers. */
  values: Readonly<Record<string, number>>;
  cards: Readonly<Record<string, string | readonly string[]>>;
  clause: string;
  /** How many cards lie on the table when it can be said. */
  after: number;
}

export function whyOf(deal: Pick<Hands, "player" | "banker">, tableau: TableauTold): WhyLine[] {
  const order = inDealingOrder(deal).map(({ card }) => card);
  if (order.length < 4) return [];
  const { clauses } = tableau, table = tableOfPlay(tableau);
  const first = { player: deal.player.slice(0, 2), banker: deal.banker.slice(0, 2) };
  const player = totalOf(first.player), banker = totalOf(first.banker);
  const natural = { player: table.naturals.has(player), banker: table.naturals.has(banker) };
  const found: WhyLine[] = [{
    text: natural.player ? (natural.banker ? "naturalBoth" : "naturalPlayer") : natural.banker ? "naturalBanker" : "noNatural",
    values: { player, banker }, cards: { playerCards: first.player, bankerCards: first.banker }, clause: clauses.natural, after: 4,
  }];
  const due = dealt(order, table).due;
  if (!natural.player && !natural.banker) {
    const [, , third] = deal.player, [, , last] = deal.banker, total = totalOf(deal.player);
    const draws = table.playerDraws.has(player);
    if (!draws) found.push({ text: "playerStands", values: { total: player }, cards: {}, clause: clauses.player_draws, after: 4 });
    else if (third !== undefined) {
      found.push({ text: "playerDraws", values: { from: player, total }, cards: { card: third }, clause: clauses.player_draws, after: 5 });
    }
    const after = draws ? 5 : 4, clause = draws ? clauses.banker_draws : clauses.player_stood;
    const isDecided = !draws || third !== undefined;
    const bankerDraws = draws ? third !== undefined && table.bankerDraws[banker]?.has(pointsOf(third)) : table.bankerDrawsWhenPlayerStands.has(banker);
    const against: WhyLine["cards"] = third === undefined ? {} : { third };
    if (isDecided && !bankerDraws) {
      found.push({ text: draws ? "bankerStands" : "bankerStandsAfterStand", values: { total: banker }, cards: against, clause, after });
    } else if (isDecided && last !== undefined) {
      const values = { from: banker, total: totalOf(deal.banker) };
      found.push({ text: draws ? "bankerDraws" : "bankerDrawsAfterStand", values, cards: { ...against, card: last }, clause, after: after + 1 });
    }
  }
  if (order.length >= due) {
    const totals = { player: totalOf(deal.player), banker: totalOf(deal.banker) }, lead = totals.banker - totals.player;
    const text = lead > 0 ? "bankerBeats" : lead < 0 ? "playerBeats" : "tied";
    found.push({ text, values: totals, cards: {}, clause: lead === 0 ? clauses.tie : clauses.winner, after: order.length });
  }
  return found;
}
