/** What the house has won beside what it should have, with the band that chance explains. */
import { amount } from "../money.ts";
import type { WinLine, WinSaid } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { drawn } from "./band.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { gameName, tableName, wagerName } from "./house.ts";
import { useLoaded } from "./loaded.ts";
import { chosen, Head, OnItsWay, PeriodChoice, since, TableChoice } from "./view.tsx";

/** The scale is in deviations: the same for every row, with the band always in the same place. */
function Band({ line }: { line: WinLine }) {
  const at = drawn(line);
  if (!at) return <span class="label">{pit.noBand()}</span>;
  const says = line.is_within ? pit.within() : pit.outside(), money = (value: number | null) => amount(Math.round(value ?? 0), line.unit);
  return (
    <span class={`band ${line.is_within ? "" : "out"}`}>
      <svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" x="0" y="6" width="100" height="4" /><rect class="range" x={at.low} y="1" width={at.high - at.low} height="14" />
        <rect class="won" x={Math.min(50, at.win)} y="5" width={Math.abs(at.win - 50)} height="6" />
        <rect class="exact" x="49.7" y="0" width=".6" height="16" />
      </svg>
      <i class="mark" style={{ left: `${at.win}%` }} aria-hidden="true" />
      <span class="vh">{pit.bandSays({ low: money(line.low), high: money(line.high) })} {says}</span>
      <span class="edges num" aria-hidden="true"><span>{money(line.low)}</span><span>{money(line.high)}</span></span>
    </span>
  );
}

function columnsOf(head: Column<WinLine>): Column<WinLine>[] {
  const money = (value: number | null, line: WinLine) => (value === null ? "–" : amount(Math.round(value), line.unit));
  return [
    head,
    { key: "rounds", name: pit.rounds(), isNumber: true, value: (line) => line.rounds, cell: (line) => line.rounds.toLocaleString() },
    { key: "staked", name: pit.staked(), isNumber: true, value: (line) => line.staked, cell: (line) => <>{money(line.staked, line)} <small>{line.unit}</small></> },
    { key: "win", name: pit.win(), isNumber: true, value: (line) => line.win, cell: (line) => <b>{money(line.win, line)}</b> },
    { key: "theoretical", name: pit.theoretical(), isNumber: true, value: (line) => line.theoretical, cell: (line) => money(line.theoretical, line) },
    { key: "band", name: pit.band(), cell: (line) => <Band line={line} />, value: (line) => (line.theoretical === null || !line.deviation ? null : Math.abs(line.win - line.theoretical) / line.deviation) },
    { key: "within", name: pit.reading(), cell: (line) => (line.is_within === null ? "–" : <span class={`light ${line.is_within ? "open" : "soon"}`}>{line.is_within ? pit.within() : pit.outside()}</span>) },
  ];
}

const keyOf = (line: WinLine) => [line.table, line.game, line.decks, line.unit, line.wager].join(" ");
/** Games may be read off one table, and tables off one game. */
const about = (line: WinLine) => [line.table === null ? null : tableName(line.table), line.game === null ? null : gameName(line.game), line.decks === null ? null : pit.decks({ decks: line.decks })].filter((each, place, all) => each !== null && all.indexOf(each) === place).join(" · ");

export function Win() {
  const table = chosen("table"), from = since();
  const query = new URLSearchParams({ ...(table ? { table } : {}), ...(from === null ? {} : { since: String(from) }) }).toString();
  const { answer, problem } = useLoaded<WinSaid>(`/api/reports/win${query && `?${query}`}`);
  const wager: Column<WinLine> = {
    key: "name", name: pit.wager(), isHead: true, value: (line) => wagerName(line.game, line.wager ?? ""),
    cell: (line) => <><b dir="auto">{wagerName(line.game, line.wager ?? "")}</b><span class="label block">{about(line)}</span></>,
  };
  const named = (key: string, name: string, of: (line: WinLine) => string, more: (line: WinLine) => string): Column<WinLine> => ({
    key, name, isHead: true, value: of, cell: (line) => <><b dir="auto">{of(line)}</b><span class="label block">{more(line)}</span></>,
  });
  const parts = answer && ([
    [pit.byGame(), answer.games, named("game", pit.game(), (line) => gameName(line.game ?? ""), (line) => line.unit)],
    [pit.byTable(), answer.tables, named("table", pit.table(), (line) => tableName(line.table ?? ""), (line) => (line.game ? gameName(line.game) : line.unit))],
    [pit.byWager(), answer.wagers, wager],
  ] as const);
  return (
    <>
      <Head title={pit.winTitle()} says={pit.winSays()}><TableChoice /><PeriodChoice /></Head>
      {!parts && <OnItsWay problem={problem} />}
      {answer && answer.wagers.length === 0 && <Empty title={pit.noWin()}>{pit.noWinSays()}</Empty>}
      {parts?.map(([title, lines, head]) => lines.length > 0 && <section class="panel" key={title}><h2>{title}</h2><Figures caption={title} rows={lines} columns={columnsOf(head)} keyOf={keyOf} /></section>)}
      {answer && answer.wagers.length > 0 && <p class="muted">{pit.bandHelp()}</p>}
    </>
  );
}
