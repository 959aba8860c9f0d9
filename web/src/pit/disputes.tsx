/** Disputes: opened by a patron, taken up, decided with a reason, and the patron told. */
import { useState } from "preact/hooks";
import { post } from "../api.ts";
import { amount, signed } from "../money.ts";
import { me, role } from "../session.ts";
import type { DisputeList, DisputeSaid, DisputeWithRound, Outcome, RoundSaid, Staff, StaffList } from "../types/api.ts";
import { outcomes, pit } from "../words/pit.ts";
import { may } from "./duties.ts";
import { Empty } from "./figures.tsx";
import { Ask, Field } from "./form.tsx";
import { disputesChanged, moment, openDisputes, personName, wagerName } from "./house.ts";
import { useActing, useLoaded } from "./loaded.ts";
import { Choice, chosen, Head, OnItsWay, PatronLink, RoundLink } from "./view.tsx";

const STATES = ["open", "assigned", "decided"] as const;
type State = (typeof STATES)[number];

/** The round with the patron's own wagers, as the record has it. */
function Recorded({ id }: { id: string }) {
  const { answer, problem } = useLoaded<DisputeWithRound>(`/api/disputes/${id}`);
  if (!answer) return <OnItsWay problem={problem} />;
  const { round } = answer, staked = Object.entries(round.wagers);
  return (
    <dl class="facts">
      <div><dt>{pit.cards()}</dt><dd class="deals">{round.deal}</dd></div>
      <div><dt>{pit.result()}</dt><dd>{round.void ? pit.voidKind() : resultOf(round)}</dd></div>
      {staked.map(([wager, { stake, net }]) => (
        <div key={wager}><dt>{wagerName(round.game, wager)}</dt><dd class="num">{amount(stake, round.unit)} {round.unit} → {signed(net, round.unit)}</dd></div>
      ))}
      {staked.length === 0 && <div><dt>{pit.stakes()}</dt><dd>{pit.noStakes()}</dd></div>}
    </dl>
  );
}

function resultOf({ winner, player_total: player, banker_total: banker }: RoundSaid): string {
  const who = winner === "banker" ? pit.banker() : winner === "player" ? pit.player() : winner === "tie" ? pit.tie() : "–";
  return player === null || banker === null ? who : `${who}, ${pit.totalsSaid({ player, banker })}`;
}

/** Who may decide a dispute, as far as this person may know the staff: a director does. */
function useDeciders(): readonly Staff[] {
  const list = useLoaded<StaffList>(may(role.value, "staff") ? "/api/staff" : null).answer?.staff ?? [];
  return list.filter((each) => may(each.role, "disputes"));
}

function Assign({ dispute, done }: { dispute: DisputeSaid; done: () => void }) {
  const acting = useActing(), deciders = useDeciders(), [isAsking, setAsking] = useState(false), [to, setTo] = useState("");
  const own = me.value?.patron ?? "", options = deciders.length ? deciders.map(({ id, name }) => ({ value: id, label: id === own ? pit.you({ name }) : name })) : null;
  const submit = () => void acting.act(async () => {
    const { assigned_to } = await post<DisputeSaid>(`/api/disputes/${dispute.id}/assign`, to && to !== own ? { to } : {});
    return assigned_to === own ? pit.takenUp() : pit.handedOn();
  }).then((isDone) => {
    if (!isDone) return;
    setAsking(false);
    done();
  });
  const title = dispute.assigned_to === null ? pit.takeUp() : dispute.assigned_to === own ? pit.handOn() : pit.takeOver();
  if (dispute.assigned_to === own && !options) return null;
  return (
    <>
      <button type="button" class={`btn ${dispute.assigned_to === null ? "solid" : ""}`} onClick={() => { acting.forget(); setTo(own); setAsking(true); }}>{title}</button>
      {isAsking && (
        <Ask title={title} action={title} acting={acting} submit={submit} close={() => setAsking(false)}>
          <p>{pit.takeUpSays()}</p>
          {options && <Field label={pit.decidedByWhom()} value={to} set={setTo} options={options} />}
        </Ask>
      )}
    </>
  );
}

