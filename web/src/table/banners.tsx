/** What has to be known before anything else: pauses, voids, corrections, a table that has stopped. */
import type { ComponentChildren } from "preact";
import { Icon } from "../icons.tsx";
import { clauseOf } from "../lobby/floor.ts";
import { amount, signed } from "../money.ts";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import type { Room } from "./room.ts";
import { totalOf } from "./slip.ts";

function Notice({ children, clause, onClose }: { children: ComponentChildren; clause?: string | undefined; onClose?: () => void }) {
  return (
    <div class="notice">
      <p>{children}</p>
      {clause && <span class="clause">{said(clause)}</span>}
      {onClose && <button type="button" class="iconbtn" aria-label={table.close()} onClick={onClose}><Icon name="close" size={20} /></button>}
    </div>
  );
}

export function Banners({ room }: { room: Room }) {
  const state = room.state.value;
  if (!state) return null;
  const { end, currency } = state, paused = state.paused ? clauseOf(state.paused) : null;
  return (
    <div class="notices">
      {state.isClosed && <Notice>{table.closedWhy()}</Notice>}
      {state.stopped && <Notice>{said(state.stopped)}</Notice>}
      {paused && <Notice clause={paused.clause ?? undefined}><b>{table.pausedWhy({ reason: said(paused.text) })}</b> {table.pausedStands()}</Notice>}
      {end?.void && (
        <Notice clause={end.void.clause}>
          <b>{table.voidWhy({ round: end.round, reason: said(end.void.irregularity) })}</b> {said(end.void.note)}{" "}
          {totalOf(end.stakes) > 0 && table.voidBack({ amount: amount(totalOf(end.stakes), currency) })}
        </Notice>
      )}
      {end?.corrected && (
        <Notice clause={end.corrected.clause}>
          <b>{table.correctedWhy({ round: end.round, reason: said(end.corrected.note) })}</b>{" "}
          {end.corrected.moved ? table.correctedMoved({ amount: signed(end.corrected.moved, currency) }) : ""}
        </Notice>
      )}
      {room.news.value.map((sentence, place) => <Notice key={place} onClose={() => room.dismiss(sentence)}>{sentence()}</Notice>)}
    </div>
  );
}
