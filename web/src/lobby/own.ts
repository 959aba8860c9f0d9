/** One's own stakes, seen from the lobby: the tables where money of one's own lies are listened to. */
import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Live } from "../live.ts";
import { recentTables } from "../recent.ts";
import { balanceIs, look, me, netChanged, sessions } from "../session.ts";
import { after, type TableState } from "../table/model.ts";
import type { SocketMessage, TableListed } from "../types/api.ts";

export interface OwnStake {
  staked: number;
  spots: number;
  /** What the last round came to, until there is a stake again. */
  net: number | null;
}

export function ownStake(state: TableState | null): OwnStake {
  const stakes = Object.values(state?.stakes ?? {}).filter((each) => each > 0);
  return { staked: stakes.reduce((sum, each) => sum + each, 0), spots: stakes.length, net: state?.end?.net ?? null };
}

/** By table, for those where one was lately and money lies in their currency. */
export function useOwnStakes(tables: readonly TableListed[] | undefined): Signal<Readonly<Record<string, OwnStake>>> {
  const own = useMemo(() => signal<Readonly<Record<string, OwnStake>>>({}), []);
  useEffect(() => {
    if (me.value) void look().catch(() => undefined);
  }, []);
  const held = me.value?.held ?? {};
  const listened = recentTables.value.filter((id) => tables?.some((table) => table.id === id && (held[table.currency] ?? 0) > 0));
  const key = listened.join("\n");
  useEffect(() => {
    const open = listened.map((id) => listen(id, (stake) => (own.value = { ...own.value, [id]: stake })));
    return () => open.forEach((stop) => stop());
  }, [key, sessions.value]);
  return own;
}

function listen(table: string, tell: (stake: OwnStake) => void): () => void {
  let state: TableState | null = null;
  const live = new Live<SocketMessage>(`/api/tables/${encodeURIComponent(table)}/live`, (message) => {
    state = after(state, message);
    if (state === null) return;
    if (message.type === "event" && "net" in message && message.net != null) netChanged(state.currency, message.net);
    if (message.type === "event" && "balance" in message && message.balance != null) balanceIs(state.currency, message.balance);
    tell(ownStake(state));
  }).start();
  return () => live.stop();
}
