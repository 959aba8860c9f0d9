/** The verifier of the browser: what it accepts, and that it says the same as `puntobanco verify` of everything else. */
import { describe, expect, test } from "vitest";
import { fourBytes, fromHex, Generator, hashed, joined, Numbers, toHex, utf8 } from "../src/verify/bytes.ts";
import { read, written } from "../src/verify/json.ts";
import { isSigned, isSmall } from "../src/verify/signature.ts";
import { dealt, notation, STANDARD, tableOfPlay } from "../src/verify/tableofplay.ts";
import { draw, verify } from "../src/verify/verify.ts";
import published from "../../tests/vectors/HMAC_DRBG.rsp?raw";
import signedShoe from "../../tests/fairness/golden/signed-shoe.json?raw";
import workedExample from "../../tests/fairness/golden/worked-example.json?raw";
import verdicts from "../../tests/fairness/golden/verdicts.json?raw";

const SHOES: Readonly<Record<string, string>> = { "worked-example": workedExample, "signed-shoe": signedShoe };
type Case = { at: (string | number)[]; to?: unknown; seal?: string; says: string | null };
type Verdicts = Record<string, { fields: Case[]; bits: [number, string | null][] }>;
const VERDICTS = JSON.parse(verdicts) as Verdicts;

async function says(data: string | Uint8Array): Promise<string | null> {
  return (await verify(data)).failure?.sentence ?? null;
}

/** A transcript with one field changed, as JSON values: what is set is always copied first. */
function changed(text: string, { at, seal, ...rest }: Case): string {
  const shoe = JSON.parse(text) as Record<string, unknown>, last = at.at(-1)!;
  let within = shoe as Record<string | number, unknown>;
  for (const name of at.slice(0, -1)) within = within[name] as typeof within;
  if ("to" in rest) within[last] = rest.to;
  else delete within[last];
  if (seal) shoe["seal"] = seal;
  return JSON.stringify(shoe);
}

describe("shoes dealt as they were committed to", () => {
  test("a whole one, with everything that each round follows from", async () => {
    const found = await verify(workedExample);
    expect(found.failure).toBeNull();
    expect(found).toMatchObject({ isSigned: false, isSealed: false, cardsLeft: 8 * 52 - 2 - 5 - 6 - 5 - 3 });
    expect(found.rounds.map((each) => each.deal)).toEqual([null, "P Qc Ad Qd | B 8s 9s", "P 4d Td 7h | B 4s Jd 2c", "P Ad 2c Ac | B 9d 6s", "P Ts 4c | B 5d"]);
    expect(found.rounds[1]).toMatchObject({ round: 1, number: 402, key: "01".repeat(32), before: found.rounds[0]!.state });
    expect(found.rounds[1]!.draws[0]).toMatchObject({ left: 414, card: "Qc" });
    expect(found.rounds[4]!.void).toBe("5.5: a card was exposed");
  });

  test("a running one, signed and sealed", async () => {
    const found = await verify(new TextEncoder().encode(signedShoe));
    expect(found.failure).toBeNull();
    expect(found).toMatchObject({ isSigned: true, isSealed: true });
    expect(found.rounds).toHaveLength(13);
  });

  test("one written with other spaces, without a seal, or as far as it went", async () => {
    const shoe = JSON.parse(workedExample) as Record<string, unknown>;
    expect(await says(JSON.stringify(shoe, null, "\t"))).toBeNull();
    delete shoe["seal"];
    expect(await says(JSON.stringify(shoe))).toBeNull();
    delete shoe["final"];
    delete shoe["unused_keys"];
    shoe["rounds"] = (shoe["rounds"] as unknown[]).slice(0, 3);
    expect(await says(JSON.stringify(shoe))).toBeNull();
    shoe["rounds"] = [];
    expect(await says(JSON.stringify(shoe))).toBeNull();
  });

  test("a shoe follows the one before, or it is said", async () => {
    const next = await verify(signedShoe, { before: workedExample });
    expect(next.failure?.sentence).toBe("Shoe 'salon-12' does not follow 'salon-863': its anchor holds another final state.");
  });
});

