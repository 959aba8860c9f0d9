/** Deals committed shoes again from their transcripts (scheme pb1), in the browser and on its own: nothing here is asked
 * of the service that dealt them, and the code shares nothing with it. */
import type { NonceTold, RoundDrawn, Transcript } from "../types/api.ts";
import { type FailureCode, failures } from "../words/verify.ts";
import type { Values } from "../words/language.ts";
import { fourBytes, fromHex, hashed, joined, Numbers, type Part, sha256, utf8 } from "./bytes.ts";
import { type Json, read, Unreadable, written } from "./json.ts";
import { asRound, asShoe } from "./shape.ts";
import { isSigned } from "./signature.ts";
import { dealt, notation, pointsOf, STANDARD, type TableOfPlay } from "./tableofplay.ts";

/** The transcript is not that of a shoe dealt as it was committed to. */
export class DoesNotFollow extends Error {
  constructor(
    readonly code: FailureCode,
    readonly values: Values = {},
    /** The round within the shoe; null where it is of the shoe. */
    readonly round: number | null = null,
  ) {
    super(code);
  }

  get sentence(): string {
    return failures[this.code]({ ...this.values, ...(this.round === null ? {} : { round: this.round }) });
  }
}

/** How one card was drawn. */
export interface Draw {
  /** 32 bits of the generator. */
  number: number;
  /** How many cards were left, and which of them it was, counted from 0. */
  left: number;
  place: number;
  card: string;
  /** Numbers that were passed over because they would favour some cards. */
  passedOver: number;
}

/** A round that was dealt again, with everything that it follows from. */
export interface RoundProof {
  round: number;
  number: number | null;
  commitment: string;
  key: string;
  nonces: readonly NonceTold[];
  before: string;
  state: string;
  draws: readonly Draw[];
  deal: string | null;
  void: string | null;
}

export interface Verdict {
  /** What does not follow first, or null. */
  failure: DoesNotFollow | null;
  shoe: Transcript | null;
  /** Rounds that follow, from the burn on; none after the first that does not. */
  rounds: readonly RoundProof[];
  /** Whether the house has signed the anchor: null where it has, and this browser cannot check it. */
  isSigned: boolean | null;
  /** The same of the seal, which holds the fields that are in no other hash. */
  isSealed: boolean | null;
  /** Whether it was held against the shoe before. */
  isChained: boolean;
  cardsLeft: number;
}

export interface Options {
  /** The transcript of the table's shoe before. */
  before?: Uint8Array | string;
  /** Tables of play other than the standard one, by the name that a reading gives them. */
  tables?: Readonly<Record<string, TableOfPlay>>;
}

/** Whether this browser lets a page hash anything: it does where the page came safely. */
export function canVerify(): boolean {
  return typeof crypto !== "undefined" && crypto.subtle !== undefined;
}

export async function verify(data: Uint8Array | string, options: Options = {}): Promise<Verdict> {
  const progress = new Progress();
  try {
    await follow(data, options, progress);
  } catch (error) {
    if (!(error instanceof DoesNotFollow)) throw error;
    progress.failure = error;
  }
  return progress;
}

class Progress implements Verdict {
  failure: DoesNotFollow | null = null;
  shoe: Transcript | null = null;
  rounds: RoundProof[] = [];
  isSigned: boolean | null = false;
  isSealed: boolean | null = false;
  isChained = false;
  cardsLeft = 0;
}

function require(holds: boolean, code: FailureCode, values: Values = {}, round: number | null = null): asserts holds {
  if (!holds) throw new DoesNotFollow(code, values, round);
}

// The packs of the scheme in their canonical order: suit by suit, rank by rank.
const PACKS = [["JQK", "cdhs"], ["SLF", "fgedw"]].map(([high, suits]) =>
  [...suits!].flatMap((suit) => [..."A23456789T", ...high!].map((rank) => rank + suit)).join(" "),
);

const KEYS = 256;
const NO_STATE = "00".repeat(32);

function shoeOf(data: Uint8Array | string): Transcript {
  let found: { value: Json; isUsual: boolean };
  try {
    found = read(data);
  } catch (error) {
    if (error instanceof Unreadable) throw new DoesNotFollow("unreadable");
    throw error;
  }
  require(found.isUsual, "unusual");
  const shoe = asShoe(found.value);
  require(shoe !== null, "notAnObject");
  if (typeof shoe === "string") throw new DoesNotFollow("shape", { name: shoe.slice(0, 38) });
  return shoe;
}

async function follow(data: Uint8Array | string, { before, tables = {} }: Options, progress: Progress): Promise<void> {
  const shoe = shoeOf(data);
  progress.shoe = shoe;
  const reading = shoe.reading["tableau"] ?? "standard";
  const table = reading === "standard" ? STANDARD : Object.hasOwn(tables, reading) ? tables[reading] : undefined;
  require(table !== undefined, "tableOfPlay");
  require(PACKS.includes(shoe.cards.join(" ")), "pack");
  await followAnchor(shoe, progress);
  require(["", shoe.table].includes(shoe.shoe.slice(0, Math.max(0, shoe.shoe.lastIndexOf("/")))), "otherTable");
  if (before !== undefined) {
    const last = shoeOf(before);
    require(last.table === shoe.table && last.final === shoe.previous, "chain", { shoe: shoe.shoe, before: last.shoe });
    progress.isChained = true;
  }
  const remaining = Array.from({ length: shoe.decks }, () => shoe.cards).flat();
  for (let place = 0; place < shoe.rounds.length; place++) progress.rounds.push(await followRound(shoe, place, remaining, progress.rounds, table));
  progress.cardsLeft = remaining.length;
  await followEnd(shoe, progress);
  await followSeal(shoe, progress);
}

