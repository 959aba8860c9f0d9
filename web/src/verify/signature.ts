/** Ed25519 by the browser, where it has it. */
import { type Bytes, fromHex, toHex } from "./bytes.ts";

/** Keys of small order answer for every message: y of the points of order 1, 2, 4 and 8, and their other writings. */
const SMALL = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

/** Most browsers refuse such a key themselves; not all did from the beginning. */
export function isSmall(publicKey: Bytes): boolean {
  const y = publicKey.slice();
  y[31]! &= 0x7f;
  return SMALL.has(toHex(y));
}

/** Null where this browser cannot tell. */
export async function isSigned(message: Bytes, signature: string, publicKey: string): Promise<boolean | null> {
  const raw = fromHex(publicKey);
  if (isSmall(raw)) return false;
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", raw, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    // A browser without Ed25519 says so; any other complaint is about the key.
    return (error as Error).name === "NotSupportedError" ? null : false;
  }
  try {
    return await crypto.subtle.verify({ name: "Ed25519" }, key, fromHex(signature), message);
  } catch {
    return false;
  }
}
