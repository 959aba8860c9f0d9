/** What waits for a second person: what was asked, why, by which clause, and what it will do. */
import { useState } from "preact/hooks";
import { newId, post } from "../api.ts";
import { amount, signed } from "../money.ts";
import { me, role } from "../session.ts";
import type { Asked, IrregularityList, RequestList, RoundSaid } from "../types/api.ts";
import { pit, requestStates } from "../words/pit.ts";
import { irregularities } from "../words/round.ts";
import { said } from "../words/said.ts";
import { type AskedFor, askedFor, isWaiting } from "./asked.ts";
import { may } from "./duties.ts";
import { Empty } from "./figures.tsx";
import { Ask, Field } from "./form.tsx";
import { disputesChanged, moment, news, personName, tableName, tableUnit } from "./house.ts";
import { useActing, useLoaded } from "./loaded.ts";
import { rateOf } from "./typed.ts";
import { Choice, chosen, Head, OnItsWay, PatronLink, RoundLink } from "./view.tsx";

function titleOf(asked: AskedFor): string {
  const values = { table: asked.table === null ? "" : tableName(asked.table), round: asked.round ?? "" };
  const unit = asked.unit ?? "", money = asked.amount === null ? "" : `${amount(Math.abs(asked.amount), unit)} ${unit}`;
  switch (asked.kind) {
    case "void": return pit.askVoid(values);
    case "correct": return pit.askCorrect(values);
    case "adjust": return pit.askAdjust({ ...values, money: `${signed(asked.amount ?? 0, unit)} ${unit}` });
    case "issue": return pit.askIssue({ money });
    case "return": return pit.askReturn({ money });
    case "change": return pit.askChange({ money, takes: asked.takes ?? "" });
    case "rate": return pit.askRate({ gives: unit, takes: asked.takes ?? "", rate: rateSaid(asked) });
    case "other": return pit.askOther();
  }
}

function rateSaid({ unit, takes, numerator, denominator }: AskedFor): string {
  if (!unit || !takes || numerator === null || !denominator) return "";
  return String(Number(rateOf({ gives: unit, takes, numerator, denominator }).toPrecision(9)));
}

/** What approving will do, in a sentence. */
function Effect({ asked, request }: { asked: AskedFor; request: Asked }) {
  const isOfTable = (asked.kind === "void" || asked.kind === "correct") && asked.table !== null;
  const mayLook = may(role.value, "decide") && isWaiting(request.state);
  const path = isOfTable && mayLook ? `/api/tables/${encodeURIComponent(asked.table ?? "")}/irregularities` : null;
  const list = useLoaded<IrregularityList>(path).answer?.irregularities;
  // Once it is done the round has the clause of its void, and no longer the cards of before.
  const isOver = !isWaiting(request.state), wantsRound = isOver ? asked.kind === "void" : asked.kind === "correct";
  const round = useLoaded<RoundSaid>(wantsRound && asked.table !== null && asked.round !== null ? `/api/tables/${encodeURIComponent(asked.table)}/rounds/${asked.round}` : null).answer;
  const before = isOver ? null : round;
  const found = list?.find((each) => each.irregularity === asked.irregularity);
  const why = asked.irregularity !== null && asked.irregularity in irregularities ? irregularities[asked.irregularity as keyof typeof irregularities]() : asked.irregularity;
  const clause = found?.clause ?? round?.void?.clause, patron = asked.patron === null ? "" : personName(asked.patron, request);
  return (
    <dl class="facts">
      {asked.kind === "void" && <div><dt>{pit.because()}</dt><dd>{clause && <span class="clause">{clause}</span>} {why}{found && <span class="muted block">{said(found.text)}</span>}</dd></div>}
      {asked.kind === "correct" && (
        <div><dt>{pit.cards()}</dt><dd class="deals">{before && <del aria-label={pit.before({ deal: before.deal })}>{before.deal}</del>}<ins aria-label={pit.after({ deal: asked.deal ?? "" })}>{asked.deal}</ins></dd></div>
      )}
      {(!isOver || request.state === "approved") && <div><dt>{isOver ? pit.did() : pit.does()}</dt><dd>
        {asked.kind === "void" && (typeof found?.returns === "number" ? pit.doesReturn({ amount: `${amount(found.returns, tableUnit(asked.table ?? ""))} ${tableUnit(asked.table ?? "")}` }) : pit.doesVoid())}
        {asked.kind === "correct" && pit.doesCorrect()}
        {(asked.kind === "adjust" || asked.kind === "issue" || asked.kind === "return" || asked.kind === "change") && pit[asked.kind === "adjust" ? ((asked.amount ?? 0) < 0 ? "doesTake" : "doesGive") : asked.kind === "issue" ? "doesGive" : asked.kind === "return" ? "doesTake" : "doesChange"]({ patron })}
        {asked.kind === "rate" && pit.doesRate()}
        {asked.kind === "other" && <code>{JSON.stringify(request.body)}</code>}
      </dd></div>}
      {asked.patron !== null && <div><dt>{pit.patron()}</dt><dd><PatronLink id={asked.patron} name={patron} /></dd></div>}
      {asked.table !== null && asked.round !== null && <div><dt>{pit.round()}</dt><dd><RoundLink table={asked.table} round={asked.round} /></dd></div>}
    </dl>
  );
}

