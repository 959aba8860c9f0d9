/** What the service says, in the reader's language: it speaks English, and has a list of each other language. */
import { signal } from "@preact/signals";
import { amount } from "../money.ts";
import type { WordList } from "../types/api.ts";
import { language } from "./language.ts";

/** By the English text, its translation. What is put in is `{0}`, `{1}`; in a translation `{0:money}` is an amount. */
type Translations = Readonly<Record<string, string>>;
interface Pattern {
  matches: RegExp;
  text: string;
  /** How much of the pattern is text: the more, the surer it is meant. */
  letters: number;
}
interface List {
  whole: Translations;
  patterns: readonly Pattern[];
}

const lists = signal<Readonly<Record<string, List>>>({});
const asked = new Set<string>();
const PUT_IN = /\{\d+\}/g;
const MONEY = ":money";

export function prepared(translations: Translations): List {
  const whole: Record<string, string> = Object.create(null) as Record<string, string>, patterns: Pattern[] = [];
  for (const [english, text] of Object.entries(translations)) {
    const letters = english.replace(PUT_IN, "").length;
    if (letters === english.length) {
      whole[english] = text;
      continue;
    }
    // The places are numbered in the order in which they stand.
    const escaped = english.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\\\{\d+\\\}/g, "(.+?)");
    patterns.push({ matches: new RegExp(`^${escaped}$`, "s"), text, letters });
  }
  // "Ruling 14: tie" is also a "Ruling {0}".
  return { whole, patterns: patterns.sort((one, other) => other.letters - one.letters) };
}

export function learn(of: string, translations: Translations): void {
  lists.value = { ...lists.value, [of]: prepared(translations) };
}

async function load(of: string): Promise<void> {
  if (asked.has(of)) return;
  asked.add(of);
  try {
    const response = await fetch(`/api/words/${of}`);
    if (response.ok) learn(of, ((await response.json()) as WordList).words);
    else asked.delete(of);
  } catch {
    asked.delete(of);
  }
}

/** In the reader's language, with amounts as the page shows them where their currency is known. */
export function said(english: string, currency: string | null = null): string {
  const list = lists.value[language.value];
  if (list) return translated(list, english, currency) ?? english;
  void load(language.value);
  return english;
}

/** The text in the words of a list; undefined where it has none. */
function translated(list: List, english: string, currency: string | null): string | undefined {
  const whole = list.whole[english];
  if (whole !== undefined) return whole;
  for (const { matches, text } of list.patterns) {
    const found = matches.exec(english);
    if (!found) continue;
    const parts = found.slice(1);
    // A sentence that names a currency once means it with every amount.
    const meant = currency ?? parts.map((part) => readMoney(part)?.currency).find(Boolean) ?? null;
    return text.replace(/\{(\d+)(:money)?\}/g, (_, place: string, kind?: string) => {
      const part = parts[Number(place)] ?? "";
      return (kind === MONEY ? asMoney(part, meant) : undefined) ?? putIn(list, part, meant);
    });
  }
  return undefined;
}

/** What is put in may have a translation of its own: a name, a reason, or several of them. */
function putIn(list: List, part: string, currency: string | null): string {
  // A name that somebody has sent is quoted.
  const whole = list.whole[part] ?? list.whole[/^'(.*)'$/.exec(part)?.[1] ?? ""];
  return whole ?? severalOf(list, part, currency) ?? translated(list, part, currency) ?? part;
}

function severalOf(list: List, part: string, currency: string | null): string | undefined {
  const several = part.split(/, | or /);
  if (several.length < 2 || language.value === "en") return undefined;
  const each = several.map((one) => translated(list, one, currency) ?? (/^[A-Z]{3,8}$/.test(one) ? one : undefined));
  return each.every((one) => one !== undefined) ? each.join(part.includes(" or ") ? "或" : "、") : undefined;
}

/** `2,000`, `2,000 cents = 20.00 SGD` or `7 of the smallest unit of XTS`: all are whole numbers of the smallest unit. */
function readMoney(text: string): { value: number; currency: string | null } | null {
  const found = /^(-?[\d,]+)(?: [a-z]+ = -?[\d,.]+ ([A-Z]+)| of the smallest unit of ([A-Z]+))?$/.exec(text);
  return found && { value: Number(found[1]?.replaceAll(",", "")), currency: found[2] ?? found[3] ?? null };
}

function asMoney(text: string, meant: string | null): string | undefined {
  const money = readMoney(text), currency = money?.currency ?? meant;
  if (!money || currency === null) return undefined;
  return money.currency === null ? amount(money.value, currency) : `${amount(money.value, currency)} ${currency}`;
}
