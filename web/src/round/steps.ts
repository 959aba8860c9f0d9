/** The verification of one round as steps that can be read: what was checked, and what came of it. Pure. */
import type { RoundSaid } from "../types/api.ts";
import type { OwnNumber } from "../verify/own.ts";
import type { RoundProof, Verdict } from "../verify/verify.ts";
import type { FailureCode } from "../words/verify.ts";

export const STEPS = ["shoe", "before", "numbers", "state", "key", "draw", "record", "own", "rest"] as const;
export type StepName = (typeof STEPS)[number];

export interface Step {
  name: StepName;
  /** Null: it was not come to, or there is nothing to check. */
  holds: boolean | null;
}

export interface RoundVerdict {
  /** Whether this round was dealt as committed; null where it is not in the transcript yet. */
  holds: boolean | null;
  steps: readonly Step[];
  proof: RoundProof | null;
  /** What does not follow, in words; null where something does not fit that only this page knows. */
  sentence: string | null;
  isOwnThere: boolean;
  isServerOnly: boolean;
}

/** At which step a round fails. */
const STEP_OF: Partial<Record<FailureCode, StepName>> = { nonce: "numbers", state: "state", key: "key" };

/** Whether the record of the round says what the shoe was dealt as. A corrected round has the cards that were agreed on. */
function isAsRecorded(proof: RoundProof, round: RoundSaid): boolean {
  return (
    proof.number === round.number &&
    (round.corrected || round.deal === proof.deal) &&
    (round.key === null || round.key === proof.key) &&
    (round.state === null || round.state === proof.state) &&
    (round.void === null) === (proof.void === null)
  );
}

export function stepsOf(verdict: Verdict, round: RoundSaid, own: OwnNumber | null): RoundVerdict {
  const { failure, rounds } = verdict, place = round.round_in_shoe;
  const proof = rounds.find((each) => each.round === place) ?? null;
  const isOfShoe = failure !== null && failure.round === null && rounds.length === 0;
  const isEarlier = failure !== null && failure.round !== null && failure.round < place;
  const isHere = failure !== null && failure.round === place;
  const here = isHere ? (STEP_OF[failure.code] ?? "draw") : null;
  const reached = (name: StepName): boolean | null => {
    if (proof) return true;
    if (!isHere) return null;
    const order = ["numbers", "state", "key", "draw"];
    return name === here ? false : order.indexOf(name) < order.indexOf(here ?? "") ? true : null;
  };
  const mine = own && proof ? proof.nonces.find((each) => each.patron === own.patron) : undefined;
  const isOwnThere = mine !== undefined && own !== null && mine.commitment === own.commitment && (mine.nonce === null || mine.nonce === own.nonce);
  const steps: Step[] = [
    { name: "shoe", holds: verdict.shoe === null ? false : !isOfShoe },
    { name: "before", holds: isOfShoe ? null : !isEarlier },
    { name: "numbers", holds: reached("numbers") },
    { name: "state", holds: reached("state") },
    { name: "key", holds: reached("key") },
    { name: "draw", holds: reached("draw") },
    { name: "record", holds: proof ? isAsRecorded(proof, round) : null },
    ...(own ? [{ name: "own", holds: proof ? isOwnThere : null } as const] : []),
    { name: "rest", holds: failure === null ? true : proof ? false : null },
  ];
  // That a later round does not follow says nothing against this one.
  const isFalse = steps.some((step) => step.name !== "rest" && step.holds === false);
  return {
    holds: isFalse ? false : proof ? true : null,
    steps, proof, isOwnThere,
    sentence: failure?.sentence ?? null,
    isServerOnly: proof !== null && proof.nonces.length === 0,
  };
}