function Decision({ request, asked, done }: { request: Asked; asked: AskedFor; done: () => void }) {
  const [doing, setDoing] = useState<"approve" | "decline" | null>(null);
  const [note, setNote] = useState(""), [id, setId] = useState(newId), acting = useActing();
  const isOwn = request.asked_by === me.value?.patron, isMine = asked.patron !== null && asked.patron === me.value?.patron;
  const open = (what: "approve" | "decline") => {
    setId(newId());
    acting.forget();
    setDoing(what);
  };
  const submit = () => void acting.act(async () => {
    await post(`/api/requests/${request.id}/${doing}`, doing === "approve" ? { id } : { id, note: note.trim() });
    return doing === "approve" ? pit.approved() : isOwn ? pit.withdrawn() : pit.declined();
  }).then((isDone) => {
    if (!isDone) return;
    setDoing(null);
    done();
    disputesChanged();
  });
  const declines = isOwn ? pit.withdraw() : pit.decline();
  if (!may(role.value, "decide")) return null;
  return (
    <div class="actions">
      {isOwn && <p class="muted">{pit.another()}</p>}
      {!isOwn && !isMine && <button type="button" class="btn solid" onClick={() => open("approve")}>{pit.approve()}</button>}
      <button type="button" class="btn" onClick={() => open("decline")}>{declines}</button>
      {doing && (
        <Ask title={titleOf(asked)} action={doing === "approve" ? pit.approve() : declines} acting={acting} submit={submit} close={() => setDoing(null)}>
          {doing === "approve"
            ? <><p>{pit.approveSays({ who: personName(request.asked_by, request) })}</p><p class="quote" dir="auto">{asked.reason}</p></>
            : <Field label={isOwn ? pit.withdrawNote() : pit.declineNote()} value={note} set={setNote} isLong more={{ maxLength: 500, required: !isOwn }} />}
        </Ask>
      )}
    </div>
  );
}

function Card({ request, done }: { request: Asked; done: () => void }) {
  const asked = askedFor(request), isOver = !isWaiting(request.state);
  return (
    <article class={`panel card ${isOver ? "over" : ""}`}>
      <div class="top"><h2 dir="auto">{titleOf(asked)}</h2>{isOver && <span class={`light ${request.state === "approved" ? "open" : request.state === "declined" ? "shut" : "idle"}`}>{requestStates[request.state as keyof typeof requestStates]?.() ?? request.state}</span>}</div>
      <p class="label">{pit.askedBy({ who: personName(request.asked_by, request), when: moment(request.asked) })}</p>
      {asked.reason && <p class="quote" dir="auto">{asked.reason}</p>}
      <Effect asked={asked} request={request} />
      {isOver && request.decided_by && <p class="label">{pit.decidedBy({ who: personName(request.decided_by, request), when: moment(request.decided) })}{request.note && <span class="quote" dir="auto">{request.note}</span>}</p>}
      {!isOver && <Decision request={request} asked={asked} done={done} />}
    </article>
  );
}

export function Approvals() {
  const state = chosen("state") === "decided" ? "decided" : "waiting";
  const { answer, problem, again } = useLoaded<RequestList>(state === "decided" ? "/api/requests?state=decided" : "/api/requests", news.value);
  const requests = answer?.requests.filter((each) => isWaiting(each.state) === (state === "waiting"));
  return (
    <>
      <Head title={pit.approvalsTitle()} says={pit.approvalsSays()}>
        <Choice name="state" label={pit.state()} at={state} options={[{ value: "waiting", label: pit.waitingOnes() }, { value: "decided", label: pit.decidedOnes() }]} />
      </Head>
      {!requests && <OnItsWay problem={problem} />}
      {requests?.length === 0 && <Empty title={state === "waiting" ? pit.nothingWaits() : pit.nothingDecided()}>{state === "waiting" ? pit.nothingWaitsSays() : undefined}</Empty>}
      <div class="cards">{requests?.map((each) => <Card key={each.id} request={each} done={again} />)}</div>
    </>
  );
}
