/** The bar on top: on a wide screen all of it, on a phone the name and three menus. */
import { theme, THEMES } from "../appearance.ts";
import { Icon } from "../icons.tsx";
import { amount } from "../money.ts";
import { go, Link } from "../router.tsx";
import { isStaff, me, role, signOut } from "../session.ts";
import { isLoud, setLoud } from "../sound.ts";
import { language, LANGUAGE_NAMES, LANGUAGES, speak } from "../words/language.ts";
import { shell } from "../words/shell.ts";
import { Menu, MenuAction, MenuChoice, MenuLink } from "./menu.tsx";
import { Meters } from "./meters.tsx";
import { isAt, places, staffPlaces, tabs } from "./places.ts";
import { openPreferences, THEME_WORDS } from "./preferences.tsx";

export function Logo() {
  return (
    <svg class="logo" width="34" height="22" viewBox="0 0 34 22" aria-hidden="true">
      <circle class="P" cx="11" cy="11" r="8.5" /><circle class="B" cx="23" cy="11" r="8.5" /><path class="T" d="M11.5 18.5L22.5 3.5" />
    </svg>
  );
}

function SoundButton() {
  const says = isLoud.value ? shell.soundOn() : shell.soundOff();
  return (
    <button type="button" class="iconbtn wide" aria-label={says} title={says} onClick={() => void setLoud(!isLoud.value)}>
      <Icon name={isLoud.value ? "soundOn" : "soundOff"} />
    </button>
  );
}

function ThemeMenu() {
  return (
    <Menu label={shell.theme()} picture={<Icon name="sun" />} class="wide">
      {THEMES.map((each) => (
        <MenuChoice key={each} isChosen={theme.value === each} choose={() => (theme.value = each)}>{THEME_WORDS[each]()}</MenuChoice>
      ))}
    </Menu>
  );
}

/** Its name in every language it offers, for whoever cannot read the one it is in. */
export function LanguageMenu() {
  const label = language.value === "en" ? "Language 语言" : `${shell.language()} Language`;
  return (
    <Menu label={label} picture={<span class="han" aria-hidden="true">中</span>}>
      {LANGUAGES.map((each) => (
        <MenuChoice key={each} isChosen={language.value === each} choose={() => speak(each)} language={each}>{LANGUAGE_NAMES[each]}</MenuChoice>
      ))}
    </Menu>
  );
}

function AccountItems() {
  const known = me.value;
  return (
    <>
      <MenuLink href="/account" isHere={isAt("/account")}>{shell.account()}</MenuLink>
      {known && !isStaff.value && <MenuLink href="/account?view=history">{shell.history()}</MenuLink>}
      {known && !isStaff.value && <MenuLink href="/account?view=limits">{shell.limits()}</MenuLink>}
      <MenuAction act={openPreferences}>{shell.preferences()}</MenuAction>
      {(!known || role.value === "guest") && <MenuLink href="/account?view=sign-in">{shell.signIn()}</MenuLink>}
      {known && role.value !== "guest" && <MenuAction act={() => void signOut().then(() => go("/"), () => undefined)}>{shell.signOut()}</MenuAction>}
    </>
  );
}

function AccountMenu() {
  const known = me.value, count = known?.notices.length ?? 0;
  const label = count ? `${shell.account()}: ${shell.noticesWaiting({ count })}` : shell.account();
  return (
    <Menu label={label} picture={<><Icon name="person" />{count > 0 && <i class="dotted" />}</>}>
      {known && (
        <div role="none" class="menuhead">
          <b dir="auto">{known.name}</b>
          {Object.entries(known.balances).map(([unit, balance]) => <span class="num label" key={unit}>{amount(balance, unit)} {unit}</span>)}
        </div>
      )}
      <AccountItems />
    </Menu>
  );
}

/** Everything of the header in one menu, for a phone, and for a page that has a bar of its own there. */
export function SiteMenu({ class: more }: { class?: string }) {
  const sound = isLoud.value ? shell.soundOn() : shell.soundOff();
  return (
    <Menu label={shell.menu()} picture={<Icon name="menu" />} class={more}>
      {[...tabs(), ...staffPlaces()].map(({ href, name, picture }) => (
        <MenuLink key={href} href={href} isHere={isAt(href)}><Icon name={picture} size={20} />{shell[name]()}</MenuLink>
      ))}
      <MenuLink href="/account" isHere={isAt("/account")}><Icon name="person" size={20} />{shell.account()}</MenuLink>
      <MenuAction act={() => void setLoud(!isLoud.value)}><Icon name={isLoud.value ? "soundOn" : "soundOff"} size={20} />{sound}</MenuAction>
      <MenuAction act={openPreferences}><Icon name="sun" size={20} />{shell.preferences()}</MenuAction>
    </Menu>
  );
}

export function Header() {
  return (
    <header class="site">
      <Link class="word" href="/"><Logo /><span>Punto Banco</span></Link>
      <nav class="wide" aria-label={shell.places()}>
        {places().map(({ href, name }) => (
          <Link href={href} key={href} aria-current={isAt(href) ? "page" : undefined}>{shell[name]()}</Link>
        ))}
      </nav>
      <div class="right">
        <span class="wide meters"><Meters /></span>
        <span class="label wide" title={shell.playMoneyAll()}>{shell.playMoney()}</span>
        <span class="tools">
          <SoundButton />
          <ThemeMenu />
          <LanguageMenu />
          <AccountMenu />
          <SiteMenu class="narrow" />
        </span>
      </div>
    </header>
  );
}

/** On a phone: money, time and net, and the places under the thumb. */
export function Tabs() {
  return (
    <nav class="tabs" aria-label={shell.places()}>
      {tabs().map(({ href, name, picture }) => (
        <Link href={href} key={href} aria-current={isAt(href) ? "page" : undefined}><Icon name={picture} size={24} />{shell[name === "odds" ? "oddsShort" : name]()}</Link>
      ))}
    </nav>
  );
}
