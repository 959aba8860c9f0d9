/** What every page has: where one is, what one has, how long one has played, and what is wrong with the connection. */
import "./styles/shell.css";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { announce, LiveRegion } from "./announced.tsx";
import { isOutdated } from "./api.ts";
import { isOffline, reload } from "./offline.ts";
import "./recent.ts";
import { path } from "./router.tsx";
import { Header, Tabs } from "./shell/header.tsx";
import { MoneyLine } from "./shell/meters.tsx";
import { PreferencesDialog } from "./shell/preferences.tsx";
import { language } from "./words/language.ts";
import { shell } from "./words/shell.ts";

export { Header, LanguageMenu, Logo, SiteMenu } from "./shell/header.tsx";
export { lasted, Meters, MoneyLine } from "./shell/meters.tsx";
export { openPreferences, PreferenceControls } from "./shell/preferences.tsx";

/** A new page is where the reader goes on: the focus would be lost with the link that led there. */
function useFocusOnNewPage(): void {
  const last = useRef(path.value);
  useEffect(() => {
    const main = document.getElementById("content");
    if (last.current === path.value || !main || main.ariaBusy === "true") return;
    last.current = path.value;
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (lost || !document.activeElement?.isConnected) {
      main.tabIndex = -1;
      main.focus({ preventScroll: true });
    }
    announce(document.title);
  });
}

/** A page that has a bar and a last line of its own on a phone says so: `<main id="content" data-own-bar>`. */
export function Shell({ children, bare }: { children: ComponentChildren; bare?: boolean }) {
  useEffect(() => {
    document.documentElement.lang = language.value;
  });
  useFocusOnNewPage();
  const isAway = isOffline.value, isOld = isOutdated.value;
  useEffect(() => {
    if (isAway) announce(shell.offline());
  }, [isAway]);
  useEffect(() => {
    if (isOld) announce(shell.outdated());
  }, [isOld]);
  return (
    <>
      <a class="skip" href="#content">{shell.skip()}</a>
      {isOld && (
        <div class="banner">{shell.outdated()}<button type="button" class="btn small solid" onClick={() => void reload()}>{shell.reload()}</button></div>
      )}
      {isAway && <div class="banner offline"><span class="light shut">{shell.offline()}</span></div>}
      {!bare && <Header />}
      {children}
      {!bare && <footer class="sitefoot narrow"><MoneyLine /><Tabs /></footer>}
      <PreferencesDialog />
      <LiveRegion />
    </>
  );
}
