/** Who one is here: a guest keeps everything with a name and a password; who has them signs in and out. */
import { useState } from "preact/hooks";
import { post } from "../api.ts";
import { go, Link } from "../router.tsx";
import { isStaff, look, me, role, sessions, signIn, signOut } from "../session.ts";
import { staffPlaces } from "../shell/places.ts";
import { account } from "../words/account.ts";
import { shell } from "../words/shell.ts";
import { Answer, Field, Form, useAsking } from "./asking.tsx";
import type { Me } from "../types/api.ts";

const SHORTEST_OF_PATRONS = 10;
const SHORTEST_OF_STAFF = 12;

export function Register() {
  const [name, setName] = useState(""), [password, setPassword] = useState(""), asking = useAsking();
  const send = () => void asking.ask(async () => {
    await post("/api/patrons", { name: name.trim(), password });
    await look();
    sessions.value += 1;
    return account.registered();
  });
  return (
    <section class="panel box" aria-labelledby="register-title">
      <h2 id="register-title">{account.register()}</h2>
      <p class="muted">{account.registerSays()}</p>
      <Form asking={asking} send={send} button={account.register()}>
        <Field name="new-name" label={account.name()} value={name} set={setName} complete="username" help={account.nameHelp()} />
        <Field name="new-password" label={account.password()} value={password} set={setPassword} type="password" complete="new-password" help={account.passwordHelp({ least: SHORTEST_OF_PATRONS })} />
      </Form>
    </section>
  );
}

export function SignIn() {
  const [name, setName] = useState(""), [password, setPassword] = useState(""), asking = useAsking();
  const send = () => void asking.ask(async () => {
    const found = await signIn(name.trim(), password);
    go("/account", { replace: true });
    return found ? account.welcomeBack({ name: found.name }) : null;
  });
  return (
    <section class="panel box" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{shell.signIn()}</h2>
      {role.value === "guest" && <p class="muted">{account.signInSays()}</p>}
      <Form asking={asking} send={send} button={shell.signIn()}>
        <Field name="name" label={account.name()} value={name} set={setName} complete="username" />
        <Field name="password" label={account.password()} value={password} set={setPassword} type="password" complete="current-password" />
      </Form>
    </section>
  );
}

export function Password({ isFirst }: { isFirst: boolean }) {
  const [old, setOld] = useState(""), [next, setNext] = useState(""), asking = useAsking();
  const send = () => void asking.ask(async () => {
    await post("/api/password", { old, new: next });
    setOld("");
    setNext("");
    await look();
    sessions.value += 1;
    return account.passwordChanged();
  });
  const least = isStaff.value ? SHORTEST_OF_STAFF : SHORTEST_OF_PATRONS;
  return (
    <section class="panel box" aria-labelledby="password-title">
      <h2 id="password-title">{isFirst ? account.firstPassword() : account.changePassword()}</h2>
      {isFirst && <p class="muted">{account.firstPasswordSays()}</p>}
      <Form asking={asking} send={send} button={account.changePassword()} isQuiet={!isFirst}>
        {/* So that a password manager knows whose it is. */}
        <input type="text" class="vh" name="username" autocomplete="username" value={me.value?.name ?? ""} readOnly tabIndex={-1} aria-hidden="true" />
        <Field name="old-password" label={isFirst ? account.oneTimePassword() : account.oldPassword()} value={old} set={setOld} type="password" complete="current-password" />
        <Field name="next-password" label={account.newPassword()} value={next} set={setNext} type="password" complete="new-password" help={account.passwordHelp({ least })} />
      </Form>
    </section>
  );
}

const ROLES: Readonly<Record<string, () => string>> = {
  guest: account.guest, patron: account.patron, dealer: account.dealer, supervisor: account.supervisor, director: account.director, auditor: account.auditor,
};

export function Person({ known }: { known: Me }) {
  const asking = useAsking();
  const leave = () => void asking.ask(async () => {
    await signOut();
    go("/account");
    return account.signedOut();
  });
  return (
    <section class="panel box person" aria-labelledby="person-title">
      <div>
        <h2 id="person-title" dir="auto">{known.name}</h2>
        <p class="muted">{(ROLES[known.role] ?? account.patron)()}</p>
        {known.role === "guest" && <p class="muted">{account.guestSays()}</p>}
      </div>
      <div class="acts">
        {staffPlaces().map(({ href, name }) => <Link class="btn solid" href={href} key={href}>{shell[name]()}</Link>)}
        {known.role !== "guest" && <button type="button" class="btn" onClick={leave}>{shell.signOut()}</button>}
      </div>
      <Answer of={asking} />
    </section>
  );
}
