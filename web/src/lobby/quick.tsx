/** A table seen without leaving the lobby: what happens there at this moment, what has come, and what may be staked. */
import { signal, useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { get } from "../api.ts";
import { Icon } from "../icons.tsx";
import { Live } from "../live.ts";
import { amount } from "../money.ts";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { sessions } from "../session.ts";
import { after, type TableState } from "../table/model.ts";
import { lobby } from "../words/lobby.ts";
import { said } from "../words/said.ts";
import { ResultCounts, Road, subtitle } from "./card.tsx";
import { Bar, When } from "./state.tsx";
import { Hands } from "./hands.tsx";
import type { SocketMessage, TableListed, TableRules } from "../types/api.ts";

function useTable(id: string) {
  const state = useMemo(() => signal<TableState | null>(null), [id]);
  const rules = useMemo(() => signal<TableRules | null>(null), [id]);
  useEffect(() => {
    const address = `/api/tables/${encodeURIComponent(id)}`;
    const live = new Live<SocketMessage>(`${address}/live`, (message) => (state.value = after(state.value, message))).start();
    void get<TableRules>(`${address}/rules`).then((found) => (rules.value = found), () => undefined);
    return () => live.stop();
  }, [id, sessions.value]);
  return { state, rules };
}

interface QuickProperties {
  table: TableListed;
  game: string | undefined;
  opensFor: number | undefined;
  close: () => void;
}

export function QuickView({ table, game, opensFor, close }: QuickProperties) {
  const dialog = useRef<HTMLDialogElement>(null), { state, rules } = useTable(table.id);
  useEffect(() => {
    const before = document.activeElement;
    if (!dialog.current?.open) dialog.current?.showModal();
    // Whoever goes back in the browser's history takes the dialog away without closing it.
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, []);
  // The socket of the table is ahead of the lobby's, which gathers for a second.
  const shown = useComputed<TableListed>(() => (state.value ? { ...table, ...listedPart(state.value) } : table)).value;
  const card = rules.value?.card;
  return (
    <dialog
      ref={dialog} class="quick" aria-labelledby="quick-title" onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="quickhead">
        <span class="seal" lang="zh-Hant" aria-hidden="true">{sealOf(table.id)}</span>
        <div class="nm"><h2 id="quick-title" dir="auto">{said(table.name)}</h2><p>{subtitle(table, game)}</p></div>
        <button type="button" class="iconbtn" aria-label={lobby.close()} onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
      <div class="quickstate">
        <span class="label">{lobby.shoe({ shoe: shown.shoe })} · {lobby.round({ round: shown.round })}{state.value ? ` · ${lobby.cardsLeft({ cards: state.value.cards_left })}` : ""}</span>
        <When table={shown} />
      </div>
      <Bar table={shown} opensFor={opensFor} />
      <Hands deal={state.value?.deal ?? null} pack={card?.pack ?? null} result={state.value?.end?.result ?? state.value?.result ?? null} />
      <Road results={shown.results} />
      <div class="foot"><ResultCounts results={shown.results} /><span class="k pat"><Icon name="people" size={18} />{lobby.watching({ patrons: shown.patrons, watching: Math.max(0, shown.watching - shown.patrons) })}</span></div>
      {card && (
        <table class="quicklimits">
          <thead><tr><th scope="col">{lobby.spot()}</th><th scope="col" class="n">{lobby.limitsAll()}, {shown.currency}</th></tr></thead>
          <tbody>
            {Object.entries(shown.limits).map(([wager, limits]) => (
              <tr key={wager}><th scope="row">{said(card.wagers[wager]?.name ?? wager)}</th><td class="n num">{amount(limits.minimum, shown.currency)} – {amount(limits.maximum, shown.currency)}</td></tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="quickgo">
        <Link class="btn solid" href={`/tables/${encodeURIComponent(table.id)}`}>{lobby.sit()}</Link>
        <Link class="btn quiet" href={`/rules/${encodeURIComponent(table.game)}`}><Icon name="book" size={20} />{lobby.ruleCard()}</Link>
      </div>
    </dialog>
  );
}

function listedPart({ phase, paused, closes_at, round, shoe, results, limits, trouble, stopped }: TableState): Partial<TableListed> {
  return { phase, paused, closes_at, round, shoe, results, limits, trouble: stopped ?? trouble };
}
