/** "Verify this round": the shoe dealt again in this browser, with every step shown. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { fingerprint } from "../roads/committed.tsx";
import { Link } from "../router.tsx";
import type { RoundSaid, RuleCard } from "../types/api.ts";
import { type OwnNumber, ownNumber } from "../verify/own.ts";
import { verified } from "../verify/transcript.ts";
import type { RoundProof, Verdict } from "../verify/verify.ts";
import { roundWords } from "../words/round.ts";
import { type RoundVerdict, type Step, type StepName, stepsOf } from "./steps.ts";

const NAMES: Readonly<Record<StepName, () => string>> = {
  shoe: roundWords.stepShoe, before: roundWords.stepBefore, numbers: roundWords.stepNumbers, state: roundWords.stepState,
  key: roundWords.stepKey, draw: roundWords.stepDraw, record: roundWords.stepRecord, own: roundWords.stepOwn, rest: roundWords.stepRest,
};

/** Whether it holds, by shape and word as well as colour. */
export function Outcome({ holds }: { holds: boolean | null }) {
  const says = holds === null ? roundWords.notReached() : holds ? roundWords.holds() : roundWords.fails();
  return (
    <span class={`outcome-mark ${holds === null ? "open" : holds ? "yes" : "no"}`}>
      <Icon name={holds === null ? "minus" : holds ? "check" : "close"} size={18} /><span class="vh">{says}</span>
    </span>
  );
}

/** A long number that breaks where it must. */
export const Hash = ({ of }: { of: string }) => <code class="hash">{of}</code>;

export function signatureSaid(verdict: Verdict): string {
  return verdict.isSigned === null ? roundWords.signedUnchecked() : verdict.isSigned ? roundWords.signed() : roundWords.notSigned();
}

function Pairs({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  return <dl class="pairs">{of.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

function Numbers({ proof, own }: { proof: RoundProof; own: OwnNumber | null }) {
  if (!proof.nonces.length) return <p class="server-only"><Icon name="flag" size={16} />{roundWords.serverOnly()}</p>;
  return (
    <Pairs of={proof.nonces.map(({ patron, nonce, commitment }) => [
      patron === own?.patron ? `${patron} (${roundWords.you()})` : patron,
      nonce === null ? <>{roundWords.withheld()}: <Hash of={commitment} /></> : <Hash of={nonce} />,
    ])} />
  );
}

function Draws({ proof }: { proof: RoundProof }) {
  return (
    <table class="draws">
      <thead><tr><th scope="col">{roundWords.drawnCard()}</th><th scope="col" class="right">{roundWords.numberOf()}</th><th scope="col" class="right">{roundWords.placeOf()}</th></tr></thead>
      <tbody>
        {proof.draws.map((draw, place) => (
          <tr key={place}>
            <th scope="row">{draw.card}</th>
            <td class="num right">{draw.number}{draw.passedOver > 0 && ` (${roundWords.passedOver({ count: draw.passedOver })})`}</td>
            <td class="num right">{draw.place + 1} / {draw.left}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function detailOf(step: Step, verdict: Verdict, { proof }: RoundVerdict, own: OwnNumber | null): ComponentChildren {
  const { shoe } = verdict;
  if (step.name === "shoe" && shoe) return <Pairs of={[[roundWords.anchor(), <><Hash of={shoe.anchor} /> {signatureSaid(verdict)}</>]]} />;
  if (!proof) return null;
  switch (step.name) {
    case "numbers": return <Numbers proof={proof} own={own} />;
    case "state": return <Pairs of={[[roundWords.stateBefore(), <Hash of={proof.before} />], [roundWords.state(), <Hash of={proof.state} />]]} />;
    case "key": return <Pairs of={[[roundWords.commitment(), <Hash of={proof.commitment} />], [roundWords.key(), <Hash of={proof.key} />]]} />;
    case "draw": return <Draws proof={proof} />;
    case "record": return proof.deal;
    case "own": return own && <Hash of={own.nonce} />;
    default: return null;
  }
}

export function Verification({ round, rules }: { round: RoundSaid; rules: RuleCard | null }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const own = ownNumber(round.table, round.number);
  const found = verdict && stepsOf(verdict, round, own);
  const isUnsafe = typeof crypto === "undefined" || crypto.subtle === undefined;

  const run = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const next = await verified(round.table, round.shoe, rules), { holds } = stepsOf(next, round, own);
      setVerdict(next);
      announce(holds === null ? roundWords.notYet() : holds ? roundWords.true() : roundWords.false());
    } catch (error) {
      setProblem(error instanceof Refusal ? error.sentence : String(error));
    }
    setBusy(false);
  };
  return (
    <section class="panel verification" aria-labelledby="verification" id="verify">
      <div class="rhead"><h2 id="verification">{roundWords.verifyRound()}</h2>{round.state && <span class="label num" title={round.state}>{fingerprint(round.state)}</span>}</div>
      {round.state === null && round.time !== null ? <p class="muted">{roundWords.physical()}</p> : (
        <>
          <p class="muted">{isUnsafe ? roundWords.unsafe() : round.time === null ? roundWords.notYet() : roundWords.verifyText()}</p>
          {!isUnsafe && round.time !== null && (
            <p class="actions">
              <button type="button" class={`btn ${found ? "" : "solid"}`} aria-disabled={isBusy} onClick={() => isBusy || void run()}>
                <Icon name="shield" size={20} />{isBusy ? roundWords.verifying() : found ? roundWords.verifyAgain() : roundWords.verifyRound()}
              </button>
              <Link class="btn quiet" href={`/tables/${encodeURIComponent(round.table)}/shoes/${round.shoe}`}>{roundWords.wholeShoe()}</Link>
            </p>
          )}
        </>
      )}
      {problem && <p class="problem" role="alert">{problem}</p>}
      {found && verdict && (
        <>
          <p class={`verdict-line ${found.holds === null ? "" : found.holds ? "yes" : "no"}`}>
            <Outcome holds={found.holds} />{found.holds === null ? roundWords.notYet() : found.holds ? roundWords.true() : roundWords.false()}
          </p>
          {found.sentence && <p class="problem">{found.sentence}</p>}
          <ol class="steps">
            {found.steps.map((step) => (
              <li key={step.name} class={step.holds === false ? "failed" : ""}>
                <Outcome holds={step.holds} />
                <div><h3>{NAMES[step.name]()}</h3>{detailOf(step, verdict, found, own)}</div>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
