/** One's own number of a round, where it was made in this browser: the table's page keeps it. */
import { kept } from "../kept.ts";

export interface OwnNumber {
  patron: string;
  shoe: string;
  roundInShoe: number;
  nonce: string;
  commitment: string;
}

export function ownNumber(table: string, round: number): OwnNumber | null {
  try {
    const all = JSON.parse(kept(`nonces.${table}`) ?? "{}") as Record<string, OwnNumber | undefined>;
    return all[round] ?? null;
  } catch {
    return null;
  }
}
