/** Every posting to one's own account, with what it stood at afterwards. */
import { byDay, timeOf } from "../moments.ts";
import { amount, signed } from "../money.ts";
import { Link } from "../router.tsx";
import { account } from "../words/account.ts";
import { said } from "../words/said.ts";
import { PageEnd, usePages } from "./pages.tsx";
import { roundHref, tableName } from "./tables.ts";
import type { LedgerSaid, Me, PostingSaid } from "../types/api.ts";

const EVENTS: Readonly<Record<string, () => string>> = {
  "stake-changed": account.stakeChanged, "stakes-changed": account.stakeChanged, "round-settled": account.roundSettled, "round-voided": account.roundVoided,
  "round-corrected": account.roundCorrected, "account-adjusted": account.accountAdjusted, "money-issued": account.moneyIssued,
  "money-returned": account.moneyReturned, "money-changed": account.moneyChanged,
};

function Posting({ of }: { of: PostingSaid }) {
  return (
    <tr>
      <td class="num muted wide">{timeOf(of.time)}</td>
      <th scope="row">
        <span class="num label narrow">{timeOf(of.time)}</span>
        {EVENTS[of.event]?.() ?? of.event}{of.account === "owed" ? ` (${account.owed()})` : ""}
        {of.reason && <span class="label" dir="auto">{said(of.reason)}</span>}
        {of.table !== null && of.round !== null && <Link class="label" href={roundHref(of.table, of.round)}>{tableName(of.table)}, {account.round({ round: of.round })}</Link>}
      </th>
      <td class="n num">{signed(of.amount, of.unit)}</td>
      <td class="n num strong">{amount(of.balance, of.unit)} <small>{of.unit}</small></td>
    </tr>
  );
}

export function Ledger({ known }: { known: Me }) {
  const pages = usePages<PostingSaid, LedgerSaid>("/api/ledger", (page) => page.postings, known.patron);
  return (
    <section class="list" aria-labelledby="ledger-title">
      <h2 id="ledger-title">{account.ledger()}</h2>
      <p class="muted">{account.ledgerSays()}</p>
      {byDay(pages.rows ?? []).map(({ day, all }) => (
        <div key={day} class="day">
          <h3>{day}</h3>
          <div class="panel scrolls" tabIndex={0} role="group" aria-label={day}>
            <table class="rows">
              <thead><tr><th scope="col" class="wide">{account.time()}</th><th scope="col">{account.what()}</th><th scope="col" class="n">{account.amount()}</th><th scope="col" class="n">{account.after()}</th></tr></thead>
              <tbody>{all.map((each) => <Posting key={`${each.stream}-${each.version}-${each.account}-${each.unit}`} of={each} />)}</tbody>
            </table>
          </div>
        </div>
      ))}
      <PageEnd of={pages} none={account.noPostings()} />
    </section>
  );
}
