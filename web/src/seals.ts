/** A table's seal: a character by which it is known at a glance in any language. It follows from the table's id alone,
 * so that it is the same on every page and after every restart. */
const CHARACTERS = [..."蘭竹梅松蓮菊桂荷柳楓桃杏桐櫻芝雲月山泉鶴鹿雪霞海"];

/** Chosen so that the tables of a new house have a seal each. */
const SEED = 125_948;

/** FNV-1a with its bits stirred once more: the last letters of an id reach every bit. */
function hashed(text: string): number {
  let hash = SEED;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2_246_822_519);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function sealOf(table: string): string {
  return CHARACTERS[hashed(table) % CHARACTERS.length] as string;
}
