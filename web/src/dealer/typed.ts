/** Cards as they are typed or scanned: rank, then suit. Pure, so that every key of both packs can be tried. */
import type { Pack } from "../cards/packs.ts";

export interface Typed {
  /** What stands in the field. */
  text: string;
  /** The rank that is complete, once it is; its suit is awaited. */
  rank: string | null;
  /** A whole card. */
  card: string | null;
}

export const NOTHING: Typed = { text: "", rank: null, card: null };

/** What one more key makes of it; a key that can mean nothing here changes nothing. */
export function after(typed: Typed, key: string, pack: Pack): Typed {
  if (key === "Escape") return NOTHING;
  if (key === "Backspace") return read(typed.text.slice(0, -1), pack) ?? NOTHING;
  if (key.length !== 1) return typed;
  return read((typed.card ? "" : typed.text) + key, pack) ?? typed;
}

/** A text as far as it can be the beginning of a card; null where it cannot. */
export function read(text: string, pack: Pack): Typed | null {
  if (text === "") return NOTHING;
  // `10h` is read as `Th`: a 1 alone waits for its 0.
  if (text === "1") return { text, rank: null, card: null };
  const spelled = text.startsWith("10") ? `T${text.slice(2)}` : text;
  const rank = spelled.charAt(0).toUpperCase(), suit = spelled.charAt(1).toLowerCase();
  if (!pack.ranks.includes(rank) || spelled.length > 2) return null;
  if (suit === "") return { text, rank, card: null };
  if (!pack.suits.some((each) => each.letter === suit)) return null;
  return { text: rank + suit, rank, card: rank + suit };
}
