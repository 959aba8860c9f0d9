/** Three languages, each text in all of them on one line: what is not translated does not compile. */
import { signal } from "@preact/signals";
import { kept, keep } from "../kept.ts";

export const LANGUAGES = ["en", "zh-Hans", "zh-Hant"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

/** In the order of LANGUAGES; `{name}` stands for what is put in. */
export type Text = readonly [english: string, simplified: string, traditional: string];
export type Values = Readonly<Record<string, string | number>>;

function first(): Language {
  const chosen = kept("language");
  if (LANGUAGES.includes(chosen as Language)) return chosen as Language;
  for (const wish of typeof navigator === "undefined" ? [] : navigator.languages) {
    if (/^zh\b.*\b(Hant|TW|HK|MO)\b/i.test(wish)) return "zh-Hant";
    if (/^zh\b/i.test(wish)) return "zh-Hans";
    if (/^en\b/i.test(wish)) return "en";
  }
  return "en";
}

export const language = signal<Language>(first());

export function speak(chosen: Language): void {
  language.value = chosen;
  keep("language", chosen);
}

export function put(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

export function chosen(text: Text): string {
  return text[LANGUAGES.indexOf(language.value)] as string;
}

/** Texts as functions, which a component that calls them follows when the language changes. */
export function words<Key extends string>(texts: Record<Key, Text>): Record<Key, (values?: Values) => string> {
  const found = {} as Record<Key, (values?: Values) => string>;
  for (const key of Object.keys(texts) as Key[]) found[key] = (values) => put(chosen(texts[key]), values);
  return found;
}
