/** What every page has: where one is, what one has, how long one has played, and what is wrong with the connection. */
import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { LiveRegion } from "./announced.tsx";
import { isOutdated } from "./api.ts";
import { theme, THEMES, type Theme } from "./appearance.ts";
import { serverNow, tick } from "./clock.ts";
import { Icon } from "./icons.tsx";
import { signed } from "./money.ts";
import { Link, path } from "./router.tsx";
import { isStaff, me, role } from "./session.ts";
import { isLoud, volume } from "./sound.ts";
import { language, LANGUAGE_NAMES, LANGUAGES, speak } from "./words/language.ts";
import { shell } from "./words/shell.ts";

const PLACES = [
  ["/", "tables"], ["/odds", "odds"], ["/rules", "rules"], ["/learn", "learn"],
] as const;
const STAFF_PLACES = [["/dealer", "dealer"], ["/pit", "pit"]] as const;

function isAt(place: string): boolean {
  return place === "/" ? path.value === "/" || path.value.startsWith("/tables") : path.value.startsWith(place);
}

export function places(): readonly (readonly [string, "tables" | "odds" | "rules" | "learn" | "dealer" | "pit"])[] {
  return isStaff.value ? [...PLACES, ...STAFF_PLACES.filter(([place]) => place !== "/dealer" || role.value !== "auditor")] : PLACES;
}

/** So long the person has been here: hours and minutes, or minutes and seconds. */
export function lasted(since: number): string {
  void tick.value;
  const seconds = Math.max(0, Math.floor((serverNow() - since) / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [String(first), ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/** Session time and net result: the net of the currency that moved, or of each of several. */
export function Meters() {
  const known = me.value;
  if (!known || isStaff.value) return null;
  const moved = Object.entries(known.session.net).filter(([, net]) => net !== 0);
  return (
    <>
      <span class="meter"><span class="label">{shell.session()}</span><b class="num">{lasted(known.session.since)}</b></span>
      <span class="meter">
        <span class="label">{shell.net()}</span>
        {(moved.length ? moved : [["", 0] as const]).map(([currency, net]) => (
          <b class={`num ${net > 0 ? "up" : ""}`} key={currency}>{signed(net, currency)}{moved.length > 1 ? ` ${currency}` : ""}</b>
        ))}
      </span>
    </>
  );
}

export function Logo() {
  return (
    <svg class="logo" width="34" height="22" viewBox="0 0 34 22" aria-hidden="true">
      <circle class="P" cx="11" cy="11" r="8.5" /><circle class="B" cx="23" cy="11" r="8.5" /><path class="T" d="M11.5 18.5L22.5 3.5" />
    </svg>
  );
}

const THEME_WORDS: Record<Theme, () => string> = { system: shell.themeSystem, light: shell.themeLight, dark: shell.themeDark };

/** Sound, theme and language: the same three in the header and in the menu of a phone. */
export function Preferences() {
  return (
    <>
      <fieldset class="menu">
        <legend class="label">{shell.theme()}</legend>
        {THEMES.map((each) => (
          <button type="button" role="radio" aria-checked={theme.value === each} key={each} onClick={() => (theme.value = each)}>{THEME_WORDS[each]()}</button>
        ))}
      </fieldset>
      <fieldset class="menu">
        <legend class="label">{shell.language()}</legend>
        {LANGUAGES.map((each) => (
          <button type="button" role="radio" aria-checked={language.value === each} lang={each} key={each} onClick={() => speak(each)}>{LANGUAGE_NAMES[each]}</button>
        ))}
      </fieldset>
      <label class="label">{isLoud.value ? shell.soundOn() : shell.soundOff()}
        <input type="range" min="0" max="1" step="0.05" value={volume.value} onInput={(event) => (volume.value = Number(event.currentTarget.value))} />
      </label>
    </>
  );
}

export function Header() {
  const sound = isLoud.value ? shell.soundOn() : shell.soundOff();
  return (
    <header class="site">
      <Link class="word" href="/"><Logo /><span>Punto Banco</span></Link>
      <nav class="wide">
        {places().map(([place, name]) => (
          <Link href={place} key={place} aria-current={isAt(place) ? "page" : undefined}>{shell[name]()}</Link>
        ))}
      </nav>
      <div class="right">
        <span class="wide meters"><Meters /></span>
        <Link class="label wide" href="/account">{shell.playMoney()}</Link>
        <span class="tools">
          <button type="button" class="iconbtn wide" aria-label={sound} aria-pressed={isLoud.value} onClick={() => (isLoud.value = !isLoud.value)}>
            <Icon name={isLoud.value ? "soundOn" : "soundOff"} />
          </button>
          <button type="button" class="iconbtn" aria-label={shell.menu()} popovertarget="preferences"><Icon name="menu" /></button>
          <Link class="iconbtn" aria-label={shell.account()} href="/account"><Icon name="person" /></Link>
        </span>
      </div>
      <div id="preferences" popover="auto" class="menu">
        <nav class="narrow menu">
          {places().map(([place, name]) => (
            <Link href={place} key={place} aria-current={isAt(place) ? "page" : undefined} onClick={() => document.getElementById("preferences")?.hidePopover()}>{shell[name]()}</Link>
          ))}
        </nav>
        <Preferences />
      </div>
    </header>
  );
}

export function Shell({ children, bare }: { children: ComponentChildren; bare?: boolean }) {
  useEffect(() => {
    document.documentElement.lang = language.value;
  });
  return (
    <>
      <a class="skip" href="#content">{shell.skip()}</a>
      {isOutdated.value && (
        <div class="banner" role="alert">{shell.outdated()}<button type="button" class="btn small solid" onClick={() => location.reload()}>{shell.reload()}</button></div>
      )}
      {!bare && <Header />}
      {children}
      <LiveRegion />
    </>
  );
}
