/** Which cards lie face down until their patron turns them. It only delays what has come already: the service sends no
 * face before its time. */
import type { Slip, TableState } from "./model.ts";

export type HandName = "player" | "banker";
export type CardId = `${HandName}-${number}`;

/** A hand never has more cards than these. */
const PLACES = [0, 1, 2];

/** All cards of a round, those that are still in the shoe too. */
export function everyCard(): readonly CardId[] {
  return PLACES.flatMap((place): CardId[] => [`player-${place}`, `banker-${place}`]);
}

/** One turns the hands that one has a stake on; who has none on either may turn both. */
export function squeezedHands(slip: Slip): readonly HandName[] {
  const staked = (["player", "banker"] as const).filter((hand) => (slip[hand] ?? 0) > 0);
  return staked.length ? staked : ["player", "banker"];
}

/** The cards that came and are not turned yet. */
export function faceDown(state: TableState, slip: Slip, turned: ReadonlySet<CardId>): ReadonlySet<CardId> {
  const found = new Set<CardId>();
  if (state.phase === "betting") return found;
  for (const hand of squeezedHands(slip)) {
    state.deal[hand].forEach((_, place) => {
      const id: CardId = `${hand}-${place}`;
      if (!turned.has(id)) found.add(id);
    });
  }
  return found;
}
