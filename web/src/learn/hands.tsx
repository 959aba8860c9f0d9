/** Both hands on the felt, as they are dealt: the third card lies sideways, outside. */
import { Card, CardSlot } from "../cards/card.tsx";
import { packOf } from "../cards/packs.ts";
import { learn } from "../words/learn.ts";
import { type Deal, pointsIn } from "./facts.ts";
import { totalOf } from "./tableau.ts";

interface HandProperties {
  hand: "player" | "banker";
  cards: readonly string[];
  pack: string;
  /** Totals are part of the question until it is answered. */
  withTotal: boolean;
  won?: boolean;
}

function OneHand({ hand, cards, pack, withTotal, won }: HandProperties) {
  const total = totalOf(pointsIn(cards, packOf(pack))), letter = hand === "player" ? "P" : "B";
  const [first, second, third] = cards;
  return (
    <div class={`hand ${letter} ${won ? "won" : ""}`} role="group" aria-label={learn[hand]()}>
      <p class="name serif"><span class={`tag ${letter}`} aria-hidden="true">{letter}</span>{learn[hand]()}{withTotal && <b class="num">{total}</b>}</p>
      <div class="cards">
        <div class="thirdplace">{third && <Card code={third} pack={pack} class="third" key={third} />}</div>
        <div class="pairplace">
          {first ? <Card code={first} pack={pack} /> : <CardSlot />}
          {second ? <Card code={second} pack={pack} /> : <CardSlot />}
        </div>
      </div>
    </div>
  );
}

export function Hands({ deal, pack, withTotals, winner }: { deal: Deal; pack: string; withTotals: boolean; winner?: "player" | "banker" | "tie" | null }) {
  return (
    <div class="hands">
      <OneHand hand="player" cards={deal.player} pack={pack} withTotal={withTotals} won={winner === "player"} />
      <OneHand hand="banker" cards={deal.banker} pack={pack} withTotal={withTotals} won={winner === "banker"} />
    </div>
  );
}
