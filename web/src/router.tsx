/** Addresses: every page and every state worth sharing has one. */
import { computed, signal } from "@preact/signals";
import type { AnchorHTMLAttributes } from "preact";

export const address = signal(new URL(location.href));
export const path = computed(() => address.value.pathname);

addEventListener("popstate", () => (address.value = new URL(location.href)));

export function go(to: string, options: { replace?: boolean } = {}): void {
  const next = new URL(to, location.href);
  const isNewPage = next.pathname !== location.pathname;
  history[options.replace ? "replaceState" : "pushState"](null, "", next);
  address.value = next;
  if (isNewPage && !options.replace) scrollTo(0, 0);
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

/** A link within the app: opened here, unless somebody wants a tab of its own. */
export function Link(properties: LinkProps) {
  const { href, onClick } = properties;
  return (
    <a
      {...properties}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(href);
      }}
    />
  );
}

/** The parts of an address that a pattern such as `/tables/:table/rounds/:number` names. */
export function matched(pattern: string, at: string): Record<string, string> | null {
  const wanted = pattern.split("/"), given = at.replace(/\/+$/, "").split("/");
  if (wanted.length !== given.length && !(pattern === "/" && given.length === 1)) return null;
  const found: Record<string, string> = {};
  for (let place = 0; place < given.length; place++) {
    const part = wanted[place] ?? "", value = given[place] ?? "";
    if (part.startsWith(":")) {
      if (!value) return null;
      try {
        found[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return found;
}
