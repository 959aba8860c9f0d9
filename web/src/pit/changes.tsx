/** Voids and corrections, newest first, with what they came to. */
import { useEffect, useState } from "preact/hooks";
import { get, Refusal } from "../api.ts";
import { amount, signed } from "../money.ts";
import type { ChangeSaid, ChangesSaid, ChangeTotalSaid } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { irregularities } from "../words/round.ts";
import { said } from "../words/said.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Refused } from "./form.tsx";
import { moment, type Named, news, personName, tableName } from "./house.ts";
import { useLoaded } from "./loaded.ts";
import { chosen, Head, OnItsWay, PeriodChoice, RoundLink, since, TableChoice } from "./view.tsx";

const kindName = (kind: string): string => (kind === "void" ? pit.voidKind() : kind === "correction" ? pit.correctionKind() : kind);

/** A void takes from the house, a correction gives to it: here both as what the house gained. */
export const gained = (kind: string, house: number): number => (kind === "void" ? -house : house);

function Totals({ of }: { of: readonly ChangeTotalSaid[] }) {
  const columns: Column<ChangeTotalSaid>[] = [
    { key: "table", name: pit.table(), isHead: true, value: (row) => tableName(row.table), cell: (row) => <bdi>{tableName(row.table)}</bdi> },
    { key: "kind", name: pit.kind(), value: (row) => row.kind, cell: (row) => kindName(row.kind) },
    { key: "rounds", name: pit.rounds(), isNumber: true, value: (row) => row.rounds, cell: (row) => row.rounds },
    { key: "house", name: pit.forHouse(), isNumber: true, value: (row) => gained(row.kind, row.house), cell: (row) => <>{signed(gained(row.kind, row.house), row.unit)} <small>{row.unit}</small></> },
    { key: "unknown", name: pit.notKnown(), isNumber: true, value: (row) => row.unknown, cell: (row) => row.unknown },
  ];
  return <Figures caption={pit.totals()} rows={of} columns={columns} keyOf={(row) => `${row.table} ${row.unit} ${row.kind}`} />;
}

function Change({ change, names }: { change: ChangeSaid; names: Named | null }) {
  const isVoid = change.kind === "void", why = change.irregularity ?? "";
  const people = change.by ? pit.askedAndAgreed({ by: personName(change.by, names), andBy: personName(change.and_by, names) }) : personName(change.actor, names);
  const staked = Object.values(change.stakes ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <article class="panel card">
      <div class="top"><h2><RoundLink table={change.table} round={change.round} /></h2><span class={`light ${isVoid ? "shut" : "soon"}`}>{kindName(change.kind)}</span></div>
      <p class="label">{moment(change.time)} · {people} <span class="clause">{change.clause}</span></p>
      {why && <p>{why in irregularities ? irregularities[why as keyof typeof irregularities]() : why}</p>}
      <p class="quote" dir="auto">{change.note}</p>
      <dl class="facts">
        {isVoid && change.dealt && <div><dt>{pit.cards()}</dt><dd class="deals">{change.dealt}</dd></div>}
        {isVoid && change.would_be && <div><dt>{pit.wouldBe()}</dt><dd class="deals">{change.would_be}</dd></div>}
        {!isVoid && <div><dt>{pit.cards()}</dt><dd class="deals"><del aria-label={pit.before({ deal: change.before ?? "" })}>{change.before}</del><ins aria-label={pit.after({ deal: change.after ?? "" })}>{change.after}</ins></dd></div>}
        {isVoid && staked > 0 && <div><dt>{pit.returned()}</dt><dd class="num">{amount(staked, change.unit)} {change.unit}</dd></div>}
        <div><dt>{pit.forHouse()}</dt><dd class="num">{change.house === null ? `${pit.notKnown()}${change.unknown ? `: ${said(change.unknown)}` : ""}` : `${signed(gained(change.kind, change.house), change.unit)} ${change.unit}`}</dd></div>
        <div><dt>{pit.whenChanged()}</dt><dd>{change.after_settlement ? pit.afterSettlement() : pit.beforeSettlement()}</dd></div>
      </dl>
    </article>
  );
}

export function Changes() {
  const table = chosen("table"), from = since();
  const query = new URLSearchParams({ ...(table ? { table } : {}), ...(from === null ? {} : { since: String(from) }) }).toString();
  const path = `/api/reports/changes${query && `?${query}`}`;
  const { answer, problem } = useLoaded<ChangesSaid>(path, news.value);
  const [more, setMore] = useState<{ changes: ChangeSaid[]; before: string | null } | null>(null), [trouble, setTrouble] = useState<Refusal | null>(null);
  useEffect(() => setMore(null), [answer]);
  const before = more ? more.before : answer?.before, all = [...(answer?.changes ?? []), ...(more?.changes ?? [])];
  const next = () => void get<ChangesSaid>(`${path}${query ? "&" : "?"}before=${before}`).then(
    (page) => setMore({ changes: [...(more?.changes ?? []), ...page.changes], before: page.before }),
    (error: unknown) => error instanceof Refusal && setTrouble(error),
  );
  return (
    <>
      <Head title={pit.changesTitle()} says={pit.changesSays()}><TableChoice /><PeriodChoice /></Head>
      {!answer && <OnItsWay problem={problem} />}
      {answer && answer.totals.length > 0 && <section class="panel"><h2>{pit.totals()}</h2><Totals of={answer.totals} /></section>}
      {answer && all.length === 0 && <Empty title={pit.noChanges()}>{pit.noChangesSays()}</Empty>}
      <div class="cards">{all.map((change) => <Change key={`${change.table} ${change.version}`} change={change} names={answer} />)}</div>
      <Refused of={trouble} />
      {before && <button type="button" class="btn more" onClick={next}>{pit.more()}</button>}
    </>
  );
}
