/** Transcripts as text: read strictly, and written in the one way that a seal is made of.
 *
 * The browser's own reader forgets a field that is there twice and sorts those that are numbers; whoever checks every
 * byte cannot use it. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** As it was read: the fields in their order. */
type Read = null | boolean | number | string | Read[] | Map<string, Read>;

export class Unreadable extends Error {}

const SPACE = /[ \t\n\r]*/y;
// Whole numbers alone: no transcript has another.
const NUMBER = /-?(?:0|[1-9]\d*)(?![.\deE])/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const DEEPEST = 20;

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): Read {
    const found = this.value(0);
    this.take(SPACE);
    if (this.at < this.text.length) throw new Unreadable();
    return found;
  }

  private value(depth: number): Read {
    if (depth > DEEPEST) throw new Unreadable();
    this.take(SPACE);
    switch (this.text[this.at]) {
      case "{": return this.fields(depth);
      case "[": return this.list(depth);
      case '"': return this.string();
      default: return this.plain();
    }
  }

  private fields(depth: number): Map<string, Read> {
    const found = new Map<string, Read>();
    this.separated("}", () => {
      this.take(SPACE);
      const name = this.string();
      this.take(SPACE);
      this.must(":");
      // The last of two of one name stays; what is written of it then differs from what was read.
      found.set(name, this.value(depth + 1));
    });
    return found;
  }

  private list(depth: number): Read[] {
    const found: Read[] = [];
    this.separated("]", () => found.push(this.value(depth + 1)));
    return found;
  }

  private separated(end: string, one: () => void): void {
    this.at += 1;
    this.take(SPACE);
    if (this.text[this.at] === end) {
      this.at += 1;
      return;
    }
    for (;;) {
      one();
      this.take(SPACE);
      if (this.text[this.at] === end) break;
      this.must(",");
    }
    this.at += 1;
  }

  private string(): string {
    const found = JSON.parse(this.take(STRING) || "0") as unknown;
    if (typeof found !== "string" || /\p{Surrogate}/u.test(found)) throw new Unreadable();
    return found;
  }

  private plain(): Read {
    for (const [word, value] of [["null", null], ["true", true], ["false", false]] as const) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const number = this.take(NUMBER), value = Number(number);
    if (!number || !Number.isSafeInteger(value) || Object.is(value, -0)) throw new Unreadable();
    return value;
  }

  private must(character: string): void {
    if (this.text[this.at] !== character) throw new Unreadable();
    this.at += 1;
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }
}

const ascii = (text: string) => text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function writtenAsRead(value: Read, isAscii: boolean): string {
  if (typeof value === "string") return isAscii ? ascii(JSON.stringify(value)) : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => writtenAsRead(each, isAscii)).join(",")}]`;
  if (value instanceof Map) return `{${[...value].map(([name, each]) => `${writtenAsRead(name, isAscii)}:${writtenAsRead(each, isAscii)}`).join(",")}}`;
  return String(value);
}

function plainOf(value: Read): Json {
  if (Array.isArray(value)) return value.map(plainOf);
  if (!(value instanceof Map)) return value;
  // No name is special: a field "__proto__" is a field.
  const found = Object.create(null) as Record<string, Json>;
  for (const [name, each] of value) found[name] = plainOf(each);
  return found;
}

const spaceless = (text: string) => text.replace(/\s+/g, "");

/** The value of a text, if it is written in the usual way, which leaves free only the spaces between values. */
export function read(data: Uint8Array | string): { value: Json; isUsual: boolean } {
  let text: string;
  try {
    text = typeof data === "string" ? data : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new Unreadable();
  }
  const found = new Reader(text).whole(), given = spaceless(text);
  const isUsual = [true, false].some((isAscii) => spaceless(writtenAsRead(found, isAscii)) === given);
  return { value: plainOf(found), isUsual };
}

/** By the numbers of their characters, as the scheme sorts names. */
function inOrder(one: string, other: string): number {
  const these = [...one], those = [...other];
  for (let place = 0; place < Math.min(these.length, those.length); place++) {
    const difference = (these[place]!.codePointAt(0) ?? 0) - (those[place]!.codePointAt(0) ?? 0);
    if (difference) return difference;
  }
  return these.length - those.length;
}

/** Without spaces, fields in order, ASCII alone: what seals are hashes of. */
export function written(value: Json): string {
  if (typeof value === "string") return ascii(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = value as { readonly [name: string]: Json };
    return `{${Object.keys(fields).sort(inOrder).map((name) => `${written(name)}:${written(fields[name]!)}`).join(",")}}`;
  }
  return String(value);
}
