/** The rates that the cashier changes at; a new one waits for a second person. */
import { useState } from "preact/hooks";
import { newId, post } from "../api.ts";
import { Icon } from "../icons.tsx";
import { role } from "../session.ts";
import type { PostedRate, RateList } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { unitOf } from "./alerts.ts";
import { may } from "./duties.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Ask, Field } from "./form.tsx";
import { news, tables } from "./house.ts";
import { useActing, useLoaded } from "./loaded.ts";
import { rateOf, typedRate } from "./typed.ts";
import { Head, OnItsWay } from "./view.tsx";

function Post({ units, close, done }: { units: readonly string[]; close: () => void; done: () => void }) {
  const acting = useActing(), [id] = useState(newId);
  const [gives, setGives] = useState(units[0] ?? ""), [takes, setTakes] = useState(units[1] ?? ""), [text, setText] = useState(""), [wrong, setWrong] = useState<string | null>(null);
  const options = units.map((unit) => ({ value: unit, label: unit }));
  const submit = () => {
    const rate = typedRate(text, gives, takes);
    setWrong(rate ? null : pit.notARate());
    if (rate) void acting.act(async () => {
      // Another rate is another request: the id stands for all that is asked.
      await post("/api/rates", { id: `${id}-${gives}-${takes}-${rate.numerator}-${rate.denominator}`.slice(0, 64), gives, takes, ...rate });
      return pit.waitsNow();
    }).then((isDone) => {
      if (!isDone) return;
      close();
      done();
    });
  };
  return (
    <Ask title={pit.postRate()} action={pit.askForIt()} acting={acting} submit={submit} close={close}>
      <p class="muted">{pit.postRateSays()}</p>
      <div class="pair"><Field label={pit.gives()} value={gives} set={setGives} options={options} /><Field label={pit.takes()} value={takes} set={setTakes} options={options} /></div>
      <Field label={pit.oneIs({ gives, takes })} value={text} set={(value) => { setText(value); setWrong(null); }} refusal={wrong} more={{ inputMode: "decimal", required: true }} />
    </Ask>
  );
}

export function Rates() {
  const { answer, problem, again } = useLoaded<RateList>("/api/rates", news.value), [isPosting, setPosting] = useState(false), [isAsked, setAsked] = useState(false);
  const units = [...new Set([...(tables.value ?? []).map(unitOf), "CHIPS", ...(answer?.rates ?? []).flatMap(({ gives, takes }) => [gives, takes])])];
  const columns: Column<PostedRate>[] = [
    { key: "gives", name: pit.gives(), isHead: true, value: (rate) => rate.gives, cell: (rate) => <b>1 {rate.gives}</b> },
    { key: "takes", name: pit.takes(), isNumber: true, value: (rate) => rate.takes, cell: (rate) => <>{Number(rateOf(rate).toPrecision(9)).toLocaleString(undefined, { maximumFractionDigits: 6 })} <small>{rate.takes}</small></> },
  ];
  return (
    <>
      <Head title={pit.ratesTitle()} says={pit.ratesSays()}>
        {may(role.value, "rates") && <button type="button" class="btn solid" onClick={() => { setAsked(false); setPosting(true); }}><Icon name="plus" size={18} />{pit.postRate()}</button>}
      </Head>
      {isAsked && <p class="done"><span class="light soon">{pit.waitsNow()}</span></p>}
      {!answer && <OnItsWay problem={problem} />}
      {answer?.rates.length === 0 && <Empty title={pit.noRates()}>{may(role.value, "rates") ? pit.noRatesSays() : undefined}</Empty>}
      {!!answer?.rates.length && <section class="panel slim"><Figures caption={pit.ratesTitle()} rows={answer.rates} columns={columns} keyOf={(rate) => `${rate.gives} ${rate.takes}`} /></section>}
      {isPosting && <Post units={units} close={() => setPosting(false)} done={() => { setAsked(true); again(); }} />}
    </>
  );
}
