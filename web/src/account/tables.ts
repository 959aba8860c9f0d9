/** The names of tables and of their wagers, for lists that only know ids: asked for once each. */
import { signal } from "@preact/signals";
import { get } from "../api.ts";
import { said } from "../words/said.ts";
import type { TableList, TableRules } from "../types/api.ts";

const names = signal<Readonly<Record<string, string>> | null>(null);
const wagers = signal<Readonly<Record<string, Readonly<Record<string, string>>>>>({});
const asked = new Set<string>();

export function tableName(id: string): string {
  if (names.value === null && !asked.has("")) {
    asked.add("");
    void get<TableList>("/api/tables").then(
      ({ tables }) => (names.value = Object.fromEntries(tables.map((table) => [table.id, table.name]))),
      () => asked.delete(""),
    );
  }
  return said(names.value?.[id] ?? id);
}

export function wagerName(table: string, wager: string): string {
  if (!(table in wagers.value) && !asked.has(table)) {
    asked.add(table);
    void get<TableRules>(`/api/tables/${encodeURIComponent(table)}/rules`).then(
      ({ card }) => (wagers.value = { ...wagers.value, [table]: Object.fromEntries(Object.entries(card.wagers).map(([id, { name }]) => [id, name])) }),
      () => undefined,
    );
  }
  return said(wagers.value[table]?.[wager] ?? wager);
}

export const roundHref = (table: string, round: number) => `/tables/${encodeURIComponent(table)}/rounds/${round}`;
