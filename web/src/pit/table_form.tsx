/** Every setting of a table in one form, each with its own refusal; who may not change it reads it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { patch, post, type Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { go, Link } from "../router.tsx";
import { role } from "../session.ts";
import type { OnTheFloor, RuleCard } from "../types/api.ts";
import { pit } from "../words/pit.ts";
import { said } from "../words/said.ts";
import { unitOf } from "./alerts.ts";
import { may } from "./duties.ts";
import { Field, Refused } from "./form.tsx";
import { cardOf, games, lookAtFloor, tableName } from "./house.ts";
import { type Acting, useActing } from "./loaded.ts";
import { fieldOf, newTableOf, OVERRIDE, type Typed, typedOf, wishesOf } from "./settings.ts";
import { Head } from "./view.tsx";

interface Form {
  typed: Typed;
  set: (name: string) => (value: string) => void;
  /** Why a field was not taken: it could not be read here, or the service refused it. */
  why: (name: string) => Refusal | string | null;
  isNew: boolean;
  unit: string;
}

interface GroupProperties {
  title: string;
  says?: string;
  children: ComponentChildren;
  refusal?: Refusal | string | null;
}

function Group({ title, says, children, refusal = null }: GroupProperties) {
  return (
    <fieldset class="panel group">
      <legend>{title}</legend>
      {says && <p class="muted">{says}</p>}
      {refusal !== null && typeof refusal !== "string" && <Refused of={refusal} />}
      {children}
    </fieldset>
  );
}

const decimal = { inputMode: "decimal" } as const, whole = { inputMode: "numeric" } as const;

function About({ form, card }: { form: Form; card: RuleCard | null }) {
  const { typed, set, why, isNew } = form, usual = isNew ? pit.asUsual() : undefined;
  const choices = (options: readonly { value: string; label: string }[]) => (isNew ? [{ value: "", label: pit.asUsual() }, ...options] : options);
  return (
    <Group title={pit.theTable()}>
      <div class="grid">
        {isNew && <Field label={pit.id()} help={pit.idHelp()} value={typed.id ?? ""} set={set("id")} refusal={why("id")} more={{ required: true, maxLength: 40 }} />}
        {isNew && <Field label={pit.game()} value={typed.game ?? ""} set={set("game")} refusal={why("game")} options={[...(typed.game ? [] : [{ value: "", label: pit.chooseGame() }]), ...games.value.map(({ game, name }) => ({ value: game, label: said(name) }))]} more={{ required: true }} />}
        <Field label={pit.name()} value={typed.name ?? ""} set={set("name")} refusal={why("name")} more={{ maxLength: 60, placeholder: isNew && card ? said(card.name) : "", required: !isNew }} />
        <Field label={pit.place()} help={pit.placeHelp()} value={typed.place ?? ""} set={set("place")} refusal={why("place")} more={whole} />
        <Field label={pit.dealing()} value={typed.dealing ?? ""} set={set("dealing")} refusal={why("dealing")} options={choices([{ value: "virtual", label: pit.virtual() }, { value: "dealer", label: pit.dealer() }])} />
        <Field label={pit.account()} help={usual} value={typed.account ?? ""} set={set("account")} refusal={why("account")} options={choices([{ value: "cash", label: pit.cash() }, { value: "chips", label: pit.chips() }])} />
        <Field label={pit.currency()} value={typed.currency ?? ""} set={set("currency")} refusal={why("currency")} help={pit.currencyHelp()} more={{ maxLength: 3, placeholder: usual ?? "" }} />
      </div>
      <label class="check"><input type="checkbox" checked={typed.overrides === OVERRIDE} onChange={(event) => set("overrides")(event.currentTarget.checked ? OVERRIDE : "")} /><span>{pit.override()}<span class="muted">{pit.overrideSays()}</span></span></label>
    </Group>
  );
}