describe.each(Object.keys(SHOES))("%s, with one thing changed, as the command says", (name) => {
  const shoe = SHOES[name]!, { fields, bits } = VERDICTS[name]!;

  test("a field", async () => {
    expect(fields.length).toBeGreaterThan(150);
    for (const each of fields) expect(await says(changed(shoe, each)), JSON.stringify(each).slice(0, 200)).toBe(each.says);
  });

  test("a bit", async () => {
    expect(bits.length).toBe(150);
    const data = new TextEncoder().encode(shoe);
    for (const [bit, sentence] of bits) {
      const flipped = data.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(await says(flipped), `bit ${bit}`).toBe(sentence);
    }
  });

  test("a field twice, whichever of the two is right", async () => {
    const twice = shoe.replace('"decks"', '"decks": 7, "decks"');
    expect(await says(twice)).toBe("The transcript has a field twice, or a value that is not written in the usual way.");
    expect(await says(shoe.replace('"scheme": "pb1"', '"scheme": "\\u0070b1"'))).toBe(await says(twice));
    expect(await says(`${shoe}x`)).toBe("The transcript is not JSON.");
    expect(await says("")).toBe("The transcript is not JSON.");
    expect(await says("[]")).toBe("The transcript: this is not an object.");
  });
});

test("another table of play is taken from the rules, and without them it is unknown", async () => {
  const reading = { at: ["reading"], to: { tableau: "printed otherwise" }, says: null };
  const shoe = JSON.parse(changed(workedExample, reading)) as Record<string, unknown>;
  delete shoe["seal"];
  const text = JSON.stringify(shoe), tables = { "printed otherwise": STANDARD };
  expect(await says(text)).toBe("The reading names an unknown table of play.");
  expect((await verify(text, { tables })).failure).toBeNull();
  const stands = { ...STANDARD, playerDraws: new Set<number>() };
  expect((await verify(text, { tables: { "printed otherwise": stands } })).failure?.code).toBe("count");
});

// NIST SP 800-90A, as published for HMAC_DRBG with SHA-256.
const VECTORS = [...published.matchAll(/EntropyInput = (\w+)\s+Nonce = (\w+)\s+PersonalizationString =[ ]?(\w*)\s+ReturnedBits = (\w+)/g)];

test("the generator gives what NIST has published", async () => {
  expect(VECTORS).toHaveLength(30);
  for (const [, entropy, nonce, personalisation, returned] of VECTORS) {
    const generator = await Generator.from(joined(fromHex(entropy!), fromHex(nonce!), fromHex(personalisation!)));
    await generator.bytes(returned!.length / 2);
    expect(toHex(await generator.bytes(returned!.length / 2))).toBe(returned);
  }
});

test("a key of small order signs nothing", async () => {
  const { anchor, signature, public_key } = JSON.parse(signedShoe) as Record<string, string>;
  expect(await isSigned(fromHex(anchor!), signature!, public_key!)).toBe(true);
  // The neutral point answers for every message with an R of its own and S = 0.
  const neutral = `01${"00".repeat(31)}`;
  expect(await isSigned(fromHex(anchor!), neutral + "00".repeat(32), neutral)).toBe(false);
  expect(await isSigned(utf8("another"), signature!, public_key!)).toBe(false);
  expect(isSmall(fromHex(neutral))).toBe(true);
  expect(isSmall(fromHex(`${"00".repeat(31)}80`))).toBe(true);
  expect(isSmall(fromHex(public_key!))).toBe(false);
});

test("a number that would favour some cards is passed over, and the last card takes the place of the one drawn", async () => {
  // 2^32 is 1 above a multiple of 3: the highest number would give the first card once more than the others.
  const numbers = [2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 2, 0], left = ["Ac", "2c", "3c"];
  const source = { next: async () => numbers.shift()! };
  expect(await draw(left, source)).toEqual({ number: 2 ** 32 - 2, left: 3, place: 2, card: "3c", passedOver: 1 });
  left.push("4c");
  expect(await draw(left, source)).toMatchObject({ place: 2, card: "4c" });
  expect(await draw(left, source)).toMatchObject({ place: 0, card: "Ac" });
  expect(left).toEqual(["2c"]);
});

