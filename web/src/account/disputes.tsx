/** Rounds that one has disputed, and what was decided. */
import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api.ts";
import { momentOf } from "../moments.ts";
import { Link } from "../router.tsx";
import { look } from "../session.ts";
import { account } from "../words/account.ts";
import { Answer, useAsking } from "./asking.tsx";
import { roundHref, tableName } from "./tables.ts";
import type { DisputeList, DisputeSaid, Me } from "../types/api.ts";

const STATES = { open: account.disputeOpen, assigned: account.disputeAssigned, decided: account.disputeDecided };
const OUTCOMES = { upheld: account.upheld, rejected: account.rejected };

function Dispute({ of, seen }: { of: DisputeSaid; seen: () => void }) {
  return (
    <article class="panel box dispute">
      <div class="top">
        <h3><Link href={roundHref(of.table, of.round)}>{tableName(of.table)}, {account.round({ round: of.round })}</Link></h3>
        <span class={`light ${of.state === "decided" ? "idle" : "soon"}`}>{of.outcome ? OUTCOMES[of.outcome]() : STATES[of.state]()}</span>
      </div>
      <p class="label">{momentOf(of.opened)}</p>
      <blockquote dir="auto">{of.said}</blockquote>
      {of.decision !== null && <div class="decision"><b>{account.decision()}</b>{of.decided !== null && <span class="label"> {momentOf(of.decided)}</span>}<p dir="auto">{of.decision}</p></div>}
      {of.decision !== null && of.told === null && <div><button type="button" class="btn small" onClick={seen}>{account.seen()}</button></div>}
    </article>
  );
}

export function Disputes({ known }: { known: Me }) {
  const [disputes, setDisputes] = useState<readonly DisputeSaid[] | null>(null), asking = useAsking();
  const load = () => void asking.ask(async () => {
    setDisputes((await get<DisputeList>("/api/disputes")).disputes);
    return null;
  });
  useEffect(load, [known.patron, known.notices.length]);
  const seen = (id: string) => void asking.ask(async () => {
    await post(`/api/disputes/${encodeURIComponent(id)}/seen`);
    await look();
    return null;
  });
  return (
    <section class="list" aria-labelledby="disputes-title">
      <h2 id="disputes-title">{account.disputes()}</h2>
      <p class="muted">{account.disputesSay()}</p>
      <Answer of={asking} />
      {disputes?.length === 0 && <p class="muted nothing">{account.noDisputes()}</p>}
      {disputes?.map((each) => <Dispute key={each.id} of={each} seen={() => seen(each.id)} />)}
    </section>
  );
}
