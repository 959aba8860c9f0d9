/** The two hands as they lie, small. */
import { Card, CardSlot } from "../cards/card.tsx";
import { lobby } from "../words/lobby.ts";
import type { Hands as Dealt, RoundResult } from "../types/api.ts";

interface HandsProperties {
  deal: Dealt | null;
  pack: string | null;
  result: RoundResult | null;
}

const SIDES = [["player", "P", lobby.player], ["banker", "B", lobby.banker]] as const;

export function Hands({ deal, pack, result }: HandsProperties) {
  return (
    <div class="quickhands">
      {SIDES.map(([hand, letter, name]) => {
        const cards = deal?.[hand] ?? [];
        return (
          <div key={hand} class={`quickhand ${letter} ${result?.winner === hand ? "won" : ""}`}>
            <p><span class={`tag ${letter}`} aria-hidden="true">{letter}</span><b class="serif">{name()}</b><span class="total num">{cards.length ? deal?.[`${hand}_total`] : "–"}</span></p>
            <div class="dealt">
              {cards.map((code, place) => pack && <Card key={place} code={code} pack={pack} />)}
              {[0, 1].slice(cards.length).map((place) => <CardSlot key={`slot-${place}`} />)}
            </div>
          </div>
        );
      })}
    </div>
  );
}
