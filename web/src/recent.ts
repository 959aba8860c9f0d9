/** The tables that somebody was at last, newest first: the lobby marks theirs. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";
import { matched, path } from "./router.tsx";

const MOST = 4;

function keptTables(): readonly string[] {
  try {
    const known: unknown = JSON.parse(kept("tables") ?? "[]");
    return Array.isArray(known) ? known.filter((each): each is string => typeof each === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export const recentTables = signal<readonly string[]>(keptTables());

effect(() => {
  const table = matched("/tables/:table", path.value)?.table;
  const before = recentTables.peek();
  if (table === undefined || before[0] === table) return;
  recentTables.value = [table, ...before.filter((each) => each !== table)].slice(0, MOST);
  keep("tables", JSON.stringify(recentTables.value));
});
