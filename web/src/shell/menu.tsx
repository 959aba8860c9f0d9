/** A menu under a button: arrow keys within it, Escape and a choice close it, and the focus goes back to the button. */
import { type ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { Link } from "../router.tsx";

const ITEMS = '[role^="menuitem"]';
const GAP = 6;
const MARGIN = 12;

interface MenuProperties {
  label: string;
  /** What is in the button: a picture. */
  picture: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export function Menu({ label, picture, class: more = "", children }: MenuProperties) {
  const id = useId(), button = useRef<HTMLButtonElement>(null), list = useRef<HTMLDivElement>(null);
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];

  /** Under its button, and within the window. */
  function place(): void {
    const under = button.current?.getBoundingClientRect(), menu = list.current;
    if (!under || !menu) return;
    menu.style.top = `${under.bottom + GAP}px`;
    menu.style.right = `${Math.max(MARGIN, document.documentElement.clientWidth - under.right)}px`;
  }

  function move(event: KeyboardEvent): void {
    const all = items(), at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    } else if (event.key === "Tab") list.current?.hidePopover();
  }

  return (
    <>
      <button
        type="button" ref={button} class={`iconbtn ${more}`} aria-label={label} title={label} aria-haspopup="menu" popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {picture}
      </button>
      <div
        id={id} ref={list} popover="auto" role="menu" class="menu sitemenu" aria-label={label} onKeyDown={move}
        onBeforeToggle={(event) => event.newState === "open" && place()}
        onToggle={(event) => {
          if (event.newState !== "open") return;
          const all = items();
          (all.find((each) => each.getAttribute("aria-checked") === "true") ?? all[0])?.focus();
        }}
        onClick={(event) => (event.target as Element).closest(ITEMS) && list.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface Item {
  children: ComponentChildren;
  class?: string;
}

export function MenuLink({ href, isHere, class: more, children }: Item & { href: string; isHere?: boolean }) {
  return <Link role="menuitem" tabIndex={-1} href={href} class={more} aria-current={isHere ? "page" : undefined}>{children}</Link>;
}

export function MenuAction({ act, class: more, children }: Item & { act: () => void }) {
  return <button type="button" role="menuitem" tabIndex={-1} class={more} onClick={act}>{children}</button>;
}

export function MenuChoice({ isChosen, choose, language, children }: Item & { isChosen: boolean; choose: () => void; language?: string }) {
  return (
    <button type="button" role="menuitemradio" tabIndex={-1} aria-checked={isChosen} lang={language} onClick={choose}>{children}</button>
  );
}
