/** The round explorer: a round by its table and number, or all rounds of a shoe. Each opens its own page. */
import { useState } from "preact/hooks";
import { get, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { go, Link } from "../router.tsx";
import type { RoundOfShoe, RoundSaid, ShoeRounds } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Field } from "./form.tsx";
import { lobby, tableName, tables } from "./house.ts";
import { useLoaded } from "./loaded.ts";
import { typedWhole } from "./typed.ts";
import { addressWith, choose, chosen, Head, OnItsWay, TableChoice } from "./view.tsx";

const LETTERS = { banker: "B", player: "P", tie: "T" } as const;

/** Opened only where there is such a round: otherwise it is said here. */
function Find({ table }: { table: string }) {
  const [number, setNumber] = useState(""), [problem, setProblem] = useState<Refusal | string | null>(null);
  const find = async () => {
    const round = typedWhole(number);
    if (round === null || round < 1) return setProblem(pit.notANumber());
    try {
      await get<RoundSaid>(`/api/tables/${encodeURIComponent(table)}/rounds/${round}`);
      go(`/tables/${encodeURIComponent(table)}/rounds/${round}`);
    } catch (error) {
      setProblem(error instanceof Refusal ? error : String(error));
    }
  };
  return (
    <form class="find" onSubmit={(event) => { event.preventDefault(); void find(); }}>
      <Field label={pit.roundByNumber()} value={number} set={(value) => { setNumber(value); setProblem(null); }} refusal={problem} more={{ inputMode: "numeric", required: true }} />
      <button class="btn solid">{pit.openRound()}</button>
    </form>
  );
}

function Result({ round }: { round: RoundOfShoe }) {
  const { result } = round;
  if (round.void) return <span class="light shut">{pit.voidKind()}</span>;
  if (!result) return <>–</>;
  const name = { banker: pit.banker(), player: pit.player(), tie: pit.tie() }[result.winner];
  return <span class="state"><span class={`tag ${LETTERS[result.winner]}`} aria-hidden="true">{LETTERS[result.winner]}</span>{name}{round.corrected && <span class="light soon">{pit.correctionKind()}</span>}</span>;
}

function Shoe({ table, shoe, last }: { table: string; shoe: number; last: number }) {
  const { answer, problem } = useLoaded<ShoeRounds>(`/api/tables/${encodeURIComponent(table)}/shoes/${shoe}/rounds`, lobby.value?.tables.find(({ id }) => id === table)?.results);
  const columns: Column<RoundOfShoe>[] = [
    { key: "number", name: pit.round(), isHead: true, value: (round) => round.number, cell: (round) => <Link class="num" href={`/tables/${encodeURIComponent(table)}/rounds/${round.number}`} aria-label={pit.replayOf({ round: round.number })}>{pit.roundNumber({ round: round.number })}</Link> },
    { key: "place", name: pit.inShoe(), isNumber: true, value: (round) => round.round_in_shoe, cell: (round) => round.round_in_shoe },
    { key: "deal", name: pit.cards(), cell: (round) => <span class="deals">{round.deal}</span> },
    { key: "player", name: pit.player(), isNumber: true, value: (round) => round.result?.player_total ?? null, cell: (round) => round.result?.player_total ?? "–" },
    { key: "banker", name: pit.banker(), isNumber: true, value: (round) => round.result?.banker_total ?? null, cell: (round) => round.result?.banker_total ?? "–" },
    { key: "result", name: pit.result(), value: (round) => (round.void ? "void" : round.result?.winner ?? null), cell: (round) => <Result round={round} /> },
  ];
  return (
    <section class="panel">
      <div class="top">
        <h2>{pit.shoeOf({ shoe, table: tableName(table) })}</h2>
        <span class="steps">
          <button type="button" class="iconbtn" aria-label={pit.previousShoe()} title={pit.previousShoe()} disabled={shoe <= 1} onClick={() => choose({ shoe: shoe - 1 })}><Icon name="back" /></button>
          <button type="button" class="iconbtn" aria-label={pit.nextShoe()} title={pit.nextShoe()} disabled={shoe >= last} onClick={() => choose({ shoe: shoe + 1 })}><Icon name="next" /></button>
          <Link class="btn small" href={`/tables/${encodeURIComponent(table)}/shoes/${shoe}`}>{pit.verifyShoe()}</Link>
        </span>
      </div>
      {!answer && <OnItsWay problem={problem} />}
      {answer && answer.rounds.length === 0 && <Empty title={pit.noRounds()}>{pit.noRoundsSays()}</Empty>}
      {answer && answer.rounds.length > 0 && <Figures caption={pit.shoeOf({ shoe, table: tableName(table) })} rows={answer.rounds} columns={columns} keyOf={(round) => String(round.number)} first={{ key: "number", isFalling: true }} />}
    </section>
  );
}

export function Rounds() {
  const table = chosen("table") ?? "", listed = lobby.value?.tables.find(({ id }) => id === table);
  const asked = typedWhole(chosen("shoe") ?? ""), shoe = asked ?? listed?.shoe ?? null;
  return (
    <>
      <Head title={pit.roundsTitle()} says={pit.roundsSays()} />
      <div class="panel finder"><div class="field"><span class="label">{pit.table()}</span><TableChoice all={false} /></div>{table && <Find key={table} table={table} />}</div>
      {!table && tables.value && <Empty title={pit.chooseTable()}>{tables.value.map(({ id }) => <Link key={id} class="btn small" href={addressWith({ table: id })}>{tableName(id)}</Link>)}</Empty>}
      {table && shoe !== null && shoe > 0 && <Shoe key={`${table} ${shoe}`} table={table} shoe={shoe} last={listed?.shoe ?? shoe} />}
      {table && (shoe === null || shoe < 1) && <Empty title={pit.noRounds()}>{pit.noRoundsSays()}</Empty>}
    </>
  );
}
