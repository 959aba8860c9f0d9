/** A table's settings between the form and the service: what was typed becomes the wishes that differ. Pure. */
import type { NewTable, OnTheFloor, Wishes } from "../types/api.ts";
import { unitOf } from "./alerts.ts";
import { moneyTyped, typedMoney, typedSeconds, typedWhole } from "./typed.ts";

/** Every field by its name; a limit is `limits.WAGER.minimum`, a reading `reading.SWITCH`, a bonus `bonuses.LINE`. */
export type Typed = Readonly<Record<string, string>>;

const PARTS = ["minimum", "maximum", "step"] as const;
const ROUND_LIMITS = ["patron_limit", "table_limit", "house_limit"] as const;
const PACES = ["betting_milliseconds", "card_milliseconds"] as const;
const PLAIN = ["name", "currency", "account", "dealing", "burn"] as const;
const WHOLE = ["decks", "cut_depth", "place"] as const;
export const OVERRIDE = "even-money-banker";

export function typedOf(table: OnTheFloor): Typed {
  const unit = unitOf(table), found: Record<string, string> = { id: table.id, game: table.game };
  for (const name of PLAIN) found[name] = table[name];
  for (const name of WHOLE) found[name] = String(table[name]);
  for (const name of ROUND_LIMITS) found[name] = table[name] === null ? "" : moneyTyped(table[name], unit);
  for (const name of PACES) found[name] = table[name] === null ? "" : String(table[name] / 1000);
  for (const [wager, limits] of Object.entries(table.limits)) for (const part of PARTS) found[`limits.${wager}.${part}`] = moneyTyped(limits[part], unit);
  for (const [name, option] of Object.entries(table.reading)) found[`reading.${name}`] = option;
  for (const [line, money] of Object.entries(table.bonuses)) found[`bonuses.${line}`] = moneyTyped(money, unit);
  found.overrides = table.overrides.includes(OVERRIDE) ? OVERRIDE : "";
  return found;
}

export interface Read {
  wishes: Wishes;
  /** The fields that could not be read. */
  unread: string[];
}

/** What was changed; of limits a wager's three go together, as the service takes them. */
export function wishesOf(typed: Typed, before: Typed, unit: string): Read {
  const wishes: Record<string, unknown> = {}, unread: string[] = [];
  const isChanged = (name: string) => (typed[name] ?? "") !== (before[name] ?? "");
  const value = (name: string) => (typed[name] ?? "").trim();
  const read = <Value>(name: string, reader: (text: string) => Value | null): Value | null => {
    const found = reader(value(name));
    if (found === null) unread.push(name);
    return found;
  };
  const money = (text: string) => typedMoney(text, unit);
  for (const name of PLAIN) if (isChanged(name) && value(name)) wishes[name] = value(name);
  for (const name of WHOLE) if (isChanged(name) && value(name)) wishes[name] = read(name, typedWhole);
  for (const name of ROUND_LIMITS) if (isChanged(name)) wishes[name] = value(name) ? read(name, money) : null;
  for (const name of PACES) if (isChanged(name)) wishes[name] = value(name) ? read(name, typedSeconds) : null;
  if (isChanged("overrides")) wishes.overrides = value("overrides") ? [value("overrides")] : [];
  const limits: Record<string, Record<string, number | null>> = {}, reading: Record<string, string> = {}, bonuses: Record<string, number | null> = {};
  for (const name of Object.keys(typed)) {
    const [group, of = ""] = name.split(".");
    if (!isChanged(name)) continue;
    if (group === "reading" && value(name)) reading[name.slice("reading.".length)] = value(name);
    if (group === "bonuses" && value(name)) bonuses[name.slice("bonuses.".length)] = read(name, money);
    if (group === "limits" && !(of in limits) && PARTS.some((part) => value(`limits.${of}.${part}`))) {
      limits[of] = Object.fromEntries(PARTS.map((part) => [part, read(`limits.${of}.${part}`, money)]));
    }
  }
  for (const [name, group] of Object.entries({ limits, reading, bonuses })) if (Object.keys(group).length) wishes[name] = group;
  return { wishes: wishes as Wishes, unread };
}

export function newTableOf(typed: Typed, unit: string): { table: NewTable; unread: string[] } {
  const { wishes, unread } = wishesOf(typed, {}, unit);
  return { table: { ...wishes, id: (typed.id ?? "").trim(), game: typed.game ?? "" }, unread };
}

/** At which field a refusal belongs; null where it is about the whole. */
const FIELDS: Readonly<Record<string, string>> = {
  "unfit-decks": "decks", "unfit-cut": "cut_depth", "unfit-currency": "currency", "not-for-cash": "account", "unfit-limits": "limits",
  "table-there": "id", "unknown-game": "game", "unknown-wager": "limits", "unknown-bonus": "bonuses", "unknown-reading": "reading",
};

export function fieldOf(reason: string, english: string): string | null {
  const told = /\(at ([\w.-]+)/.exec(english)?.[1];
  if (told) return told.split(".")[0] as string;
  if (reason === "malformed" && english.startsWith("The id of a table")) return "id";
  if (reason === "malformed" && english.startsWith("The name of a table")) return "name";
  return FIELDS[reason] ?? null;
}
