/** Limits that somebody sets for themselves, and a break. What is tighter holds at once, what is looser after a day. */
import { useEffect, useState } from "preact/hooks";
import { get, post, put } from "../api.ts";
import { momentOf } from "../moments.ts";
import { amount } from "../money.ts";
import { account } from "../words/account.ts";
import { Answer, useAsking } from "./asking.tsx";
import { holdsFrom, shareUsed, typedAmount, typedWhole } from "./typed.ts";
import type { CoolOffSaid, LimitSaid, LimitsSaid, Me, SetLimits } from "../types/api.ts";

interface LimitProperties {
  name: string;
  label: string;
  of: LimitSaid | undefined;
  used?: number;
  shown: (value: number) => string;
  typed: (text: string) => number | null;
  set: (value: number | null) => Promise<void>;
}

function Limit({ name, label, of, used, shown, typed, set }: LimitProperties) {
  const [text, type] = useState(""), asking = useAsking();
  const holds = of?.amount ?? null, wanted = text.trim() === "" ? undefined : typed(text);
  const send = (value: number | null) => void asking.ask(async () => {
    const from = holdsFrom(of, value);
    await set(value);
    type("");
    return from === "after a day" ? account.holdsLater() : account.holdsNow();
  });
  const share = used === undefined ? null : shareUsed(used, holds), id = `limit-${name}`;
  return (
    <form
      class="limit" noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted === undefined || wanted === null || wanted < 1) asking.refuse(account.noAmount());
        else if (!asking.isBusy) send(wanted);
      }}
    >
      <div class="limitnow">
        <label for={id}>{label}</label>
        <b class="num">{holds === null ? account.noLimit() : shown(holds)}</b>
        {used !== undefined && <span class="label num">{account.usedToday({ amount: shown(Math.max(0, used)) })}</span>}
        {share !== null && <span class="gauge" style={{ "--w": `${Math.round(share * 100)}%` }} aria-hidden="true" />}
        {of?.next && <span class="label tocome">{account.toCome({ amount: of.next.amount === null ? account.noLimit() : shown(of.next.amount), time: momentOf(of.next.since) })}</span>}
      </div>
      <div class="limitset">
        <input id={id} type="text" inputMode="decimal" autocomplete="off" value={text} aria-describedby={`${id}-says`} onInput={(event) => type(event.currentTarget.value)} />
        <button type="submit" class="btn small" aria-label={`${account.set()}: ${label}`}>{account.set()}</button>
        {(holds !== null || of?.next?.amount != null) && <button type="button" class="btn small quiet" aria-label={`${account.takeAway()}: ${label}`} onClick={() => !asking.isBusy && send(null)}>{account.takeAway()}</button>}
      </div>
      <span id={`${id}-says`} class="label">{wanted === undefined ? "" : wanted === null ? account.noAmount() : holdsFrom(of, wanted) === "after a day" ? account.wouldLoosen() : account.wouldTighten()}</span>
      <Answer of={asking} />
    </form>
  );
}

const BREAKS = [24, 24 * 7, 24 * 30] as const;

function CoolOff({ until, changed }: { until: number | null; changed: (until: number) => void }) {
  const [hours, choose] = useState<number>(24), [isSure, setSure] = useState(false), asking = useAsking();
  const send = () => void asking.ask(async () => {
    const said = await post<CoolOffSaid>("/api/cool-off", { hours });
    changed(said.until);
    setSure(false);
    return account.breakUntil({ time: momentOf(said.until) });
  });
  const shown = (each: number) => (each < 48 ? account.hours({ hours: each }) : account.days({ days: each / 24 }));
  return (
    <section class="panel box" aria-labelledby="break-title">
      <h2 id="break-title">{account.coolOff()}</h2>
      <p class="muted">{account.coolOffSays()}</p>
      {until !== null && <p class="donenote">{account.breakUntil({ time: momentOf(until) })}</p>}
      <fieldset class="choice">
        <legend class="vh">{account.coolOff()}</legend>
        <div class="segments">
          {BREAKS.map((each) => <label key={each}><input type="radio" name="break" checked={hours === each} onChange={() => choose(each)} /><span>{shown(each)}</span></label>)}
        </div>
      </fieldset>
      <Answer of={asking} />
      {!isSure && <div><button type="button" class="btn" onClick={() => setSure(true)}>{account.beginBreak()}</button></div>}
      {isSure && (
        <div class="acts">
          <p>{account.sure({ time: shown(hours) })}</p>
          <button type="button" class="btn solid" aria-disabled={asking.isBusy} onClick={() => !asking.isBusy && send()}>{account.yesBreak()}</button>
          <button type="button" class="btn quiet" onClick={() => setSure(false)}>{account.no()}</button>
        </div>
      )}
    </section>
  );
}

export function Limits({ known }: { known: Me }) {
  const [limits, setLimits] = useState<LimitsSaid | null>(null), asking = useAsking();
  useEffect(() => {
    void asking.ask(async () => {
      setLimits(await get<LimitsSaid>("/api/limits"));
      return null;
    });
  }, [known.patron]);
  if (!limits) return <section class="list"><h2>{account.limits()}</h2><Answer of={asking} /></section>;
  const change = async (wishes: SetLimits) => setLimits(await put<LimitsSaid>("/api/limits", wishes));
  const units = Object.keys(known.balances);
  return (
    <div class="list">
      <section class="panel box" aria-labelledby="limits-title">
        <h2 id="limits-title">{account.limits()}</h2>
        <p class="muted">{account.limitsSay()}</p>
        <h3>{account.timeLimit()}</h3>
        <Limit
          name="minutes" label={account.minutesADay()} of={limits.minutes} used={limits.used.minutes} shown={(value) => account.minutes({ minutes: value })}
          typed={(text) => typedWhole(text, 1, 24 * 60)} set={(minutes) => change({ minutes })}
        />
        <h3>{account.stakeLimit()}</h3>
        {units.map((unit) => (
          <Limit
            key={unit} name={`stake-${unit}`} label={account.stakeIn({ unit })} of={limits.stake[unit]} shown={(value) => `${amount(value, unit)} ${unit}`}
            typed={(text) => typedAmount(text, unit)} set={(value) => change({ stake: { [unit]: value } })}
          />
        ))}
        <h3>{account.lossLimit()}</h3>
        {units.map((unit) => (
          <Limit
            key={unit} name={`loss-${unit}`} label={account.lossIn({ unit })} of={limits.loss[unit]} used={limits.used.lost[unit] ?? 0} shown={(value) => `${amount(value, unit)} ${unit}`}
            typed={(text) => typedAmount(text, unit)} set={(value) => change({ loss: { [unit]: value } })}
          />
        ))}
      </section>
      <CoolOff until={limits.cool_off_until} changed={(until) => setLimits({ ...limits, cool_off_until: until })} />
    </div>
  );
}