async function followAnchor(shoe: Transcript, progress: Progress): Promise<void> {
  const anchor = await hashed(
    "pb1/anchor", shoe.shoe, fromHex(shoe.rules_digest), shoe.decks, shoe.cut_depth, fromHex(shoe.previous), ...shoe.commitments.map(fromHex),
  );
  require(anchor === shoe.anchor, "anchor");
  if (shoe.signature === null && shoe.public_key === null) return;
  require(shoe.signature !== null && shoe.public_key !== null, "signature");
  progress.isSigned = await isSigned(fromHex(anchor), shoe.signature, shoe.public_key);
  require(progress.isSigned !== false, "signature");
}

/** One round, after those before it; its cards leave the shoe. */
async function followRound(
  shoe: Transcript, place: number, remaining: string[], before: readonly RoundProof[], table: TableOfPlay,
): Promise<RoundProof> {
  const found = asRound(shoe.rounds[place], place);
  require(found !== null, "roundNotAnObject", {}, place);
  if (typeof found === "string") throw new DoesNotFollow("roundShape", { name: found.slice(0, 38) }, place);
  const round: RoundDrawn = found, stateBefore = before.at(-1)?.state ?? NO_STATE;
  require(round.round === place && place < KEYS, "place", { other: round.round }, place);

  const parts: Part[] = [];
  for (const { patron, commitment, nonce } of round.nonces) {
    const fits = nonce === null || (await hashed("pb1/nonce", shoe.shoe, place, patron, fromHex(nonce))) === commitment;
    require(fits, "nonce", { patron: patron.slice(0, 40) }, place);
    parts.push(patron, fromHex(nonce === null ? `00${commitment}` : `01${nonce}`));
  }
  const state = await hashed("pb1/round", shoe.shoe, place, fromHex(shoe.anchor), fromHex(stateBefore), ...parts);
  require(state === round.state, "state", {}, place);
  const commitment = await hashed("pb1/key", shoe.shoe, place, fromHex(round.key));
  require(commitment === shoe.commitments[place] && before.every((each) => each.key !== round.key), "key", {}, place);

  const seed = joined(fromHex(round.key), fromHex(state), utf8("pb1/draw"), utf8(shoe.shoe), fourBytes(place));
  const numbers = await Numbers.from(seed), draws: Draw[] = [];
  for (const _ of round.drawn.slice(0, remaining.length)) draws.push(await draw(remaining, numbers));
  const cards = draws.map((each) => each.card);
  require(cards.join(" ") === round.drawn.join(" "), "drawn", { cards: cards.join(" ") }, place);

  const deal = place ? dealt(cards, table) : null, made = deal ? notation(deal) : null;
  const due = deal ? deal.due : shoe.burn === "off" ? 0 : 1 + cards.slice(0, 1).reduce((_, card) => pointsOf(card) || 10, 0);
  const isEnough = cards.length === due || (place > 0 && round.void !== null && cards.length < due);
  require(isEnough, "count", { drawn: cards.length, due }, place);
  require((round.deal ?? null) === made, "deal", { deal: made ?? "" }, place);
  require(place < 2 || (round.number ?? 0) > (before.at(-1)?.number ?? 0), "number", {}, place);
  return {
    round: place, number: round.number, commitment, key: round.key, nonces: round.nonces, before: stateBefore, state,
    draws, deal: made, void: round.void ?? null,
  };
}

/** Take a card out of the shoe; the last card comes in its place. */
export async function draw(remaining: string[], numbers: Pick<Numbers, "next">): Promise<Draw> {
  const left = remaining.length, limit = 2 ** 32 - (2 ** 32 % left);
  let number = await numbers.next(), passedOver = 0;
  for (; number >= limit; passedOver++) number = await numbers.next();
  const place = number % left, card = remaining[place]!;
  remaining[place] = remaining[left - 1]!;
  remaining.pop();
  return { number, left, place, card, passedOver };
}

async function followEnd(shoe: Transcript, progress: Progress): Promise<void> {
  const keys = shoe.unused_keys ?? {}, isOver = shoe.final !== undefined;
  const wanted = isOver ? shoe.commitments.map((_, place) => place).slice(shoe.rounds.length) : [];
  require(Object.keys(keys).length === wanted.length, "unused");
  for (const place of wanted) {
    const key = Object.hasOwn(keys, String(place)) ? keys[String(place)] : undefined;
    require(key !== undefined && (await hashed("pb1/key", shoe.shoe, place, fromHex(key))) === shoe.commitments[place], "unused");
  }
  if (!isOver) return;
  const last = progress.rounds.at(-1);
  require(last !== undefined && (await hashed("pb1/final", shoe.shoe, fromHex(shoe.anchor), fromHex(last.state))) === shoe.final, "final");
}

async function followSeal(shoe: Transcript, progress: Progress): Promise<void> {
  const fields = Object.entries(shoe).filter(([name]) => !name.startsWith("seal"));
  const seal = await sha256(utf8(written(Object.fromEntries(fields) as unknown as Json)));
  require(shoe.seal === undefined || shoe.seal === seal, "seal");
  if (shoe.seal_signature === undefined) return;
  require(shoe.public_key !== null, "sealSignature");
  progress.isSealed = await isSigned(joined(utf8("pb1/seal"), fromHex(seal)), shoe.seal_signature, shoe.public_key);
  require(progress.isSealed !== false, "sealSignature");
}