function Decide({ dispute, done }: { dispute: DisputeSaid; done: () => void }) {
  const acting = useActing(), [isAsking, setAsking] = useState(false), [outcome, setOutcome] = useState<Outcome | "">(""), [decision, setDecision] = useState("");
  const submit = () => void acting.act(async () => {
    await post(`/api/disputes/${dispute.id}/decide`, { outcome, decision: decision.trim() });
    return pit.decidedNow();
  }).then((isDone) => {
    if (!isDone) return;
    setAsking(false);
    done();
  });
  return (
    <>
      <button type="button" class="btn solid" onClick={() => setAsking(true)}>{pit.decide()}</button>
      {isAsking && (
        <Ask title={pit.decideTitle()} action={pit.decide()} acting={acting} submit={submit} close={() => setAsking(false)}>
          <p class="quote" dir="auto">{dispute.said}</p>
          <fieldset class="radios">
            <legend>{pit.outcome()}</legend>
            {(["upheld", "rejected"] as const).map((each) => (
              <label key={each}><input type="radio" name="outcome" required checked={outcome === each} onChange={() => setOutcome(each)} /><span><b>{outcomes[each]()}</b><span class="muted">{each === "upheld" ? pit.upheldSays() : pit.rejectedSays()}</span></span></label>
            ))}
          </fieldset>
          <Field label={pit.decisionWhy()} help={pit.decisionHelp()} value={decision} set={setDecision} isLong more={{ required: true, maxLength: 2000 }} />
        </Ask>
      )}
    </>
  );
}

function Card({ dispute, done }: { dispute: DisputeSaid; done: () => void }) {
  const [isOpen, setOpen] = useState(false), isMine = dispute.assigned_to === me.value?.patron, mayDo = may(role.value, "disputes") && dispute.patron !== me.value?.patron;
  return (
    <article class="panel card">
      <div class="top"><h2><RoundLink table={dispute.table} round={dispute.round} /></h2>
        <span class={`light ${dispute.state === "decided" ? (dispute.outcome === "upheld" ? "open" : "idle") : dispute.state === "open" ? "shut" : "soon"}`}>{dispute.outcome ? outcomes[dispute.outcome]() : dispute.state === "open" ? pit.stateOpen() : pit.stateAssigned()}</span>
      </div>
      <p class="label"><PatronLink id={dispute.patron} name={personName(dispute.patron, dispute)} /> · {moment(dispute.opened)}</p>
      <p class="quote" dir="auto">{dispute.said}</p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}><summary>{pit.recorded()}</summary>{isOpen && <Recorded id={dispute.id} />}</details>
      {dispute.assigned_to && dispute.state === "assigned" && <p class="label">{pit.assignedTo({ who: personName(dispute.assigned_to, dispute) })}</p>}
      {dispute.state === "decided" && (
        <>
          <p class="label">{pit.decidedBy({ who: personName(dispute.decided_by, dispute), when: moment(dispute.decided) })}</p>
          <p class="quote" dir="auto">{dispute.decision}</p>
          <p class="label">{dispute.told === null ? pit.notSeen() : pit.seen({ when: moment(dispute.told) })}</p>
        </>
      )}
      {mayDo && dispute.state !== "decided" && <div class="actions start">{isMine && <Decide dispute={dispute} done={done} />}<Assign dispute={dispute} done={done} /></div>}
      {mayDo && dispute.outcome === "upheld" && <p class="muted">{pit.putRight()}</p>}
    </article>
  );
}

export function Disputes() {
  const asked = chosen("state"), state: State = STATES.includes(asked as State) ? (asked as State) : "open";
  const { answer, problem, again } = useLoaded<DisputeList>(`/api/disputes?state=${state}`, openDisputes.value);
  const done = () => {
    again();
    disputesChanged();
  };
  return (
    <>
      <Head title={pit.disputesTitle()} says={pit.disputesSays()}>
        <Choice name="state" label={pit.state()} at={state} options={[{ value: "open", label: pit.stateOpen() }, { value: "assigned", label: pit.stateAssigned() }, { value: "decided", label: pit.stateDecided() }]} />
      </Head>
      {!answer && <OnItsWay problem={problem} />}
      {answer?.disputes.length === 0 && <Empty title={pit.noDisputes()}>{state === "open" ? pit.noDisputesSays() : undefined}</Empty>}
      <div class="cards">{answer?.disputes.map((each) => <Card key={each.id} dispute={each} done={done} />)}</div>
    </>
  );
}
