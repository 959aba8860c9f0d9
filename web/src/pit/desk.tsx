/** The cash desk for one patron: money given, taken back, changed, and put right for a round. */
import { useState } from "preact/hooks";
import { newId, post } from "../api.ts";
import { amount } from "../money.ts";
import type { Asked, Standing } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { unitOf } from "./alerts.ts";
import { Ask, Field } from "./form.tsx";
import { tableName, tables, tableUnit } from "./house.ts";
import { useActing } from "./loaded.ts";
import { typedMoney, typedWhole } from "./typed.ts";

type Act = "issue" | "return" | "change" | "adjust";
const ACTS: readonly Act[] = ["issue", "return", "change", "adjust"];
const TITLES = { issue: pit.deskIssue, return: pit.deskReturn, change: pit.deskChange, adjust: pit.deskAdjust };
const SAYS = { issue: pit.deskIssueSays, return: pit.deskReturnSays, change: pit.deskChangeSays, adjust: pit.deskAdjustSays };
const ROUTES = { issue: "/api/desk/issues", return: "/api/desk/returns", change: "/api/desk/changes", adjust: "/api/adjustments" };

interface DeskProperties {
  patron: string;
  name: string;
  balances: Readonly<Record<string, number>>;
  done: () => void;
}

/** Money of every kind that the patron has or that is played with. */
function unitsOf(balances: Readonly<Record<string, number>>): string[] {
  return [...new Set([...Object.keys(balances), ...(tables.value ?? []).map(unitOf), "CHIPS"])];
}

interface FormProperties extends Omit<DeskProperties, "done"> {
  act: Act;
  close: () => void;
  /** What became of it, in a sentence. */
  done: (said: string) => void;
}

function Form({ act, patron, name, balances, done, close }: FormProperties) {
  const acting = useActing(), units = unitsOf(balances), rounds = tables.value ?? [];
  // One id for one act: sent again after a lost answer, it is done once.
  const [id, setId] = useState(newId);
  const [typed, setTyped] = useState({ unit: (act === "adjust" && tableUnit(rounds[0]?.id ?? "")) || (units[0] ?? "CHIPS"), takes: units[1] ?? "CHIPS", money: "", reason: "", table: rounds[0]?.id ?? "", round: "", way: "to" });
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const set = (field: keyof typeof typed) => (value: string) => {
    setTyped({ ...typed, [field]: value, ...(field === "table" && act === "adjust" ? { unit: tableUnit(value) || typed.unit } : {}) });
    setWrong({});
    setId(newId());
  };
  const submit = () => {
    const money = typedMoney(typed.money, typed.unit), round = typedWhole(typed.round), found: Record<string, string> = {};
    if (money === null || money === 0) found.money = pit.notMoney();
    if (act === "adjust" && !round) found.round = pit.notANumber();
    setWrong(found);
    if (money === null || Object.keys(found).length) return;
    const reason = typed.reason.trim(), { unit } = typed;
    const bodies = {
      issue: { id, patron, unit, amount: money, reason }, return: { id, patron, unit, amount: money, reason },
      change: { id, patron, gives: unit, amount: money, takes: typed.takes },
      adjust: { id, patron, unit, amount: typed.way === "to" ? money : -money, table: typed.table, round, reason },
    };
    let became = "";
    void acting.act(async () => {
      const answer = await post<Standing | Asked>(ROUTES[act], bodies[act]);
      became = "state" in answer ? pit.waitsNow() : pit.deskDone();
      return became;
    }).then((isDone) => {
      if (!isDone) return;
      close();
      done(became);
    });
  };
  const kinds = units.map((unit) => ({ value: unit, label: `${unit} (${amount(balances[unit] ?? 0, unit)})` }));
  return (
    <Ask title={`${TITLES[act]()}: ${name}`} action={act === "adjust" ? pit.askForIt() : TITLES[act]()} acting={acting} submit={submit} close={close}>
      <p class="muted">{SAYS[act]()}</p>
      {act === "adjust" && (
        <div class="pair">
          <Field label={pit.table()} value={typed.table} set={set("table")} options={rounds.map(({ id: each }) => ({ value: each, label: tableName(each) }))} />
          <Field label={pit.round()} value={typed.round} set={set("round")} refusal={wrong.round ?? null} more={{ inputMode: "numeric", required: true }} />
        </div>
      )}
      {act === "adjust" && <Field label={pit.way()} value={typed.way} set={set("way")} options={[{ value: "to", label: pit.toPatron() }, { value: "from", label: pit.fromPatron() }]} />}
      <div class="pair">
        <Field label={act === "change" ? pit.gives() : pit.unit()} value={typed.unit} set={set("unit")} options={kinds} />
        <Field label={pit.amount()} value={typed.money} set={set("money")} refusal={wrong.money ?? null} more={{ inputMode: "decimal", required: true }} />
      </div>
      {act === "change" ? <Field label={pit.takes()} value={typed.takes} set={set("takes")} options={kinds} />
        : <Field label={pit.reason()} help={pit.reasonHelp()} value={typed.reason} set={set("reason")} more={{ required: true, maxLength: 500 }} />}
    </Ask>
  );
}

export function Desk(properties: DeskProperties) {
  const [act, setAct] = useState<Act | null>(null), [told, setTold] = useState<string | null>(null);
  return (
    <div class="actions start">
      {ACTS.map((each) => <button type="button" key={each} class="btn" onClick={() => { setTold(null); setAct(each); }}>{TITLES[each]()}</button>)}
      {told && <p class="done"><span class="light open">{told}</span></p>}
      {act && <Form key={act} {...properties} act={act} close={() => setAct(null)} done={(became) => { setTold(became); properties.done(); }} />}
    </div>
  );
}
