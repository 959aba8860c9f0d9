/** What is wanted on the felt and not accepted yet. One command is under way at a time and the latest wish follows it,
 * so that quick taps are gathered and nothing is staked twice. */
import { signal, type Signal } from "@preact/signals";
import { Refusal } from "../api.ts";
import type { Asked } from "../live.ts";
import type { Slip } from "./model.ts";
import { without } from "./slip.ts";

/** Why something was not done, at the spot that it was for. */
export interface Refused {
  wager: string;
  refusal: Refusal;
  /** What was asked for, and did not get there. */
  amount: number;
}

export interface Felt {
  /** What lies there, accepted. */
  accepted(): Slip;
  round(): number;
  ask(command: Asked): Promise<unknown>;
  refused(those: readonly Refused[]): void;
}

export class Wanted {
  /** By wager, the stake that is wanted and not accepted: what differs from the felt, and nothing else. */
  readonly pending: Signal<Slip> = signal<Slip>({});
  private isUnderWay = false;
  private sent: Slip = {};

  constructor(private readonly felt: Felt) {}

  /** The felt as it will be if all is accepted. */
  get slip(): Slip {
    return without({ ...this.felt.accepted(), ...this.pending.value });
  }

  /** Want the felt to be so; what is there already is not asked for. */
  want(slip: Slip): void {
    const accepted = this.felt.accepted(), pending: Record<string, number> = {};
    for (const wager of new Set([...Object.keys(accepted), ...Object.keys(slip), ...Object.keys(this.sent)])) {
      const stake = slip[wager] ?? 0;
      // What is under way may change the felt yet: what is wanted after it is said again.
      if (stake !== (accepted[wager] ?? 0) || wager in this.sent) pending[wager] = stake;
    }
    this.pending.value = pending;
    void this.send();
  }

  /** A new round: what was wanted for the one before is over. */
  forget(): void {
    this.sent = {};
    this.pending.value = {};
  }

  private async send(): Promise<void> {
    if (this.isUnderWay) return;
    const wanted = this.pending.value, wagers = Object.keys(wanted);
    if (!wagers.length) return;
    this.isUnderWay = true;
    this.sent = wanted;
    const round = this.felt.round(), accepted = this.felt.accepted();
    const [only] = wagers;
    try {
      // One wager alone is set by itself: what another tab staked elsewhere meanwhile stays.
      await this.felt.ask(wagers.length === 1 && only !== undefined
        ? { do: "stake", wager: only, amount: wanted[only] ?? 0, round }
        : { do: "stakes", stakes: without({ ...accepted, ...wanted }), round });
      this.settle(wanted, round);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal("failed", null, String(error));
      if (refusal.reason === "nothing-to-change") this.settle(wanted, round);
      else {
        // What was tapped since rests on what was refused.
        if (this.felt.round() === round) this.pending.value = {};
        this.felt.refused(wagers.map((wager) => ({ wager, refusal, amount: (wanted[wager] ?? 0) - (accepted[wager] ?? 0) })));
      }
    } finally {
      this.isUnderWay = false;
      this.sent = {};
    }
    void this.send();
  }

  /** What was sent is there now; what was wanted since stays wanted. */
  private settle(sent: Slip, round: number): void {
    if (this.felt.round() !== round) return;
    const accepted = this.felt.accepted();
    this.pending.value = Object.fromEntries(
      Object.entries(this.pending.value).filter(([wager, stake]) =>
        stake !== (accepted[wager] ?? 0) && stake !== sent[wager]),
    );
  }
}
