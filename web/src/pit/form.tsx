/** Forms of the pit: a field with its refusal beneath, a dialog that asks before anything is done. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { pit } from "../words/pit.ts";
import type { Acting } from "./loaded.ts";

/** Why something was not done, with its clause, where it was asked for. */
export function Refused({ of, id }: { of: Refusal | null; id?: string }) {
  if (!of) return null;
  return <p class="refusal" role="alert" id={id}><span class="light soon" aria-hidden="true" />{of.clause && <span class="clause">{of.clause}</span>} <span>{of.sentence}</span></p>;
}

interface FieldProperties {
  label: string;
  value: string;
  set: (value: string) => void;
  /** In a few words, what is to be typed. */
  help?: string | undefined;
  /** Why the field is not taken. */
  refusal?: Refusal | string | null;
  /** What it is counted in. */
  unit?: string | undefined;
  options?: readonly { value: string; label: string }[] | undefined;
  isLong?: boolean;
  more?: { required?: boolean; maxLength?: number; inputMode?: "decimal" | "numeric"; placeholder?: string; disabled?: boolean };
}

export function Field({ label, value, set, help, refusal = null, unit, options, isLong, more = {} }: FieldProperties) {
  const id = useId(), sentence = typeof refusal === "string" ? refusal : refusal?.sentence;
  const about = [help ? `${id}-help` : "", sentence ? `${id}-why` : ""].filter(Boolean).join(" ") || undefined;
  const shared = { id, value, "aria-describedby": about, "aria-invalid": sentence ? true : undefined } as const;
  return (
    <div class="field">
      <label for={id}>{label}{unit && <small>{unit}</small>}</label>
      {options ? (
        <select {...shared} disabled={more.disabled} required={more.required} onChange={(event) => set(event.currentTarget.value)}>
          {options.map((each) => <option key={each.value} value={each.value}>{each.label}</option>)}
        </select>
      ) : isLong ? (
        <textarea {...shared} rows={3} required={more.required} maxLength={more.maxLength} onInput={(event) => set(event.currentTarget.value)} />
      ) : (
        <input autoComplete="off" {...more} {...shared} onInput={(event) => set(event.currentTarget.value)} />
      )}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {sentence && <p class="refusal" id={`${id}-why`} role="alert"><span class="light soon" aria-hidden="true" />{typeof refusal !== "string" && refusal?.clause && <span class="clause">{refusal.clause}</span>} <span>{sentence}</span></p>}
    </div>
  );
}

interface SheetProperties {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** A dialog that is open as long as it is there: focus stays within, Escape closes it, and afterwards nobody is lost. */
export function Sheet({ title, close, children }: SheetProperties) {
  const dialog = useRef<HTMLDialogElement>(null), id = useId();
  useLayoutEffect(() => {
    const found = dialog.current;
    found?.showModal();
    return () => {
      found?.close();
      // What had the focus may be gone with what was done: then the reader goes on at the view's heading.
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>("#content h1")?.focus();
      });
    };
  }, []);
  return (
    <dialog ref={dialog} class="pitsheet" aria-labelledby={id} onCancel={(event) => { event.preventDefault(); close(); }}>
      <div class="sheethead"><h2 id={id} dir="auto">{title}</h2><button type="button" class="iconbtn" aria-label={pit.close()} title={pit.close()} onClick={close}><Icon name="close" /></button></div>
      {children}
    </dialog>
  );
}

interface AskProperties extends SheetProperties {
  /** What the button does, in a word or two. */
  action: string;
  acting: Acting;
  submit: () => void;
  isGrave?: boolean;
}

/** A dialog with one action. */
export function Ask({ title, close, children, action, acting, submit, isGrave }: AskProperties) {
  return (
    <Sheet title={title} close={close}>
      <form class="fields" onSubmit={(event) => { event.preventDefault(); submit(); }}>
        {children}
        <Refused of={acting.problem} />
        <div class="actions">
          <button type="button" class="btn" onClick={close}>{pit.cancel()}</button>
          <button class={`btn solid ${isGrave ? "grave" : ""}`} aria-disabled={acting.isBusy}>{action}</button>
        </div>
      </form>
    </Sheet>
  );
}
