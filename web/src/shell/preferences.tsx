/** How somebody likes the app: one set of controls, in a dialog from any page and on the page of the account. */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Signal } from "@preact/signals";
import { theme, THEMES, type Theme } from "../appearance.ts";
import { Icon } from "../icons.tsx";
import { fourColour, largeIndex, squeezing } from "../preferences.ts";
import { isLoud, play, setLoud, volume } from "../sound.ts";
import { language, LANGUAGE_NAMES, LANGUAGES, speak } from "../words/language.ts";
import { shell } from "../words/shell.ts";

export const THEME_WORDS: Record<Theme, () => string> = { system: shell.themeSystem, light: shell.themeLight, dark: shell.themeDark };

interface Chosen<Value extends string> {
  name: string;
  legend: string;
  values: readonly Value[];
  chosen: Value;
  choose: (value: Value) => void;
  said: (value: Value) => string;
  isLanguage?: boolean;
}

function Choice<Value extends string>({ name, legend, values, chosen, choose, said, isLanguage }: Chosen<Value>) {
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      <div class="segments">
        {values.map((value) => (
          <label key={value} lang={isLanguage ? value : undefined}>
            <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => choose(value)} />
            <span>{said(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Switch({ of, set, label, children }: { of: Signal<boolean>; set?: (on: boolean) => void; label: string; children?: ComponentChildren }) {
  return (
    <label class="switch">
      <span><span>{label}</span>{children && <small class="muted">{children}</small>}</span>
      <input
        type="checkbox" role="switch" checked={of.value}
        onChange={(event) => (set ? set(event.currentTarget.checked) : (of.value = event.currentTarget.checked))}
      />
    </label>
  );
}

/** `at` tells apart the controls of the dialog and of the page, which may be there at once. */
export function PreferenceControls({ at }: { at: string }) {
  return (
    <div class="preferences">
      <Choice name={`${at}-language`} legend={shell.language()} values={LANGUAGES} chosen={language.value} choose={speak} said={(each) => LANGUAGE_NAMES[each]} isLanguage />
      <Choice name={`${at}-theme`} legend={shell.theme()} values={THEMES} chosen={theme.value} choose={(each) => (theme.value = each)} said={(each) => THEME_WORDS[each]()} />
      <fieldset class="choice">
        <legend>{shell.sound()}</legend>
        <Switch of={isLoud} set={(on) => void setLoud(on)} label={shell.soundSwitch()}>{shell.soundSays()}</Switch>
        <label class="volume">
          <span>{shell.volume()}</span>
          <input
            type="range" min="0" max="100" step="5" value={Math.round(volume.value * 100)} disabled={!isLoud.value}
            onInput={(event) => (volume.value = Number(event.currentTarget.value) / 100)} onChange={() => play("chip")}
          />
        </label>
      </fieldset>
      <fieldset class="choice">
        <legend>{shell.cards()}</legend>
        <Switch of={fourColour} label={shell.fourColour()}>{shell.fourColourSays()}</Switch>
        <Switch of={largeIndex} label={shell.largeIndex()}>{shell.largeIndexSays()}</Switch>
        <Switch of={squeezing} label={shell.squeezing()}>{shell.squeezingSays()}</Switch>
      </fieldset>
    </div>
  );
}

const isOpen = signal(false);

export function openPreferences(): void {
  isOpen.value = true;
}

export function PreferencesDialog() {
  const dialog = useRef<HTMLDialogElement>(null), open = isOpen.value;
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
  }, [open]);
  if (!open) return null;
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog} class="preferencesdialog" aria-labelledby="preferences-title" onClose={() => (isOpen.value = false)}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="dialoghead">
        <h2 id="preferences-title" class="serif">{shell.preferences()}</h2>
        <button type="button" class="iconbtn" aria-label={shell.close()} onClick={close}><Icon name="close" /></button>
      </div>
      <PreferenceControls at="dialog" />
    </dialog>
  );
}
