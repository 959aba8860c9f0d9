/** All tables live: what they do, what they hold, what they may cost, and what wants somebody's eye. */
import { useEffect, useState } from "preact/hooks";
import { newId } from "../api.ts";
import { serverNow, tick } from "../clock.ts";
import { Icon } from "../icons.tsx";
import { stateOf } from "../lobby/floor.ts";
import { amount } from "../money.ts";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { role } from "../session.ts";
import type { OnTheFloor, RequestList, TableListed } from "../types/api.ts";
import { lobby as lobbyWords } from "../words/lobby.ts";
import { pit } from "../words/pit.ts";
import { said } from "../words/said.ts";
import { type Alert, alertsOf, NEAR, shareOfLimit, sums, unitOf } from "./alerts.ts";
import { may } from "./duties.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Ask, Field } from "./form.tsx";
import { aboutTable, command, lobby, lookAtFloor, news, openDisputes, tableName, tables } from "./house.ts";
import { useActing, useLoaded } from "./loaded.ts";
import { Head } from "./view.tsx";

/** Money and exposure are not on the lobby's socket. */
const LOOKS_EVERY = 2_000;

function useFloorLive(): void {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void lookAtFloor().catch(() => undefined), LOOKS_EVERY);
    return () => clearInterval(timer);
  }, []);
}

function State({ table, listed }: { table: OnTheFloor; listed: TableListed | undefined }) {
  void tick.value;
  if (table.closed || !listed) return <span class="light idle">{table.closed ? pit.closedTable() : pit.notUp()}</span>;
  const { light, word, seconds, detail } = stateOf(listed, serverNow());
  return (
    <span class="state">
      <span class={`light ${light}`}>{lobbyWords[word]()}</span>
      {seconds !== null ? <b class="num">{lobbyWords.seconds({ seconds })}</b> : detail !== null && light !== "idle" && <span class="label">{lobbyWords[detail]()}</span>}
    </span>
  );
}

const ALERT_WORDS = { stopped: pit.alertStopped, paused: pit.alertPaused, request: pit.alertRequest, nearLimit: pit.alertNear, waits: pit.alertWaits };
const GRAVE = new Set<Alert["kind"]>(["stopped", "paused", "request"]);

function Alerts({ of }: { of: readonly Alert[] }) {
  if (!of.length) return <span class="label none"><span aria-hidden="true">–</span><span class="vh">{pit.noAlerts()}</span></span>;
  return (
    <ul class="alerts">
      {of.map(({ kind, text }, place) => (
        <li key={place}><span class={`light ${GRAVE.has(kind) ? "shut" : "soon"}`}>{ALERT_WORDS[kind]()}</span>{text && <span class="muted" dir="auto">{said(text)}</span>}</li>
      ))}
    </ul>
  );
}

function Exposure({ table }: { table: OnTheFloor }) {
  const share = shareOfLimit(table), unit = unitOf(table);
  if (table.exposure === null) return <>–</>;
  return (
    <>
      {amount(table.exposure, unit)}
      {share !== null && (
        <span class="ofLimit"><span class={`meterbar ${share >= NEAR ? "near" : ""}`} aria-hidden="true"><i style={{ width: `${Math.min(100, share * 100).toFixed(1)}%` }} /></span><small>{pit.ofLimit({ limit: amount(table.house_limit ?? 0, unit) })}</small></span>
      )}
    </>
  );
}

/** Stop a table with a reason that everybody is told, or let it go on. */
function Lead({ table }: { table: OnTheFloor }) {
  const acting = useActing(), [isAsking, setAsking] = useState(false), [reason, setReason] = useState(""), [id, setId] = useState(newId);
  const name = tableName(table.id), isPaused = table.paused !== null;
  const submit = () => void acting.act(async () => {
    await command(table.id, isPaused ? { id, do: "resume" } : { id, do: "pause", reason: reason.trim() });
    await lookAtFloor();
    return isPaused ? pit.resumed({ table: name }) : pit.pausedNow({ table: name });
  }).then((isDone) => isDone && setAsking(false));
  const open = () => {
    setId(newId());
    setReason("");
    acting.forget();
    setAsking(true);
  };
  return (
    <>
      <button type="button" class="btn small" aria-label={`${isPaused ? pit.resume() : pit.pause()}: ${name}`} onClick={open}><Icon name={isPaused ? "play" : "pause"} size={18} />{isPaused ? pit.resume() : pit.pause()}</button>
      {isAsking && (
        <Ask title={isPaused ? pit.resumeTitle({ table: name }) : pit.pauseTitle({ table: name })} action={isPaused ? pit.resume() : pit.pause()} acting={acting} submit={submit} close={() => setAsking(false)}>
          {isPaused ? <p>{pit.resumeSays()} <span class="muted" dir="auto">{said(table.paused ?? "")}</span></p>
            : <Field label={pit.pauseWhy()} help={pit.pauseHelp()} value={reason} set={setReason} more={{ required: true, maxLength: 200 }} />}
        </Ask>
      )}
    </>
  );
}

