/** A table joined by its socket: how it stands, and a way to ask. One page has one of these for each table it shows. */
import { effect, signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Live } from "../live.ts";
import { sessions } from "../session.ts";
import type { SocketMessage } from "../types/api.ts";
import { after, type TableState } from "./model.ts";

export interface Joined {
  state: Signal<TableState | null>;
  live: Live<SocketMessage>;
}

export function useTable(table: string, hear: (message: SocketMessage) => void = () => undefined): Joined {
  const joined = useMemo(() => {
    const state = signal<TableState | null>(null);
    const live = new Live<SocketMessage>(`/api/tables/${encodeURIComponent(table)}/live`, (message) => {
      state.value = after(state.value, message);
      hear(message);
    });
    return { state, live };
  }, [table]);
  useEffect(() => {
    joined.live.start();
    let isFirst = true;
    // Whoever signs in or out is somebody else at the table.
    const stop = effect(() => {
      void sessions.value;
      if (!isFirst) joined.live.again();
      isFirst = false;
    });
    return () => {
      stop();
      joined.live.stop();
    };
  }, [joined]);
  return joined;
}
