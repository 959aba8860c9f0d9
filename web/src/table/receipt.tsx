/** The round as a list: each wager, the line that decided, its clause and what it came to; and where the round lives. */
import { useSignal } from "@preact/signals";
import { Icon } from "../icons.tsx";
import { amount, signed } from "../money.ts";
import { Link } from "../router.tsx";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import { timeOfDay } from "./light.ts";
import type { Room } from "./room.ts";
import { totalOf } from "./slip.ts";
import { PaidBy } from "./spot.tsx";

export function Receipt({ room }: { room: Room }) {
  const state = room.state.value, end = state?.end, rules = room.rules.value, isCopied = useSignal(false);
  if (!state || !end) return null;
  const at = `/tables/${encodeURIComponent(room.id)}/rounds/${end.round}`, time = timeOfDay(end.time);
  const wagers = Object.entries(end.stakes).map(([wager, stake]) => ({ wager, stake, settled: end.wagers[wager] }))
    .sort((one, other) => (other.settled?.net ?? 0) - (one.settled?.net ?? 0));
  const { currency } = state, net = end.void ? 0 : (end.net ?? 0);
  return (
    <section class="panel receipt" aria-labelledby="receipt-title">
      <div class="rhead">
        <h2 id="receipt-title"><Link href={at}>{table.roundTitle({ round: end.round })}</Link></h2>
        <span class="label num">{[state.closedAt === null ? null : timeOfDay(state.closedAt), end.void ? table.voidedAt({ time }) : table.settledAt({ time })].filter(Boolean).join(" · ")}</span>
      </div>
      {wagers.length === 0 ? <p class="label">{table.noWagers()}</p> : (
        <table>
          <thead><tr><th scope="col">{table.receiptHead()}</th><th scope="col">{table.stake()}</th><th scope="col">{table.net()}</th></tr></thead>
          <tbody>
            {wagers.map(({ wager, stake, settled }) => (
              <tr class={settled && settled.net > 0 ? "win" : ""} key={wager}>
                <th scope="row">
                  {said(rules?.wagers[wager]?.name ?? wager)}
                  <small>
                    {settled?.pays.map((paid, place) => <PaidBy paid={paid} told={rules?.wagers[wager]} key={place} />)}
                    {settled && settled.pays.length === 0 && table.noLine()}
                    {settled?.net === 0 && ` ${table.pushReturned({ amount: amount(stake, currency) })}`}
                    {end.void && table.voidReturned({ amount: amount(stake, currency) })}
                  </small>
                </th>
                <td class="num">{amount(stake, currency)}</td>
                <td class="num amt">{signed(settled?.net ?? 0, currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot><tr><th scope="row">{table.roundTotal()}</th><td class="num">{amount(totalOf(end.stakes), currency)}</td><td class={`num amt ${net > 0 ? "up" : ""}`}>{signed(net, currency)}</td></tr></tfoot>
        </table>
      )}
      <div class="racts">
        <Link class="btn small" href={`${at}#verify`}><Icon name="shield" size={20} />{table.verify()}</Link>
        <Link class="btn small" href={`${at}#replay`}><Icon name="play" size={18} />{table.replay()}</Link>
        <button
          type="button" class="btn small"
          onClick={() => {
            void navigator.clipboard?.writeText(new URL(at, location.href).href).then(() => (isCopied.value = true), () => undefined);
          }}
        ><Icon name={isCopied.value ? "check" : "link"} size={20} />{isCopied.value ? table.copied() : table.copyAddress()}</button>
      </div>
    </section>
  );
}
