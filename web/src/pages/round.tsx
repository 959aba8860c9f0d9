/** The permanent page of a round: cards, settlement, replay, and the round verified in this browser. */
import "../styles/round.css";
import "../styles/roads.css";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { get, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { Link } from "../router.tsx";
import { DisputeButton } from "../round/dispute.tsx";
import { Deal } from "../round/hands.tsx";
import { Settlement } from "../round/settlement.tsx";
import { Hash, Verification } from "../round/verification.tsx";
import { sealOf } from "../seals.ts";
import { sessions } from "../session.ts";
import type { RoundSaid, RuleCard, TableListed } from "../types/api.ts";
import { language } from "../words/language.ts";
import { irregularities, roundWords } from "../words/round.ts";
import { said } from "../words/said.ts";
import { shell } from "../words/shell.ts";

/** A round that is in play is asked for again until it is over. */
const AGAIN_MILLISECONDS = 1_500;

function useRound(table: string, number: string) {
  const [round, setRound] = useState<RoundSaid | null>(null);
  const [problem, setProblem] = useState<Refusal | null>(null);
  const who = sessions.value;
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const found = await get<RoundSaid>(`/api/tables/${encodeURIComponent(table)}/rounds/${encodeURIComponent(number)}`, gone.signal);
        setRound(found);
        setProblem(null);
        // The signed end of the record may come a moment after the round itself.
        if (found.time === null || found.evidence === null) timer = setTimeout(() => void ask(), AGAIN_MILLISECONDS);
      } catch (error) {
        if (error instanceof Refusal) setProblem(error);
      }
    };
    void ask();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [table, number, who]);
  return { round, problem };
}

/** What is beside the round: its rules for ever, and its table as long as that is there. */
function useBeside(table: string, digest: string | undefined) {
  const [rules, setRules] = useState<RuleCard | null>(null);
  const [listed, setListed] = useState<TableListed | null>(null);
  useEffect(() => {
    get<TableListed>(`/api/tables/${encodeURIComponent(table)}`).then(setListed, () => undefined);
  }, [table]);
  useEffect(() => {
    if (digest) get<RuleCard>(`/api/rules/${digest}`).then(setRules, () => undefined);
  }, [digest]);
  return { rules, listed };
}

const timeSaid = (time: number | null) =>
  time === null ? "–" : new Date(time).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "medium" });

function CopyAddress() {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      isCopied = false;
    }
    setCopied(isCopied);
    announce(isCopied ? roundWords.copied() : roundWords.notCopied());
    setTimeout(() => setCopied(null), 2_000);
  };
  return (
    <button type="button" class="btn quiet" onClick={() => void copy()}>
      <Icon name={copied ? "check" : "link"} size={20} />{copied === null ? roundWords.copy() : copied ? roundWords.copied() : roundWords.notCopied()}
    </button>
  );
}

function Record({ round, rules }: { round: RoundSaid; rules: RuleCard | null }) {
  const { evidence } = round;
  return (
    <section class="panel record" aria-labelledby="record">
      <div class="rhead"><h2 id="record">{roundWords.record()}</h2></div>
      <dl class="pairs">
        <div><dt>{roundWords.opened()}</dt><dd>{timeSaid(round.opened)}</dd></div>
        {round.time !== null && <div><dt>{round.void ? roundWords.voidedAt() : roundWords.settledAt()}</dt><dd>{timeSaid(round.time)}</dd></div>}
        <div><dt>{roundWords.shoe()}</dt><dd><Link href={`/tables/${encodeURIComponent(round.table)}/shoes/${round.shoe}`}>{roundWords.shoePlace({ shoe: round.shoe, place: round.round_in_shoe })}</Link></dd></div>
        <div><dt>{roundWords.rules()}</dt><dd><Link href={`/rules/${encodeURIComponent(round.game)}`}>{said(rules?.name ?? round.game)}</Link> <Hash of={round.rules_digest} /></dd></div>
      </dl>
      {evidence && (
        <details>
          <summary>{roundWords.evidence()}</summary>
          <dl class="pairs">
            <div><dt>{roundWords.events()}</dt><dd>{evidence.stream} {evidence.first_version}–{evidence.last_version}</dd></div>
            <div><dt>{roundWords.head()}</dt><dd>{evidence.head_version} <Hash of={evidence.head_hash} /></dd></div>
            <div><dt>{roundWords.signature()}</dt><dd><Hash of={evidence.signature} /></dd></div>
            <div><dt>{roundWords.publicKey()}</dt><dd><Hash of={evidence.public_key} /></dd></div>
          </dl>
        </details>
      )}
    </section>
  );
}

/** Why the round is not an ordinary one. */
function Notice({ round }: { round: RoundSaid }) {
  if (round.void) {
    const reason = round.void.irregularity;
    return (
      <p class="notice shut"><b>{roundWords.voided()}</b> {reason in irregularities ? irregularities[reason as keyof typeof irregularities]() : said(reason)} <span class="clause">{round.void.clause}</span>{round.void.note && <> {round.void.note}</>}</p>
    );
  }
  if (round.corrected) return <p class="notice soon"><b>{roundWords.corrected()}</b></p>;
  return round.time === null ? <p class="notice open">{roundWords.runningText()}</p> : null;
}

export default function Round({ table, number }: { table: string; number: string }) {
  const { round, problem } = useRound(table, number);
  const { rules, listed } = useBeside(table, round?.rules_digest);
  const title = roundWords.round({ number }), name = listed ? said(listed.name) : table, at = `/tables/${encodeURIComponent(table)}`;
  useEffect(() => {
    document.title = `${title} · ${name} · Punto Banco`;
  });
  if (problem) {
    return (
      <main id="content" class="empty"><h1>{title}</h1><p>{problem.sentence}</p><Link class="btn" href={at}>{roundWords.toTable()}</Link></main>
    );
  }
  if (!round) return <main id="content" class="page" aria-busy="true"><h1 class="vh">{title}</h1><p class="muted">{shell.loading()}</p></main>;
  const hasNext = listed === null || listed.round > round.number;
  return (
    <main id="content" class="page roundpage">
      <header class="roundhead">
        <Link class="iconbtn" href={at} aria-label={`${roundWords.toTable()}: ${name}`}><Icon name="back" /></Link>
        <span class="seal" aria-hidden="true">{sealOf(table)}</span>
        <div><h1>{title}</h1><p class="label">{name} · {roundWords.shoePlace({ shoe: round.shoe, place: round.round_in_shoe })}</p></div>
        <nav aria-label={title}>
          {round.number > 1 && <Link class="btn small" href={`${at}/rounds/${round.number - 1}`}><Icon name="back" size={16} />{roundWords.previous()}</Link>}
          {hasNext && <Link class="btn small" href={`${at}/rounds/${round.number + 1}`}>{roundWords.next()}<Icon name="next" size={16} /></Link>}
        </nav>
      </header>
      <Notice round={round} />
      <div class="roundgrid">
        <Deal round={round} rules={rules} />
        <div class="side-column">
          {round.time !== null && <Settlement round={round} rules={rules} />}
          <div class="panel roundacts"><CopyAddress />{round.time !== null && <DisputeButton table={table} number={round.number} />}</div>
          <Record round={round} rules={rules} />
        </div>
        <Verification round={round} rules={rules} />
      </div>
    </main>
  );
}
