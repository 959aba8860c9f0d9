/** The patron's own number in the drawing of each round, mixed in without being asked for. */
import { signal } from "@preact/signals";
import { Refusal } from "../api.ts";
import type { Asked } from "../live.ts";
import { isStaff } from "../session.ts";
import type { TableState } from "./model.ts";
import { canHash, keepNonce, newNonce, ownNonce } from "./nonce.ts";

export class OwnNumber {
  /** The last round that has it. */
  readonly round = signal(0);
  private busyWith = "";

  constructor(private readonly table: string, private readonly ask: (command: Asked) => Promise<unknown>) {}

  /** Do what is due as the table stands: commit while betting is open, show it between the close and the first card. */
  follow(state: TableState): void {
    const { committed, you, round, phase, deal } = state;
    if (!committed || !you || isStaff.peek() || !canHash()) return;
    if (phase === "betting") void this.commit(committed.shoe, committed.round_in_shoe, you, round);
    else if (phase === "dealing" && !deal.player.length) void this.reveal(you, round);
  }

  private async commit(shoe: string, roundInShoe: number, patron: string, round: number): Promise<void> {
    const of = `${shoe} ${round} ${patron}`;
    if (this.busyWith === of) return;
    this.busyWith = of;
    const known = ownNonce(this.table, round);
    const isOfThisRound = known !== null && known.patron === patron && known.shoe === shoe && known.roundInShoe === roundInShoe;
    const own = isOfThisRound ? known : await newNonce(shoe, roundInShoe, patron);
    // Kept before it is sent: a page that is loaded again can still show it after the close.
    if (!isOfThisRound) keepNonce(this.table, round, own);
    try {
      await this.ask({ do: "commit", commitment: own.commitment, round });
      this.round.value = round;
    } catch (error) {
      // Another page of the same patron was first, or this one before it was loaded again.
      if (error instanceof Refusal && error.reason === "already-placed") this.round.value = round;
    }
  }

  private async reveal(patron: string, round: number): Promise<void> {
    const own = ownNonce(this.table, round);
    if (!own || own.patron !== patron) return;
    try {
      await this.ask({ do: "reveal", nonce: own.nonce, round });
    } catch {
      // Shown by another page, or too late: the commitment stands in its place.
    }
  }
}
