/** Light or dark: as the system has it, unless somebody chooses. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const known = kept("theme");

export const theme = signal<Theme>(THEMES.includes(known as Theme) ? (known as Theme) : "system");

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
  keep("theme", theme.value === "system" ? null : theme.value);
});

export const lessMotion = signal(false);
if (typeof matchMedia !== "undefined") {
  const asked = matchMedia("(prefers-reduced-motion: reduce)");
  lessMotion.value = asked.matches;
  asked.addEventListener("change", () => (lessMotion.value = asked.matches));
}
