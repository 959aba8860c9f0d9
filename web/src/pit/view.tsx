/** What views of the pit are made of: a heading, filters in the address, and what is on its way. */
import type { ComponentChildren } from "preact";
import { address, go, Link } from "../router.tsx";
import type { Refusal } from "../api.ts";
import { pit } from "../words/pit.ts";
import { Refused } from "./form.tsx";
import { tableName, tables } from "./house.ts";

export function Head({ title, says, children }: { title: string; says?: string; children?: ComponentChildren }) {
  return (
    <div class="head">
      <div><h1 tabIndex={-1}>{title}</h1>{says && <p class="muted">{says}</p>}</div>
      {children && <div class="tools">{children}</div>}
    </div>
  );
}

/** The address with other choices: every state of a view can be shared. */
export function addressWith(changes: Readonly<Record<string, string | number | null>>): string {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.searchParams.delete(name);
    else next.searchParams.set(name, String(value));
  }
  return next.pathname + next.search;
}

export const choose = (changes: Readonly<Record<string, string | number | null>>): void => go(addressWith(changes), { replace: true });
export const chosen = (name: string): string | null => address.value.searchParams.get(name);

export function OnItsWay({ problem }: { problem: Refusal | null }) {
  return problem ? <Refused of={problem} /> : <p class="muted" aria-busy="true">{pit.loading()}</p>;
}

/** One of several, as pills; in the address. */
export function Choice<Option extends string>({ name, label, options, at }: { name: string; label: string; options: readonly { value: Option; label: string; count?: number }[]; at: Option }) {
  return (
    <div class="pills" role="group" aria-label={label}>
      {options.map(({ value, label, count }, place) => (
        <button type="button" key={value} aria-pressed={at === value} onClick={() => choose({ [name]: place === 0 ? null : value })}>{label}{count !== undefined && <span class="num"> {count}</span>}</button>
      ))}
    </div>
  );
}

export function TableChoice({ all = true }: { all?: boolean }) {
  const known = tables.value ?? [], at = chosen("table") ?? "";
  return (
    <label class="pick"><span class="vh">{pit.table()}</span>
      <select value={at} onChange={(event) => choose({ table: event.currentTarget.value, shoe: null })}>
        {all ? <option value="">{pit.allTables()}</option> : at === "" && <option value="">{pit.chooseTable()}</option>}
        {known.map((table) => <option key={table.id} value={table.id}>{tableName(table.id)}{table.closed ? ` (${pit.closedTable()})` : ""}</option>)}
        {at !== "" && !known.some(({ id }) => id === at) && <option value={at}>{at}</option>}
      </select>
    </label>
  );
}

const DAY = 86_400_000;
export const PERIODS = ["all", "day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];
const DAYS: Readonly<Record<Period, number | null>> = { all: null, day: 1, week: 7, month: 30 };

export function period(): Period {
  const at = chosen("period");
  return PERIODS.includes(at as Period) ? (at as Period) : "all";
}

/** From when on, to the minute: so that the same choice asks the same. */
export function since(now = Date.now()): number | null {
  const days = DAYS[period()];
  return days === null ? null : Math.floor((now - days * DAY) / 60_000) * 60_000;
}

export function PeriodChoice() {
  const names = { all: pit.always(), day: pit.day(), week: pit.week(), month: pit.month() };
  return <Choice name="period" label={pit.period()} at={period()} options={PERIODS.map((value) => ({ value, label: names[value] }))} />;
}

/** The round's own page: cards, settlement, replay, why each card was drawn. */
export function RoundLink({ table, round }: { table: string; round: number }) {
  return <Link class="round" href={`/tables/${encodeURIComponent(table)}/rounds/${round}`}><bdi>{tableName(table)}</bdi> {pit.roundNumber({ round })}</Link>;
}

export function PatronLink({ id, name }: { id: string; name: string }) {
  return <Link class="patron" href={`/pit/patrons?patron=${encodeURIComponent(id)}`}><bdi>{name}</bdi></Link>;
}
