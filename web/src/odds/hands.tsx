/** Cards already on the table, in mid-round: tap a place, then the card that lies there. */
import { useEffect } from "preact/hooks";
import { announce } from "../announced.tsx";
import { cardName, inkOf, SuitShape } from "../cards/card.tsx";
import { packOf, suitOf } from "../cards/packs.ts";
import { odds } from "../words/odds.ts";
import type { Lab } from "./lab.ts";
import { laid, NO_HANDS, SLOTS } from "./position.ts";
import { said } from "../words/said.ts";

export function HandsOnTable({ lab }: { lab: Lab }) {
  const position = lab.position.value, pack = lab.pack.value, refusal = lab.refusal.value;
  useEffect(() => {
    if (refusal) announce(refusal.sentence);
  }, [refusal]);
  if (!position || !pack) return null;
  const drawn = packOf(pack.pack);

  const slot = (place: number, hand: string, number: number) => {
    const card = position.hands[place] ?? null, suit = card ? suitOf(card, drawn) : undefined, isAim = lab.aim.value === place;
    const rank = card?.charAt(0) === "T" ? "10" : card?.charAt(0) ?? "";
    const values = { hand, place: number, rank, card: card ? cardName(card, pack.pack) : "" };
    return (
      <button
        type="button" key={place} class={`ms ${suit ? `filled ${inkOf(suit)}` : ""} ${isAim ? "aim" : ""}`} aria-pressed={isAim}
        aria-label={card ? odds.slotFilled(values) : odds.slotEmpty(values)}
        onClick={() => {
          if (card) lab.change(laid(position, place, null));
          lab.aim.value = isAim && !card ? null : place;
        }}
      >{card && suit && <><b>{rank}</b><SuitShape suit={suit} size={13} class="" /></>}</button>
    );
  };
  return (
    <>
      <div class="mid" role="group" aria-label={odds.onTable()}>
        <span class="label">{odds.onTable()}</span>
        {position.hands.some((card) => card !== null) && (
          <button
            type="button" class="btn small quiet"
            onClick={() => ((lab.aim.value = null), lab.change({ ...position, hands: NO_HANDS }))}
          >{odds.clearTable()}</button>
        )}
        <span class="tag P" aria-hidden="true">P</span>
        {SLOTS.player.map((place, number) => slot(place, odds.player(), number + 1))}
        <span class="tag B" aria-hidden="true">B</span>
        {SLOTS.banker.map((place, number) => slot(place, odds.banker(), number + 1))}
      </div>
      {refusal && <p class="refused">{refusal.sentence} {refusal.clause && <span class="clause">{said(refusal.clause)}</span>}</p>}
    </>
  );
}
