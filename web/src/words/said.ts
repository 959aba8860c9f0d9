/** Sentences that the service says, in the reader's language: it says them in English, and sends a list of the others. */
import { signal } from "@preact/signals";
import { language, put } from "./language.ts";

/** By the English text, its translation; a text with numbers or names in it is a pattern with `{0}`, `{1}`. */
type Translations = Readonly<Record<string, string>>;
interface Pattern {
  matches: RegExp;
  text: string;
}

const lists = signal<Readonly<Record<string, { whole: Translations; patterns: readonly Pattern[] }>>>({});
const asked = new Set<string>();

export function prepared(translations: Translations): { whole: Translations; patterns: readonly Pattern[] } {
  const whole: Record<string, string> = {}, patterns: Pattern[] = [];
  for (const [english, text] of Object.entries(translations)) {
    if (!/\{\d+\}/.test(english)) {
      whole[english] = text;
      continue;
    }
    const escaped = english.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\\\{\d+\\\}/g, "(.+?)");
    patterns.push({ matches: new RegExp(`^${escaped}$`, "s"), text });
  }
  return { whole, patterns };
}

export function learn(of: string, translations: Translations): void {
  lists.value = { ...lists.value, [of]: prepared(translations) };
}

async function load(of: string): Promise<void> {
  if (asked.has(of)) return;
  asked.add(of);
  try {
    const response = await fetch(`/api/words/${of}`);
    if (response.ok) learn(of, ((await response.json()) as { words: Translations }).words);
    else asked.delete(of);
  } catch {
    asked.delete(of);
  }
}

export function said(english: string): string {
  const of = language.value;
  if (of === "en") return english;
  const list = lists.value[of];
  if (!list) {
    void load(of);
    return english;
  }
  const whole = list.whole[english];
  if (whole !== undefined) return whole;
  for (const { matches, text } of list.patterns) {
    const found = matches.exec(english);
    // What is put in may be a name that has a translation of its own.
    if (found) return put(text, Object.fromEntries(found.slice(1).map((part, place) => [place, list.whole[part] ?? part])));
  }
  return english;
}