/** A running shoe of one deck whose rounds are void before a card, so that it takes little to make. */
async function shoeOf(keys: readonly string[], table: string, shoe: string): Promise<string> {
  const commitments = await Promise.all(Array.from({ length: 256 }, (_, place) => hashed("pb1/key", shoe, place, fromHex(keys[place] ?? "ff".repeat(32)))));
  const none = "00".repeat(32), anchor = await hashed("pb1/anchor", shoe, fromHex(none), 1, 0, fromHex(none), ...commitments.map(fromHex));
  const rounds = [];
  let state = none;
  for (const [round, key] of keys.entries()) {
    state = await hashed("pb1/round", shoe, round, fromHex(anchor), fromHex(state));
    rounds.push({ round, number: round || null, nonces: [], state, key, drawn: [], ...(round ? { deal: "P | B", void: "4.2" } : {}) });
  }
  const { cards } = JSON.parse(workedExample) as { cards: string[] };
  return JSON.stringify({
    scheme: "pb1", table, shoe, game: "any", reading: {}, rules_digest: none, decks: 1, cut_depth: 0, burn: "off", cards,
    previous: none, commitments, anchor, signature: null, public_key: null, rounds,
  });
}

test("a key that was known before, or a shoe of another table, does not follow", async () => {
  const [one, two] = ["11".repeat(32), "22".repeat(32)] as const;
  expect(await says(await shoeOf([one, two], "main", "main/1"))).toBeNull();
  expect(await says(await shoeOf([one, two, one], "main", "main/1"))).toBe("Round 2: the key is not the one committed to, or one that was known before.");
  expect(await says(await shoeOf([one, two], "main", "other/1"))).toBe("The shoe is called after another table.");
  expect(await says(await shoeOf([one, two], "main", "/1"))).toBeNull();
});

test("numbers come in requests of 256 bytes", async () => {
  const seed = joined(fromHex("00".repeat(32)), fourBytes(7));
  const numbers = await Numbers.from(seed), generator = await Generator.from(seed), bytes = joined(await generator.bytes(256), await generator.bytes(256));
  for (let place = 0; place < 512; place += 4) expect(toHex(fourBytes(await numbers.next()))).toBe(toHex(bytes.slice(place, place + 4)));
});

test("hands draw by the table of play", () => {
  const deal = (cards: string) => {
    const found = dealt(cards.split(" ").filter(Boolean), STANDARD);
    return `${notation(found)} ${found.due}`;
  };
  expect(deal("")).toBe("P | B 5");
  expect(deal("9c 9d 9h")).toBe("P 9c 9h | B 9d 4");
  expect(deal("4c 5d 4h Kd")).toBe("P 4c 4h | B 5d Kd 4");
  expect(deal("2c 3d Kh Kd")).toBe("P 2c Kh | B 3d Kd 5");
  expect(deal("2c 3d Kh Kd 8c")).toBe("P 2c Kh 8c | B 3d Kd 5");
  expect(deal("2c 3d Kh Kd 9c")).toBe("P 2c Kh 9c | B 3d Kd 6");
  expect(deal("7c 5d Kh Kd 9c")).toBe("P 7c Kh | B 5d Kd 9c 5");
  expect(tableOfPlay({ naturals: "", player_draws: "0-2 5", banker_draws_when_player_stands: "", banker_draws: {} }).playerDraws).toEqual(new Set([0, 1, 2, 5]));
});

test("what a seal is made of is written in one way", () => {
  const { value } = read('{"b": [1, null], "\\ud83c\\udc00": "é\\u007f", "a\\"": {}}');
  expect(written(value)).toBe('{"a\\"":{},"b":[1,null],"\\ud83c\\udc00":"\\u00e9\\u007f"}');
});
