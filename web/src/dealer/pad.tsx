/** A key for every card of the pack, and a field for cards that are typed or scanned. */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cardName, type Pack } from "../cards/packs.ts";
import { inkOf, SuitShape } from "../cards/card.tsx";
import { Icon } from "../icons.tsx";
import { dealer } from "../words/dealer.ts";
import { after, NOTHING, type Typed } from "./typed.ts";

interface PadProps {
  id: string;
  pack: Pack;
  typed: Signal<Typed>;
  isOff: boolean;
  take: (card: string) => void;
  /** Beside a card, how many of it are counted, where cards are counted. */
  count?: (card: string) => number;
}

export function Pad({ id, pack, typed, isOff, take, count }: PadProps) {
  return (
    <section class="pad" aria-label={dealer.pad()}>
      {pack.suits.map((suit) => (
        <div class="prow" key={suit.letter}>
          <div class={`elem ${inkOf(suit)} lift`} aria-hidden="true"><SuitShape suit={suit} size={26} />{suit.character && <span class="han">{suit.character}</span>}</div>
          {[...pack.ranks].map((rank) => {
            const card = rank + suit.letter, printed = rank === "T" ? "10" : rank;
            return (
              <button type="button" key={card} class={`key ${inkOf(suit)} lift ${typed.value.rank === rank ? "lit" : ""}`} disabled={isOff}
                aria-label={`${printed}${count ? ` ${count(card)}` : ""} ${cardName(card, id)}`} onClick={() => take(card)}>
                <b>{printed}</b>{count ? <span class="num">{count(card)}</span> : <SuitShape suit={suit} size={18} />}
              </button>
            );
          })}
        </div>
      ))}
    </section>
  );
}

interface FieldProps {
  pack: Pack;
  typed: Signal<Typed>;
  isOff: boolean;
  take: (card: string) => void;
}

/** Keys go here wherever the focus is, unless somebody writes or presses a button: a scanner types into the page. */
export function TypedCard({ pack, typed, isOff, take }: FieldProps) {
  // A scanner is quicker than the page is drawn: what a key does is looked up when it comes.
  const now = useRef({ pack, isOff, take });
  now.current = { pack, isOff, take };
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement, at = now.current;
      if (at.isOff || event.ctrlKey || event.metaKey || event.altKey || target.matches("input, textarea, select") || target.closest("dialog")) return;
      const next = after(typed.value, event.key, at.pack);
      if (next === typed.value) return;
      event.preventDefault();
      typed.value = next.card ? NOTHING : next;
      if (next.card) at.take(next.card);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [typed]);
  const { rank, text } = typed.value;
  const awaits = rank ? dealer.awaitsSuit({ suits: pack.suits.map((suit) => suit.letter).join(" ") })
    : text ? dealer.awaitsTen() : dealer.typed();
  return (
    <div class="scan"><Icon name="scan" /><span class="typed">{text}<i aria-hidden="true" /></span><span class="label">{awaits}</span></div>
  );
}