function Summary({ open, waiting }: { open: readonly OnTheFloor[]; waiting: number }) {
  const patrons = open.reduce((sum, table) => sum + table.patrons, 0);
  return (
    <dl class="summary">
      <div class="panel"><dt>{pit.openTables()}</dt><dd class="num">{open.length}</dd></div>
      <div class="panel"><dt>{pit.patronsHere()}</dt><dd class="num">{patrons}</dd></div>
      {sums(open).map((sum) => (
        <div class="panel" key={sum.unit}><dt>{pit.heldIn({ unit: sum.unit })}</dt><dd class="num">{amount(sum.held, sum.unit)}<small>{pit.atMost({ amount: amount(sum.exposure, sum.unit) })}</small></dd></div>
      ))}
      <div class={`panel ${waiting ? "wants" : ""}`}><dt>{pit.waitsHere()}</dt><dd class="num">{waiting ? <Link href="/pit/approvals">{waiting}</Link> : 0}</dd></div>
      <div class={`panel ${openDisputes.value ? "wants" : ""}`}><dt>{pit.disputesHere()}</dt><dd class="num">{openDisputes.value ? <Link href="/pit/disputes">{openDisputes.value}</Link> : 0}</dd></div>
    </dl>
  );
}

export function FloorView() {
  useFloorLive();
  const requests = useLoaded<RequestList>("/api/requests", news.value).answer?.requests ?? [];
  const open = tables.value?.filter((table) => !table.closed);
  if (!open) return <><Head title={pit.floorTitle()} says={pit.floorSays()} /><p class="muted" aria-busy="true">{pit.loading()}</p></>;
  const listed = new Map(lobby.value?.tables.map((table) => [table.id, table]));
  const alerts = new Map(open.map((table) => [table.id, alertsOf(table, requests)]));
  const columns: Column<OnTheFloor>[] = [
    {
      key: "table", name: pit.table(), isHead: true, value: (table) => tableName(table.id),
      cell: (table) => (
        <span class="who"><span class="seal" lang="zh-Hant" aria-hidden="true">{sealOf(table.id)}</span><span><Link href={`/tables/${encodeURIComponent(table.id)}`} dir="auto">{tableName(table.id)}</Link><span class="label">{aboutTable(table)}</span></span></span>
      ),
    },
    { key: "state", name: pit.state(), cell: (table) => <State table={table} listed={listed.get(table.id)} /> },
    { key: "round", name: pit.shoeAndRound(), isNumber: true, cell: (table) => { const at = listed.get(table.id); return at?.round ? `${at.shoe} · ${at.round}` : "–"; } },
    { key: "patrons", name: pit.patrons(), isNumber: true, value: (table) => table.patrons, cell: (table) => table.patrons },
    { key: "held", name: pit.held(), isNumber: true, value: (table) => table.held, cell: (table) => <>{amount(table.held, unitOf(table))} <small>{unitOf(table)}</small></> },
    { key: "exposure", name: pit.exposure(), isNumber: true, value: (table) => table.exposure, cell: (table) => <Exposure table={table} /> },
    { key: "alerts", name: pit.alerts(), value: (table) => -(alerts.get(table.id)?.length ?? 0), cell: (table) => <Alerts of={alerts.get(table.id) ?? []} /> },
    {
      key: "do", name: pit.actions(), isWide: true,
      cell: (table) => (
        <span class="doing">
          {may(role.value, "lead") && <Lead table={table} />}
          {may(role.value, "lead") && table.dealing === "dealer" && <Link class="btn small" href={`/dealer/${encodeURIComponent(table.id)}`} aria-label={`${pit.console()}: ${tableName(table.id)}`}><Icon name="scan" size={18} />{pit.console()}</Link>}
          <Link class="btn small quiet" href={`/pit/rounds?table=${encodeURIComponent(table.id)}`} aria-label={`${pit.itsRounds()}: ${tableName(table.id)}`}>{pit.itsRounds()}</Link>
        </span>
      ),
    },
  ];
  return (
    <>
      <Head title={pit.floorTitle()} says={pit.floorSays()} />
      <Summary open={open} waiting={lobby.value?.waiting ?? 0} />
      {open.length === 0 ? <Empty title={pit.noTables()}>{may(role.value, "tables") ? <Link href="/pit/tables">{pit.openOne()}</Link> : pit.directorOpens()}</Empty> : (
        <section class="panel"><Figures caption={pit.floorTitle()} rows={open} columns={columns} keyOf={(table) => table.id} classOf={(table) => (alerts.get(table.id)?.some(({ kind }) => GRAVE.has(kind)) ? "alert" : "")} /></section>
      )}
    </>
  );
}
