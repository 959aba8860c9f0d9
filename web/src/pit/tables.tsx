/** The tables as the house wants them: opened, closed, opened again, and their settings. */
import { useState } from "preact/hooks";
import { post, remove } from "../api.ts";
import { Icon } from "../icons.tsx";
import { amount } from "../money.ts";
import { widest } from "../lobby/floor.ts";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { role } from "../session.ts";
import type { OnTheFloor } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { said } from "../words/said.ts";
import { unitOf } from "./alerts.ts";
import { may } from "./duties.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Ask } from "./form.tsx";
import { aboutTable, lookAtFloor, tableName, tables } from "./house.ts";
import { useActing } from "./loaded.ts";
import { TableForm } from "./table_form.tsx";
import { addressWith, chosen, Head, OnItsWay } from "./view.tsx";

/** A table is closed after its round; nothing that lies there is lost, and it may be opened again. */
function OpenOrClose({ table }: { table: OnTheFloor }) {
  const acting = useActing(), [isAsking, setAsking] = useState(false), name = tableName(table.id);
  const action = table.closed ? pit.reopen() : pit.closeTable();
  const submit = () => void acting.act(async () => {
    const path = `/api/tables/${encodeURIComponent(table.id)}`;
    if (table.closed) await post(`${path}/reopen`);
    else await remove(path);
    await lookAtFloor();
    return table.closed ? pit.reopened({ table: name }) : pit.closedNow({ table: name });
  }).then((isDone) => isDone && setAsking(false));
  return (
    <>
      <button type="button" class="btn small quiet" aria-label={`${action}: ${name}`} onClick={() => { acting.forget(); setAsking(true); }}>{action}</button>
      {isAsking && (
        <Ask title={table.closed ? pit.reopenTitle({ table: name }) : pit.closeTitle({ table: name })} action={action} acting={acting} submit={submit} close={() => setAsking(false)} isGrave={!table.closed}>
          <p>{table.closed ? pit.reopenSays() : pit.closeSays()}</p>
          {!table.closed && table.patrons > 0 && <p class="muted">{pit.closePatrons({ patrons: table.patrons })}</p>}
        </Ask>
      )}
    </>
  );
}

export function Tables() {
  const known = tables.value, edited = chosen("table"), isNew = chosen("new") !== null, mayChange = may(role.value, "tables");
  const table = known?.find(({ id }) => id === edited);
  if (isNew && mayChange) return <TableForm table={null} />;
  if (edited !== null && table) return <TableForm key={table.id} table={table} />;
  const columns: Column<OnTheFloor>[] = [
    {
      key: "name", name: pit.table(), isHead: true, value: ({ id }) => tableName(id),
      cell: (each) => <span class="who"><span class="seal" lang="zh-Hant" aria-hidden="true">{sealOf(each.id)}</span><span><Link href={addressWith({ table: each.id })} dir="auto">{tableName(each.id)}</Link><span class="label">{aboutTable(each)}</span></span></span>,
    },
    { key: "state", name: pit.state(), value: ({ closed }) => (closed ? 1 : 0), cell: ({ closed, waits, warnings }) => <span class="state"><span class={`light ${closed ? "idle" : "open"}`}>{closed ? pit.closedTable() : pit.openTable()}</span>{waits && <span class="label">{pit.alertWaits()}</span>}{warnings.length > 0 && <span class="label">{pit.warningsCount({ count: warnings.length })}</span>}</span> },
    { key: "dealing", name: pit.dealing(), value: ({ dealing }) => dealing, cell: ({ dealing }) => (dealing === "virtual" ? pit.virtualShort() : pit.dealer()) },
    { key: "decks", name: pit.decksName(), isNumber: true, value: ({ decks }) => decks, cell: ({ decks }) => decks },
    { key: "limits", name: pit.limits(), isNumber: true, cell: (each) => { const range = widest(each.limits), unit = unitOf(each); return range ? <>{amount(range.minimum, unit)} – {amount(range.maximum, unit)} <small>{unit}</small></> : "–"; } },
    { key: "house", name: pit.houseLimit(), isNumber: true, value: (each) => each.house_limit, cell: (each) => (each.house_limit === null ? pit.noLimit() : amount(each.house_limit, unitOf(each))) },
    {
      key: "do", name: pit.actions(), isWide: true,
      cell: (each) => <span class="doing"><Link class="btn small" href={addressWith({ table: each.id })} aria-label={`${mayChange ? pit.settings() : pit.look()}: ${tableName(each.id)}`}>{mayChange ? pit.settings() : pit.look()}</Link>{mayChange && <OpenOrClose table={each} />}</span>,
    },
  ];
  return (
    <>
      <Head title={pit.tablesTitle()} says={pit.tablesSays()}>{mayChange && <Link class="btn solid" href="/pit/tables?new"><Icon name="plus" size={18} />{pit.openATable()}</Link>}</Head>
      {!known && <OnItsWay problem={null} />}
      {known && edited !== null && !table && <p class="refusal" role="alert">{said("There is no table of that id.")}</p>}
      {known?.length === 0 && <Empty title={pit.noTables()}>{mayChange ? pit.noTablesSays() : pit.directorOpens()}</Empty>}
      {!!known?.length && <section class="panel"><Figures caption={pit.tablesTitle()} rows={known} columns={columns} keyOf={({ id }) => id} classOf={({ closed }) => (closed ? "off" : "")} /></section>}
    </>
  );
}
