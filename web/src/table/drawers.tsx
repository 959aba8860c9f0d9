/** The rule card of the table, and the form to dispute a round. */
import { useSignal } from "@preact/signals";
import type { Ref } from "preact";
import { announce } from "../announced.tsx";
import { post, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { amount } from "../money.ts";
import { Link } from "../router.tsx";
import { me, isStaff } from "../session.ts";
import type { DisputeWithRound, LineTold } from "../types/api.ts";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import { isInRound } from "./model.ts";
import { ratioOf } from "./payments.ts";
import type { Room } from "./room.ts";
import { ratioSaid } from "./spot.tsx";

function Head({ title, id }: { title: string; id: string }) {
  return (
    <form method="dialog" class="dhead">
      <h2 id={id}>{title}</h2>
      <button class="iconbtn" aria-label={table.close()}><Icon name="close" /></button>
    </form>
  );
}

function paysSaid(line: LineTold, currency: string): string {
  const ratio = ratioOf(line);
  if (ratio) return ratioSaid(ratio);
  return line.amount === undefined ? table.returned() : table.amountOf({ amount: amount(line.amount, currency) });
}

export function RuleDrawer({ room, of }: { room: Room; of: Ref<HTMLDialogElement> }) {
  const rules = room.rules.value, state = room.state.value;
  return (
    <dialog ref={of} class="drawer" aria-labelledby="rules-title">
      <Head title={rules ? said(rules.name) : table.ruleCard()} id="rules-title" />
      {rules && state && (
        <>
          <Link class="btn small" href={`/rules/${encodeURIComponent(rules.game)}`}><Icon name="book" size={20} />{table.wholeRules()}</Link>
          {Object.entries(rules.wagers).map(([wager, told]) => {
            const limits = state.limits[wager];
            return (
              <section key={wager}>
                <h3>{said(told.name)} <span class="clause">{said(told.clause)}</span></h3>
                <ul>
                  {[...told.lines, ...told.bonuses].map((line) => (
                    <li key={line.line}><span>{said(line.line)}</span><b>{paysSaid(line, state.currency)}</b><span class="clause">{said(line.clause)}</span></li>
                  ))}
                </ul>
                {limits && (
                  <p class="label">{table.limitsSaid({ minimum: amount(limits.minimum, state.currency), maximum: amount(limits.maximum, state.currency) })} · {table.step()} {amount(limits.step, state.currency)}</p>
                )}
              </section>
            );
          })}
          <section>
            <h3>{table.drawing()}</h3>
            <ul>
              <li><span>{table.naturals()}</span><b>{said(rules.tableau.naturals)}</b></li>
              <li><span>{table.playerDraws()}</span><b>{said(rules.tableau.player_draws)}</b></li>
              <li><span>{table.bankerDrawsAlone()}</span><b>{said(rules.tableau.banker_draws_when_player_stands)}</b></li>
              {Object.entries(rules.tableau.banker_draws).map(([total, cards]) => (
                <li key={total}><span>{table.bankerDraws({ total })}</span><b>{said(cards)}</b></li>
              ))}
            </ul>
          </section>
          <section>
            {state.patron_limit !== null && <p class="label">{table.mostPatron({ amount: amount(state.patron_limit, state.currency) })}</p>}
            {state.table_limit !== null && <p class="label">{table.mostTable({ amount: amount(state.table_limit, state.currency) })}</p>}
            {state.house_limit !== null && <p class="label">{table.mostHouse({ amount: amount(state.house_limit, state.currency) })}</p>}
          </section>
        </>
      )}
    </dialog>
  );
}

export function DisputeDialog({ room, of }: { room: Room; of: Ref<HTMLDialogElement> }) {
  const state = room.state.value, text = useSignal(""), answer = useSignal<(() => string) | null>(null), isSent = useSignal(false);
  const chosen = useSignal<number | null>(null);
  const last = !state ? 0 : state.end?.round ?? (isInRound(state.phase) ? state.round - 1 : state.round);
  const round = chosen.value ?? last;
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      const { dispute } = await post<DisputeWithRound>("/api/disputes", { table: room.id, round, said: text.value });
      isSent.value = true;
      answer.value = () => table.disputeSent({ round: dispute.round });
    } catch (error) {
      answer.value = () => (error instanceof Refusal ? error.sentence : String(error));
    }
    announce(answer.value());
  };
  const mayDispute = me.value !== null && !isStaff.value;
  return (
    <dialog ref={of} class="ask-dialog" aria-labelledby="dispute-title" onClose={() => { isSent.value = false; answer.value = null; chosen.value = null; }}>
      <Head title={table.disputeTitle()} id="dispute-title" />
      {!mayDispute ? <p>{table.disputeNobody()}</p> : last < 1 ? <p>{table.disputeNoRound()}</p> : isSent.value ? <p>{answer.value?.()}</p> : (
        <form class="fields" onSubmit={(event) => void send(event)}>
          <p class="label">{table.disputeText()}</p>
          <label><span class="label">{table.disputeRound()}</span>
            <input type="number" min="1" max={Math.max(1, state?.round ?? 1)} required value={round} onInput={(event) => (chosen.value = event.currentTarget.valueAsNumber || null)} />
          </label>
          <label><span class="label">{table.disputeSaid()}</span>
            <textarea rows={4} maxLength={1000} required value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
          </label>
          {answer.value && <p class="note">{answer.value()}</p>}
          <button class="btn solid">{table.disputeSend()}</button>
        </form>
      )}
    </dialog>
  );
}
