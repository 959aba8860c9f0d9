/** All that is drawn: both packs face by face, the back, the chips, and the two ways to have them otherwise. */
import "../styles/packs.css";
import { useEffect } from "preact/hooks";
import type { Signal } from "@preact/signals";
import { Card, CardBack, SuitShape } from "../cards/card.tsx";
import { Chip, chipName } from "../cards/chip.tsx";
import { packOf } from "../cards/packs.ts";
import { fourColour, largeIndex } from "../preferences.ts";
import { cards, suits } from "../words/cards.ts";

const SHOWN_CHIPS = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];

function PackRows({ id }: { id: string }) {
  const pack = packOf(id);
  return (
    <div class="deck">
      {pack.suits.map((suit) => (
        <div class="row" key={suit.letter}>
          <h3 class="who"><SuitShape suit={suit} size={36} />{suit.character && suit.character !== suits[suit.name]() && <span class="han" aria-hidden="true">{suit.character}</span>}<b>{suits[suit.name]()}</b></h3>
          <ul class="faces">{[...pack.ranks].map((rank) => <li key={rank}><Card code={rank + suit.letter} pack={id} /></li>)}</ul>
        </div>
      ))}
    </div>
  );
}

function Choice({ of, name, text }: { of: Signal<boolean>; name: string; text: string }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={of.value} onChange={(event) => (of.value = event.currentTarget.checked)} />
      <span><b>{name}</b><span class="muted">{text}</span></span>
    </label>
  );
}

export default function Cards() {
  useEffect(() => {
    document.title = `${cards.title()} · Punto Banco`;
  });
  return (
    <main id="content" class="page packs">
      <header>
        <h1 class="serif">{cards.title()}</h1>
        <fieldset class="choices"><legend class="vh">{cards.options()}</legend>
          <Choice of={fourColour} name={cards.fourColour()} text={cards.fourColourText()} />
          <Choice of={largeIndex} name={cards.largeIndex()} text={cards.largeIndexText()} />
        </fieldset>
      </header>
      <section>
        <header><h2 class="serif">{cards.fiveElements()}</h2><p class="muted">{cards.fiveElementsText()}</p></header>
        <PackRows id="65" />
      </section>
      <section>
        <header><h2 class="serif">{cards.standard()}</h2><p class="muted">{cards.standardText()}</p></header>
        <PackRows id="52" />
      </section>
      <section class="below">
        <div><h2 class="serif">{cards.back52()}</h2><CardBack /></div>
        <div>
          <h2 class="serif">{cards.chips()}</h2><p class="muted">{cards.chipsText()}</p>
          <ul class="chips">{SHOWN_CHIPS.map((value) => <li key={value}><Chip value={value} label={chipName(value)} size={58} /></li>)}</ul>
        </div>
      </section>
    </main>
  );
}