function TheShoe({ form, card }: { form: Form; card: RuleCard | null }) {
  const { typed, set, why, isNew } = form, range = card ? `${card.decks.minimum} – ${card.decks.maximum}` : undefined;
  const burns = [{ value: "by-first-card", label: pit.burnByFirst() }, { value: "off", label: pit.burnOff() }];
  return (
    <Group title={pit.shoeAndPace()} says={pit.shoeAndPaceSays()}>
      <div class="grid">
        <Field label={pit.decksName()} help={range} value={typed.decks ?? ""} set={set("decks")} refusal={why("decks")} more={{ ...whole, required: !isNew, placeholder: isNew ? pit.asUsual() : "" }} />
        <Field label={pit.burn()} value={typed.burn ?? ""} set={set("burn")} refusal={why("burn")} options={isNew ? [{ value: "", label: pit.asUsual() }, ...burns] : burns} />
        <Field label={pit.cutDepth()} help={pit.cutDepthHelp()} value={typed.cut_depth ?? ""} set={set("cut_depth")} refusal={why("cut_depth")} more={{ ...whole, placeholder: isNew ? pit.asUsual() : "" }} />
        <Field label={pit.bettingSeconds()} unit="s" help={pit.emptyIsHouse()} value={typed.betting_milliseconds ?? ""} set={set("betting_milliseconds")} refusal={why("betting_milliseconds")} more={decimal} />
        <Field label={pit.cardSeconds()} unit="s" help={pit.emptyIsHouse()} value={typed.card_milliseconds ?? ""} set={set("card_milliseconds")} refusal={why("card_milliseconds")} more={decimal} />
      </div>
    </Group>
  );
}

function LimitFields({ form, card }: { form: Form; card: RuleCard | null }) {
  const { typed, set, why, unit } = form, wagers = card ? Object.entries(card.wagers) : [];
  const parts = [["minimum", pit.minimum()], ["maximum", pit.maximum()], ["step", pit.step()]] as const;
  return (
    <Group title={pit.limitsTitle()} says={pit.limitsSays()} refusal={why("limits")}>
      <div class="grid">
        <Field label={pit.patronLimit()} unit={unit} help={pit.emptyIsNone()} value={typed.patron_limit ?? ""} set={set("patron_limit")} refusal={why("patron_limit")} more={decimal} />
        <Field label={pit.tableLimit()} unit={unit} help={pit.emptyIsNone()} value={typed.table_limit ?? ""} set={set("table_limit")} refusal={why("table_limit")} more={decimal} />
        <Field label={pit.houseLimit()} unit={unit} help={pit.houseLimitHelp()} value={typed.house_limit ?? ""} set={set("house_limit")} refusal={why("house_limit")} more={decimal} />
      </div>
      {wagers.length === 0 && <p class="muted">{pit.chooseGameFirst()}</p>}
      {wagers.map(([wager, { name }]) => (
        <div class="limits" role="group" aria-label={said(name)} key={wager}>
          <b dir="auto">{said(name)}</b>
          {parts.map(([part, label]) => <Field key={part} label={label} value={typed[`limits.${wager}.${part}`] ?? ""} set={set(`limits.${wager}.${part}`)} refusal={why(`limits.${wager}.${part}`)} more={decimal} />)}
        </div>
      ))}
    </Group>
  );
}

function Readings({ form, card }: { form: Form; card: RuleCard | null }) {
  const { typed, set, why, unit } = form;
  const switches = Object.entries(card?.switches ?? {}), bonuses = Object.keys(typed).filter((name) => name.startsWith("bonuses."));
  if (!switches.length && !bonuses.length) return null;
  return (
    <Group title={pit.readings()} says={pit.readingsSays()}>
      <div class="grid">
        {switches.map(([name, options]) => <Field key={name} label={said(name)} value={typed[`reading.${name}`] ?? card?.reading[name] ?? ""} set={set(`reading.${name}`)} refusal={why("reading")} options={options.map((value) => ({ value, label: said(value) }))} />)}
        {bonuses.map((name) => <Field key={name} label={said(name.slice("bonuses.".length))} unit={unit} value={typed[name] ?? ""} set={set(name)} refusal={why(name) ?? why("bonuses")} more={decimal} />)}
      </div>
    </Group>
  );
}

