/** The patron's own number in the drawing of a round: made and kept here, committed to while betting is open, and shown
 * after the close. The house cannot know it in advance, and the patron cannot change it any more. */
import { keep, kept } from "../kept.ts";

const encoder = new TextEncoder();

export type Part = string | number | Uint8Array;

function bytesOf(part: Part): Uint8Array {
  if (typeof part === "string") return encoder.encode(part);
  if (typeof part !== "number") return part;
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, part);
  return bytes;
}

/** Every part after its length in four bytes: no two lists of parts are written alike. */
export function written(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const all = parts.map(bytesOf);
  const found = new Uint8Array(all.reduce((sum, bytes) => sum + 4 + bytes.length, 0));
  const view = new DataView(found.buffer);
  let at = 0;
  for (const bytes of all) {
    view.setUint32(at, bytes.length);
    found.set(bytes, at + 4);
    at += 4 + bytes.length;
  }
  return found;
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export async function commitmentOf(shoe: string, roundInShoe: number, patron: string, nonce: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", written(["pb1/nonce", shoe, roundInShoe, patron, nonce]));
  return hex(new Uint8Array(digest));
}

/** Only a page that came safely may use the browser's own hashing. */
export function canHash(): boolean {
  return typeof crypto !== "undefined" && crypto.subtle !== undefined;
}

/** What this browser keeps of a round, for the page that verifies it. */
export interface OwnNonce {
  patron: string;
  shoe: string;
  roundInShoe: number;
  nonce: string;
  commitment: string;
}

const KEPT_ROUNDS = 40;
const keyOf = (table: string) => `nonces.${table}`;

function all(table: string): Record<string, OwnNonce> {
  try {
    return JSON.parse(kept(keyOf(table)) ?? "{}") as Record<string, OwnNonce>;
  } catch {
    return {};
  }
}

/** One's own number of a round, where it was made in this browser. */
export function ownNonce(table: string, round: number): OwnNonce | null {
  return all(table)[round] ?? null;
}

export function keepNonce(table: string, round: number, nonce: OwnNonce): void {
  const rounds: Record<string, OwnNonce> = { ...all(table), [round]: nonce };
  const numbers = Object.keys(rounds).map(Number).sort((one, other) => other - one);
  keep(keyOf(table), JSON.stringify(Object.fromEntries(numbers.slice(0, KEPT_ROUNDS).map((number) => [number, rounds[number]]))));
}

/** A fresh number, committed to. */
export async function newNonce(shoe: string, roundInShoe: number, patron: string): Promise<OwnNonce> {
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  return { patron, shoe, roundInShoe, nonce: hex(nonce), commitment: await commitmentOf(shoe, roundInShoe, patron, nonce) };
}
