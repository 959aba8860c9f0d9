/** The page of a shoe: its rounds, and all of it dealt again in this browser. */
import "../styles/round.css";
import "../styles/roads.css";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { get, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { Tag } from "../roads/drawn.tsx";
import { RoadsPanel } from "../roads/panel.tsx";
import { LETTER_OF } from "../roads/shoe.ts";
import { Link } from "../router.tsx";
import { Hash, Outcome, signatureSaid } from "../round/verification.tsx";
import { sealOf } from "../seals.ts";
import type { RuleCard, ShoeRounds, TableListed, TableRules } from "../types/api.ts";
import { transcriptPath, verified } from "../verify/transcript.ts";
import type { Verdict } from "../verify/verify.ts";
import { roadWords } from "../words/roads.ts";
import { roundWords } from "../words/round.ts";
import { said } from "../words/said.ts";
import { shell } from "../words/shell.ts";

function countsSaid(verdict: Verdict): string {
  const rounds = verdict.rounds.slice(1);
  return roundWords.shoeCounts({
    rounds: rounds.length,
    void: rounds.filter((each) => each.void !== null).length,
    server: rounds.filter((each) => each.nonces.length === 0).length,
    withheld: rounds.flatMap((each) => each.nonces).filter((each) => each.nonce === null).length,
    left: verdict.cardsLeft,
  });
}

function Found({ verdict, shoe }: { verdict: Verdict; shoe: number }) {
  const { failure } = verdict;
  return (
    <>
      <p class={`verdict-line ${failure ? "no" : "yes"}`}><Outcome holds={!failure} />{failure ? roundWords.shoeFalse() : roundWords.shoeTrue()}</p>
      {failure ? <p class="problem">{failure.sentence}</p> : (
        <>
          <p>{countsSaid(verdict)}</p>
          <p class="muted">{verdict.shoe?.final === undefined ? roundWords.inPlay() : roundWords.ended()} {verdict.isChained && roundWords.followsShoe({ shoe: shoe - 1 })}</p>
        </>
      )}
      {verdict.shoe && (
        <dl class="pairs">
          <div><dt>{roundWords.anchor()}</dt><dd><Hash of={verdict.shoe.anchor} /> {signatureSaid(verdict)}</dd></div>
          {verdict.shoe.public_key && <div><dt>{roundWords.publicKey()}</dt><dd><Hash of={verdict.shoe.public_key} /></dd></div>}
        </dl>
      )}
    </>
  );
}

export default function Shoe({ table, shoe: number }: { table: string; shoe: string }) {
  const [rounds, setRounds] = useState<ShoeRounds | null>(null);
  const [rules, setRules] = useState<RuleCard | null>(null);
  const [name, setName] = useState(table);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const at = `/tables/${encodeURIComponent(table)}`, shoe = Number(number), title = roundWords.shoeTitle({ shoe: number });
  useEffect(() => {
    document.title = `${title} · ${name} · Punto Banco`;
  });
  useEffect(() => {
    get<ShoeRounds>(`${transcriptPath(table, shoe)}/rounds`).then(setRounds, (error) => error instanceof Refusal && setProblem(error.sentence));
    get<TableListed>(`/api${at}`).then((found) => setName(said(found.name)), () => undefined);
    get<TableRules>(`/api${at}/rules`).then((found) => setRules(found.card), () => undefined);
  }, []);
  const run = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const found = await verified(table, shoe, rules, true);
      setVerdict(found);
      announce(found.failure ? `${roundWords.shoeFalse()} ${found.failure.sentence}` : roundWords.shoeTrue());
    } catch (error) {
      setProblem(error instanceof Refusal ? error.sentence : String(error));
    }
    setBusy(false);
  };
  const results = (rounds?.rounds ?? []).flatMap(({ result }) => (result ? [result] : []));
  return (
    <main id="content" class="page roundpage" aria-busy={!rounds && !problem}>
      <header class="roundhead">
        <Link class="iconbtn" href={at} aria-label={roundWords.toTable()}><Icon name="back" /></Link>
        <span class="seal" aria-hidden="true">{sealOf(table)}</span>
        <div><h1>{title}</h1><p class="label">{name}</p></div>
      </header>
      <div class="roundgrid">
        <div class="shoe-column">
          <section class="panel" aria-labelledby="verification">
            <div class="rhead"><h2 id="verification">{roundWords.verifyShoe()}</h2></div>
            <p class="muted">{roundWords.shoeText()}</p>
            <p class="actions">
              <button type="button" class={`btn ${verdict ? "" : "solid"}`} aria-disabled={isBusy} onClick={() => isBusy || void run()}>
                <Icon name="shield" size={20} />{isBusy ? roundWords.verifying() : verdict ? roundWords.verifyAgain() : roundWords.verifyShoe()}
              </button>
              <a class="btn quiet" href={transcriptPath(table, shoe)} download={`${table}-${number}.json`}><Icon name="save" size={20} />{roundWords.transcript()}</a>
            </p>
            {problem && <p class="problem" role="alert">{problem}</p>}
            {verdict && <Found verdict={verdict} shoe={shoe} />}
          </section>
          {rounds ? (
            <section class="panel" aria-labelledby="rounds">
              <div class="rhead"><h2 id="rounds">{roundWords.rounds()}</h2><span class="label">{roadWords.rounds({ count: rounds.rounds.length })}</span></div>
              <table class="shoerounds">
                <thead><tr><th scope="col">{roundWords.total()}</th><th scope="col">{roundWords.result()}</th><th scope="col">{roundWords.deal()}</th></tr></thead>
                <tbody>
                  {[...rounds.rounds].reverse().map((round) => (
                    <tr key={round.number}>
                      <th scope="row"><Link href={`${at}/rounds/${round.number}`}>{roundWords.round({ number: round.number })}</Link></th>
                      <td>{round.result ? <><Tag letter={LETTER_OF[round.result.winner]} /><span class="vh">{roadWords[round.result.winner]()}</span></> : roundWords.void()}</td>
                      <td class="num">{round.deal}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          ) : !problem && <p class="muted">{shell.loading()}</p>}
        </div>
        <div class="side-column">
          {rounds && <RoadsPanel table={table} shoe={shoe} letters={results.map((each) => LETTER_OF[each.winner]).join("")} results={results} rules={rules} />}
        </div>
      </div>
    </main>
  );
}
