/** Who works here: added with a password for once, given another role, removed. */
import { useState } from "preact/hooks";
import { patch, post, remove } from "../api.ts";
import { Icon } from "../icons.tsx";
import { me } from "../session.ts";
import type { Staff, StaffList } from "../types/api.ts";
import { pit, roleNames } from "../words/pit.ts";
import { ROLES, type StaffRole } from "./duties.ts";
import { type Column, Empty, Figures } from "./figures.tsx";
import { Ask, Field, Sheet } from "./form.tsx";
import { useActing, useLoaded } from "./loaded.ts";
import { Head, OnItsWay } from "./view.tsx";

type Doing = { what: "add" } | { what: "role" | "password" | "remove"; person: Staff };
const roleName = (role: string): string => roleNames[role as StaffRole]?.() ?? role;

/** Shown once, as the service tells it once. */
function OncePassword({ of, close }: { of: Staff; close: () => void }) {
  const [isCopied, setCopied] = useState(false), password = of.one_time_password ?? "";
  const copy = () => void navigator.clipboard?.writeText(password).then(() => setCopied(true), () => undefined);
  return (
    <Sheet title={pit.passwordFor({ name: of.name })} close={close}>
      <div class="fields">
        <p>{pit.passwordSays()}</p>
        <p class="password"><code>{password}</code></p>
        <div class="actions"><button type="button" class="btn" onClick={copy}><Icon name={isCopied ? "check" : "cards"} size={18} />{isCopied ? pit.copied() : pit.copy()}</button><button type="button" class="btn solid" onClick={close}>{pit.noted()}</button></div>
      </div>
    </Sheet>
  );
}

export function StaffView() {
  const { answer, problem, again } = useLoaded<StaffList>("/api/staff"), acting = useActing();
  const [doing, setDoing] = useState<Doing | null>(null), [told, setTold] = useState<Staff | null>(null);
  const [name, setName] = useState(""), [role, setRole] = useState<string>("dealer");
  const begin = (next: Doing) => {
    acting.forget();
    setName("");
    setRole(next.what === "add" ? "dealer" : next.person.role);
    setDoing(next);
  };
  const submit = () => void acting.act(async () => {
    if (!doing) return;
    const path = doing.what === "add" ? "/api/staff" : `/api/staff/${encodeURIComponent(doing.person.id)}`;
    if (doing.what === "add") setTold(await post<Staff>(path, { name: name.trim(), role }));
    if (doing.what === "role") await patch(path, { role });
    if (doing.what === "password") setTold(await post<Staff>(`${path}/password`));
    if (doing.what === "remove") await remove(path);
    return pit.done();
  }).then((isDone) => {
    if (!isDone) return;
    setDoing(null);
    again();
  });
  const columns: Column<Staff>[] = [
    { key: "name", name: pit.name(), isHead: true, value: (person) => person.name, cell: (person) => <><b dir="auto">{person.name}</b><code class="label block">{person.id}</code></> },
    { key: "role", name: pit.role(), value: (person) => person.role, cell: (person) => roleName(person.role) },
    {
      key: "do", name: pit.actions(), isWide: true,
      cell: (person) => person.id === me.value?.patron ? <span class="label">{pit.ownAccount()}</span> : (
        <span class="doing">
          {(["role", "password", "remove"] as const).map((what) => <button type="button" key={what} class={`btn small ${what === "role" ? "" : "quiet"}`} aria-label={`${DOES[what]()}: ${person.name}`} onClick={() => begin({ what, person })}>{DOES[what]()}</button>)}
        </span>
      ),
    },
  ];
  const who = doing && doing.what !== "add" ? doing.person.name : "";
  const roles = ROLES.map((value) => ({ value, label: roleName(value) }));
  return (
    <>
      <Head title={pit.staffTitle()} says={pit.staffSays()}><button type="button" class="btn solid" onClick={() => begin({ what: "add" })}><Icon name="plus" size={18} />{pit.addStaff()}</button></Head>
      {!answer && <OnItsWay problem={problem} />}
      {answer?.staff.length === 0 && <Empty title={pit.noStaff()} />}
      {!!answer?.staff.length && <section class="panel"><Figures caption={pit.staffTitle()} rows={answer.staff} columns={columns} keyOf={(person) => person.id} /></section>}
      {doing && (
        <Ask title={doing.what === "add" ? pit.addStaff() : `${DOES[doing.what]()}: ${who}`} action={doing.what === "add" ? pit.addStaff() : DOES[doing.what]()} acting={acting} submit={submit} close={() => setDoing(null)} isGrave={doing.what === "remove"}>
          {doing.what === "add" && <Field label={pit.name()} help={pit.nameHelp()} value={name} set={setName} more={{ required: true, maxLength: 24 }} />}
          {(doing.what === "add" || doing.what === "role") && <Field label={pit.role()} value={role} set={setRole} options={roles} help={ROLE_SAYS[role as StaffRole]?.()} />}
          {doing.what === "role" && <p class="muted">{pit.roleSays()}</p>}
          {doing.what === "password" && <p>{pit.newPasswordSays({ name: who })}</p>}
          {doing.what === "remove" && <p>{pit.removeSays({ name: who })}</p>}
        </Ask>
      )}
      {told && !doing && <OncePassword of={told} close={() => setTold(null)} />}
    </>
  );
}

const DOES = { role: pit.changeRole, password: pit.newPassword, remove: pit.removeStaff };
const ROLE_SAYS = { dealer: pit.dealerSays, supervisor: pit.supervisorSays, auditor: pit.auditorSays, director: pit.directorSays };
