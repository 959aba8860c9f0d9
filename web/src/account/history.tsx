/** One's rounds by day, newest first; each leads to its page, and opens to its wagers. */
import { byDay, timeOf } from "../moments.ts";
import { amount, signed } from "../money.ts";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { account } from "../words/account.ts";
import { said } from "../words/said.ts";
import { PageEnd, usePages } from "./pages.tsx";
import { roundHref, tableName, wagerName } from "./tables.ts";
import type { HistoryPage, HistoryRound, Me } from "../types/api.ts";

const WINNERS: Readonly<Record<string, readonly [letter: string, name: () => string]>> = {
  player: ["P", account.player], banker: ["B", account.banker], tie: ["T", account.tie],
};

export function Winner({ of }: { of: string | null }) {
  const found = of === null ? undefined : WINNERS[of];
  return found ? <span class="k"><span class={`tag ${found[0]}`} aria-hidden="true">{found[0]}</span>{found[1]()}</span> : null;
}

function Round({ of }: { of: HistoryRound }) {
  const name = tableName(of.table);
  return (
    <details class="round">
      <summary>
        <span class="seal" lang="zh-Hant" aria-hidden="true">{sealOf(of.table)}</span>
        <span class="what"><b dir="auto">{name}</b><span class="label num">{timeOf(of.time)} · {account.round({ round: of.number })}</span></span>
        <span class="came">
          {of.void ? <span class="k">{account.void()}</span> : <Winner of={of.winner} />}
          {of.corrected && <span class="clause">{account.corrected()}</span>}
        </span>
        <span class="net num"><b class={of.net > 0 ? "up" : ""}>{signed(of.net, of.unit)} <small>{of.unit}</small></b><span class="label">{account.stakedSum({ amount: amount(of.staked, of.unit) })}</span></span>
      </summary>
      <div class="within">
        {of.void && <p>{said(of.void.clause)} {said(of.void.irregularity)}{of.void.note ? `: ${of.void.note}` : ""}</p>}
        <table class="rows">
          <thead><tr><th scope="col">{account.wager()}</th><th scope="col" class="n">{account.stake()}</th><th scope="col">{account.line()}</th><th scope="col" class="n">{account.net()}</th></tr></thead>
          <tbody>
            {Object.entries(of.wagers).map(([wager, { stake, net, pays }]) => (
              <tr key={wager}>
                <th scope="row">{wagerName(of.table, wager)}</th><td class="n num">{amount(stake, of.unit)}</td>
                <td>{pays.length ? pays.map(({ line, clause }, place) => <span key={place} class="paid">{said(line)} <span class="clause">{said(clause)}</span></span>) : "–"}</td>
                <td class="n num">{signed(net, of.unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Link class="btn small" href={roundHref(of.table, of.number)}>{account.toRound()}</Link>
      </div>
    </details>
  );
}

export function History({ known }: { known: Me }) {
  const pages = usePages<HistoryRound, HistoryPage>("/api/history", (page) => page.rounds, known.patron);
  return (
    <section class="list" aria-labelledby="history-title">
      <h2 id="history-title">{account.history()}</h2>
      {byDay(pages.rows ?? []).map(({ day, all }) => (
        <div key={day} class="day"><h3>{day}</h3><div class="panel">{all.map((each) => <Round key={`${each.table}-${each.number}`} of={each} />)}</div></div>
      ))}
      <PageEnd of={pages} none={account.noRounds()} />
    </section>
  );
}
