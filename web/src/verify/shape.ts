/** What a transcript of the scheme pb1 is made of, field by field: nothing else may be in it. */
import type { RoundDrawn, Transcript } from "../types/api.ts";
import type { Json } from "./json.ts";

type Holds = (value: Json | undefined) => boolean;

const fits = (pattern: RegExp): Holds => (value) => typeof value === "string" && pattern.test(value);
const text: Holds = (value) => typeof value === "string" && value !== "";
const hash = fits(/^[0-9a-f]{64}$/);
const signature = fits(/^[0-9a-f]{128}$/);
const nothing: Holds = (value) => value === null;
const absent: Holds = (value) => value === undefined;
const whole = (most: number): Holds => (value) => typeof value === "number" && value >= 0 && value <= most;
const one = (...values: readonly Json[]): Holds => (value) => value !== undefined && values.includes(value);
const either = (...all: readonly Holds[]): Holds => (value) => all.some((each) => each(value));
const list = (of: Holds, length?: number): Holds => (value) =>
  Array.isArray(value) && value.every(of) && (length === undefined || value.length === length);

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
const named = (name: RegExp, of: Holds): Holds => (value) =>
  isObject(value) && Object.keys(value).every((each) => name.test(each) && of(value[each]));

type Shape = Readonly<Record<string, Holds>>;
const exactly = (shape: Shape): Holds => (value) => isObject(value) && misfit(value, shape) === null;

const cards = list(fits(/^\w\w$/));
const nonce = exactly({ patron: text, commitment: hash, nonce: either(hash, nothing) });
const any = whole(Number.MAX_SAFE_INTEGER);

const BURN: Shape = { round: one(0), number: nothing, nonces: list(() => false), state: hash, key: hash, drawn: cards };
const ROUND: Shape = { ...BURN, round: any, number: any, nonces: list(nonce), deal: text, void: either(text, nothing) };
const SHOE: Shape = {
  scheme: one("pb1"), table: text, shoe: text, game: text, reading: named(/^[^]+$/, text),
  decks: whole(99), cut_depth: whole(9999), burn: one("by-first-card", "off"), cards, previous: hash,
  rules_digest: hash, commitments: list(hash, 256), anchor: hash, public_key: either(hash, nothing),
  signature: either(signature, nothing), rounds: list(() => true), final: either(hash, absent), seal: either(hash, absent),
  unused_keys: either(named(/^\d{1,3}$/, hash), absent), seal_signature: either(signature, absent),
};

/** The first field that is missing, unknown or not written as it should be. */
function misfit(value: { readonly [name: string]: Json }, shape: Shape): string | null {
  for (const name of new Set([...Object.keys(shape), ...Object.keys(value)])) {
    if (!Object.hasOwn(shape, name) || !shape[name]!(Object.hasOwn(value, name) ? value[name] : undefined)) return name;
  }
  return null;
}

/** The transcript, or the name of its first field that is not right, or null; its rounds are looked at one by one. */
export function asShoe(value: Json): Transcript | string | null {
  if (!isObject(value)) return null;
  return misfit(value, SHOE) ?? (value as unknown as Transcript);
}

export function asRound(value: unknown, place: number): RoundDrawn | string | null {
  if (!isObject(value as Json)) return null;
  return misfit(value as { [name: string]: Json }, place ? ROUND : BURN) ?? (value as RoundDrawn);
}
