/** A patron: found by name or id, with everything that moved their money, and what the desk may do for them. */
import { useEffect, useState } from "preact/hooks";
import { get, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { amount, signed } from "../money.ts";
import { Link } from "../router.tsx";
import { role } from "../session.ts";
import type { LedgerSaid, PatronList, PostingSaid } from "../types/api.ts";
import { pit, postingNames } from "../words/pit.ts";
import { Desk } from "./desk.tsx";
import { may } from "./duties.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Refused } from "./form.tsx";
import { moment } from "./house.ts";
import { useLoaded } from "./loaded.ts";
import { choose, chosen, Head, OnItsWay, RoundLink } from "./view.tsx";

/** What a search gave, kept so that a patron has a name when they are opened. */
const known = new Map<string, string>();

function Search() {
  const search = chosen("search") ?? "", [text, setText] = useState(search);
  const { answer, problem } = useLoaded<PatronList>(search ? `/api/patrons?search=${encodeURIComponent(search)}` : null);
  answer?.patrons.forEach(({ id, name }) => known.set(id, name));
  return (
    <>
      <form class="panel finder" role="search" onSubmit={(event) => { event.preventDefault(); choose({ search: text.trim(), patron: null }); }}>
        <div class="field grow"><label for="patron-search">{pit.searchPatron()}</label><input id="patron-search" type="search" required maxLength={64} autoComplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
        <button class="btn solid"><Icon name="search" size={20} />{pit.find()}</button>
      </form>
      {search && !answer && <OnItsWay problem={problem} />}
      {answer && answer.patrons.length === 0 && <Empty title={pit.nobody({ search })}>{pit.nobodySays()}</Empty>}
      {!!answer?.patrons.length && (
        <ul class="panel found">
          {answer.patrons.map((each) => (
            <li key={each.id}><Link href={`/pit/patrons?patron=${encodeURIComponent(each.id)}`}><b dir="auto">{each.name}</b><span class="label">{each.role === "guest" ? pit.guest() : pit.patron()}</span><code>{each.id}</code></Link></li>
          ))}
        </ul>
      )}
      {!search && <Empty title={pit.patronsEmpty()}>{pit.patronsEmptySays()}</Empty>}
    </>
  );
}

const nameOfPosting = (event: string): string => postingNames[event as keyof typeof postingNames]?.() ?? event;

function Ledger({ postings }: { postings: readonly PostingSaid[] }) {
  const columns: Column<PostingSaid>[] = [
    { key: "time", name: pit.time(), isHead: true, value: (row) => row.time, cell: (row) => <span class="num">{moment(row.time)}</span> },
    { key: "what", name: pit.what(), value: (row) => nameOfPosting(row.event), cell: (row) => <>{nameOfPosting(row.event)}{row.account === "owed" && <span class="label"> {pit.owedAccount()}</span>}{row.reason && <span class="muted block" dir="auto">{row.reason}</span>}</> },
    { key: "round", name: pit.round(), cell: (row) => (row.table !== null && row.round !== null ? <RoundLink table={row.table} round={row.round} /> : "–") },
    { key: "amount", name: pit.amount(), isNumber: true, value: (row) => row.amount, cell: (row) => <><b class={row.amount > 0 ? "up" : ""}>{signed(row.amount, row.unit)}</b> <small>{row.unit}</small></> },
    { key: "balance", name: pit.balance(), isNumber: true, cell: (row) => <>{amount(row.balance, row.unit)} <small>{row.unit}</small></> },
  ];
  return <Figures caption={pit.ledger()} rows={postings} columns={columns} keyOf={(row) => `${row.stream} ${row.version} ${row.account} ${row.unit}`} />;
}

function Patron({ id }: { id: string }) {
  const path = `/api/patrons/${encodeURIComponent(id)}/ledger`;
  const { answer, problem, again } = useLoaded<LedgerSaid>(path);
  const [more, setMore] = useState<Pick<LedgerSaid, "postings" | "before"> | null>(null), [trouble, setTrouble] = useState<Refusal | null>(null);
  useEffect(() => setMore(null), [answer]);
  // Who was opened by an address has a name as well.
  const found = useLoaded<PatronList>(known.has(id) ? null : `/api/patrons?search=${encodeURIComponent(id)}`).answer;
  const name = known.get(id) ?? found?.patrons.find((each) => each.id === id)?.name ?? id;
  const before = more ? more.before : answer?.before ?? null;
  const next = () => void get<LedgerSaid>(`${path}?before=${before}`).then(
    (page) => setMore({ postings: [...(more?.postings ?? []), ...page.postings], before: page.before }),
    (error: unknown) => error instanceof Refusal && setTrouble(error),
  );
  return (
    <>
      <p class="back"><Link href="/pit/patrons"><Icon name="back" size={18} />{pit.otherPatron()}</Link></p>
      <section class="panel patronhead">
        <div class="top"><h2 dir="auto">{name}</h2>{name !== id && <code>{id}</code>}</div>
        {!answer && <OnItsWay problem={problem} />}
        {answer && (
          <dl class="balances">
            {Object.entries(answer.balances).map(([unit, balance]) => <div key={unit}><dt>{unit}</dt><dd class="num">{amount(balance, unit)}</dd></div>)}
            {Object.entries(answer.owed).map(([unit, owed]) => <div key={unit}><dt>{pit.owes({ unit })}</dt><dd class="num">{amount(owed, unit)}</dd></div>)}
            {Object.keys(answer.balances).length === 0 && <div><dt>{pit.noMoney()}</dt><dd>0</dd></div>}
          </dl>
        )}
        {answer && may(role.value, "desk") && <Desk patron={id} name={name} balances={answer.balances} done={again} />}
      </section>
      {answer && answer.postings.length === 0 && <Empty title={pit.noPostings()} />}
      {answer && answer.postings.length > 0 && (
        <section class="panel"><h2>{pit.ledger()}</h2><Ledger postings={[...answer.postings, ...(more?.postings ?? [])]} /></section>
      )}
      <Refused of={trouble} />
      {before !== null && <button type="button" class="btn more" onClick={next}>{pit.more()}</button>}
    </>
  );
}

export function Patrons() {
  const patron = chosen("patron");
  return (
    <>
      <Head title={pit.patronsTitle()} says={pit.patronsSays()} />
      {patron ? <Patron key={patron} id={patron} /> : <Search />}
    </>
  );
}
