/** Something asked of the service by a form: whether it is on its way, and what was said to it. */
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { announce } from "../announced.tsx";
import { Refusal } from "../api.ts";
import { account } from "../words/account.ts";
import { said as inWords } from "../words/said.ts";

export interface Asking {
  isBusy: boolean;
  /** A sentence, and whether it is one of refusal. */
  said: { text: string; isRefusal: boolean } | null;
  ask: (work: () => Promise<string | null>) => Promise<boolean>;
  refuse: (text: string) => void;
}

/** `work` gives the sentence that says it is done, or nothing. */
export function useAsking(): Asking {
  const [isBusy, setBusy] = useState(false), [said, say] = useState<Asking["said"]>(null);
  const tell = (text: string | null, isRefusal: boolean) => {
    say(text === null ? null : { text, isRefusal });
    if (text !== null) announce(text);
  };
  return {
    isBusy,
    said,
    refuse: (text) => tell(text, true),
    ask: async (work) => {
      setBusy(true);
      say(null);
      try {
        tell(await work(), false);
        return true;
      } catch (error) {
        const text = error instanceof Refusal ? (error.clause ? `${inWords(error.clause)}: ${error.sentence}` : error.sentence) : account.failed();
        tell(text, true);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export function Answer({ of }: { of: Asking }) {
  if (!of.said) return null;
  return <p class={of.said.isRefusal ? "refusal" : "donenote"}>{of.said.text}</p>;
}

interface FormProperties {
  asking: Asking;
  send: () => void;
  button: string;
  isQuiet?: boolean;
  children: ComponentChildren;
}

/** A form whose button says what it does, and which cannot be sent twice. */
export function Form({ asking, send, button, isQuiet, children }: FormProperties) {
  return (
    <form
      class="asking" noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!asking.isBusy) send();
      }}
    >
      {children}
      <Answer of={asking} />
      <div><button type="submit" class={`btn ${isQuiet ? "" : "solid"}`} aria-disabled={asking.isBusy}>{button}</button></div>
    </form>
  );
}

interface FieldProperties {
  label: string;
  value: string;
  set: (value: string) => void;
  type?: "text" | "password";
  complete?: string;
  help?: string;
  name: string;
}

export function Field({ label, value, set, type = "text", complete, help, name }: FieldProperties) {
  const id = `field-${name}`;
  const properties = {
    id, name, value, autocomplete: complete, spellcheck: false, autocapitalize: "none", maxLength: 200,
    "aria-describedby": help ? `${id}-help` : undefined, onInput: (event: { currentTarget: HTMLInputElement }) => set(event.currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === "password" ? <input type="password" {...properties} /> : <input type="text" {...properties} />}
      {help && <small id={`${id}-help`} class="muted">{help}</small>}
    </div>
  );
}