/** Send what was changed; where to go then. */
async function sent(table: OnTheFloor | null, typed: Typed, before: Typed, unit: string): Promise<OnTheFloor> {
  const done = table === null ? await post<OnTheFloor>("/api/tables", newTableOf(typed, unit).table) : await patch<OnTheFloor>(`/api/tables/${encodeURIComponent(table.id)}`, wishesOf(typed, before, unit).wishes);
  await lookAtFloor();
  return done;
}

function useForm(table: OnTheFloor | null): Form & { acting: Acting; before: Typed; unread: readonly string[]; setUnread: (names: string[]) => void } {
  const before = table ? typedOf(table) : {}, [changed, setChanged] = useState<Typed>({}), [unread, setUnread] = useState<readonly string[]>([]), acting = useActing();
  const typed = { ...before, ...changed }, { problem } = acting, at = problem && fieldOf(problem.reason, problem.english);
  return {
    typed, before, acting, unread, setUnread, isNew: table === null,
    unit: typed.account === "chips" ? "CHIPS" : typed.currency || (table ? unitOf(table) : "SGD"),
    set: (name) => (value) => {
      setChanged({ ...changed, [name]: value });
      setUnread(unread.filter((each) => each !== name));
    },
    why: (name) => (unread.includes(name) ? pit.notRead() : at === name ? problem : null),
  };
}

const FIELDS_SHOWN = new Set(["id", "game", "name", "place", "dealing", "account", "currency", "decks", "burn", "cut_depth", "betting_milliseconds", "card_milliseconds", "limits", "patron_limit", "table_limit", "house_limit", "reading", "bonuses"]);

export function TableForm({ table }: { table: OnTheFloor | null }) {
  const form = useForm(table), { acting, typed, before, unit } = form, card = cardOf(typed.game ?? null);
  const mayChange = may(role.value, "tables"), title = table ? tableName(table.id) : pit.openATable();
  const [isSaved, setSaved] = useState(false);
  const submit = () => {
    const { unread } = table === null ? newTableOf(typed, unit) : wishesOf(typed, before, unit);
    form.setUnread(unread);
    setSaved(false);
    if (unread.length) return announce(pit.notRead());
    void acting.act(async () => {
      const done = await sent(table, typed, before, unit);
      if (table === null) go(`/pit/tables?table=${encodeURIComponent(done.id)}`, { replace: true });
      else setSaved(true);
      return done.waits ? pit.savedWaits() : pit.saved();
    });
  };
  const at = acting.problem && fieldOf(acting.problem.reason, acting.problem.english);
  return (
    <>
      <p class="back"><Link href="/pit/tables"><Icon name="back" size={18} />{pit.allTables()}</Link></p>
      <Head title={title} says={mayChange ? (table ? pit.changeSays() : pit.newSays()) : pit.readOnly()} />
      {table?.warnings.map((warning) => <p class="refusal" key={warning}><span class="light soon" aria-hidden="true" /> {said(warning)}</p>)}
      {table?.waits && <p class="done"><span class="light soon">{pit.alertWaits()}</span></p>}
      <form class="settings" onSubmit={(event) => { event.preventDefault(); submit(); }}>
        <fieldset class="all" disabled={!mayChange}>
          <About form={form} card={card} />
          <TheShoe form={form} card={card} />
          <LimitFields form={form} card={card} />
          <Readings form={form} card={card} />
        </fieldset>
        {mayChange && (
          <div class="panel save">
            {acting.problem && (at === null || !FIELDS_SHOWN.has(at)) && <Refused of={acting.problem} />}
            {(form.unread.length > 0 || (at !== null && FIELDS_SHOWN.has(at))) && <p class="refusal"><span class="light soon" aria-hidden="true" /> {pit.seeField()}</p>}
            {isSaved && !acting.problem && <p class="done"><span class="light open">{table?.waits ? pit.savedWaits() : pit.saved()}</span></p>}
            <button class="btn solid" aria-disabled={acting.isBusy}>{table ? pit.save() : pit.openATable()}</button>
          </div>
        )}
      </form>
    </>
  );
}
