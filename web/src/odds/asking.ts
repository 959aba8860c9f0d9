/** What the odds lab asks of the service. */
import { get, post, Refusal } from "../api.ts";
import type { EffectSaid, OddsSaid, TableListed, WagerOddsSaid } from "../types/api.ts";
import { asked, OWN_ID, type OwnWager } from "./own.ts";
import { type Position, removeText, seenText } from "./position.ts";

/** The odds of a position, which may be another than the one that is shown by now. */
export interface Answer { of: Position; said: OddsSaid }

export interface Effects { cards: number; wagers: Readonly<Record<string, { effects: Readonly<Record<string, EffectSaid>> }>> }

export interface OwnQuestion { position: Position; own: OwnWager }

function body(position: Position): Record<string, unknown> {
  const remove = removeText(position.out), seen = seenText(position.hands);
  return { decks: position.decks, ...(remove && { remove }), ...(seen && { seen }) };
}

export function keyOf(position: Position): string {
  return JSON.stringify([position.game, body(position)]);
}

export function askOdds(position: Position): Promise<OddsSaid> {
  return post<OddsSaid>(`/api/odds/${position.game}`, body(position));
}

export async function askOwn({ position, own }: OwnQuestion): Promise<WagerOddsSaid | null> {
  const said = await post<OddsSaid>(`/api/odds/${position.game}`, { ...body(position), wager: [asked(own)] });
  return said.wagers[OWN_ID] ?? null;
}

export function hasShoe(table: TableListed): boolean {
  return table.phase !== "closed";
}

export function refused(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** What one card less does; of a shoe from which cards are gone, where the service can tell. */
export function askEffects(of: Position): Promise<Effects> {
  const remove = removeText(of.out);
  return get<Effects>(`/api/odds/${of.game}/removal?${new URLSearchParams({ decks: String(of.decks), ...(remove && { remove }) })}`);
}
