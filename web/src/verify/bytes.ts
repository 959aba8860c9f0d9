/** Hashes and the generator of the scheme, by the browser's own cryptography and nothing of ours. */

export type Bytes = Uint8Array<ArrayBuffer>;
export type Part = string | number | Bytes;

const encoder = new TextEncoder();
export const utf8 = (text: string): Bytes => encoder.encode(text) as Bytes;

export function fromHex(text: string): Bytes {
  return Uint8Array.from({ length: text.length / 2 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Four bytes, the highest first. */
export function fourBytes(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const found = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    found.set(part, at);
    at += part.length;
  }
  return found;
}

export async function sha256(data: Bytes): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", data)));
}

/** SHA-256 over the parts, each after its length in four bytes. */
export function hashed(...parts: readonly Part[]): Promise<string> {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8(part) : typeof part === "number" ? fourBytes(part) : part));
  return sha256(joined(...bytes.flatMap((each) => [fourBytes(each.length), each])));
}

async function hmac(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}

/** HMAC_DRBG-SHA256 (NIST SP 800-90A, 10.1.2) without reseeding. */
export class Generator {
  private constructor(private key: Bytes, private value: Bytes) {}

  /** From entropy, nonce and personalisation, one after the other. */
  static async from(seed: Bytes): Promise<Generator> {
    const generator = new Generator(new Uint8Array(32), new Uint8Array(32).fill(1));
    await generator.update(seed);
    return generator;
  }

  /** One request. What a request leaves over is lost: two of 32 bytes are not one of 64. */
  async bytes(count: number): Promise<Bytes> {
    const blocks: Bytes[] = [];
    for (let made = 0; made < count; made += 32) blocks.push((this.value = await hmac(this.key, this.value)));
    await this.update(new Uint8Array(0));
    return joined(...blocks).slice(0, count);
  }

  private async update(provided: Bytes): Promise<void> {
    for (const round of provided.length ? [0, 1] : [0]) {
      this.key = await hmac(this.key, joined(this.value, Uint8Array.of(round), provided));
      this.value = await hmac(this.key, this.value);
    }
  }
}

const REQUEST = 256;

/** The numbers of 32 bits that a round draws with, in requests of 256 bytes. */
export class Numbers {
  private output: DataView | null = null;
  private at = REQUEST;

  private constructor(private readonly generator: Generator) {}

  static async from(seed: Bytes): Promise<Numbers> {
    return new Numbers(await Generator.from(seed));
  }

  async next(): Promise<number> {
    if (this.output === null || this.at === REQUEST) {
      this.output = new DataView((await this.generator.bytes(REQUEST)).buffer);
      this.at = 0;
    }
    this.at += 4;
    return this.output.getUint32(this.at - 4);
  }
}
