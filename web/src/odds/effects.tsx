/** What the leaving of one card does: as bars for the chosen wager, as a heat map for all of them. */
import { useState } from "preact/hooks";
import { inkOf, SuitShape } from "../cards/card.tsx";
import { packOf, suitOf } from "../cards/packs.ts";
import type { PackTold } from "../types/api.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import { byRank, bySuit, type Effect, inCell, placed, placesFor, signedFixed } from "./figures.ts";
import type { Lab } from "./lab.ts";
import { OWN_ID } from "./own.ts";
import { Mark, wagerName } from "./wagers.tsx";

function nameOf(letter: string, pack: PackTold): string {
  return said([...pack.ranks, ...pack.suits].find((each) => each.letter === letter)?.name ?? letter);
}

function Letter({ letter, pack }: { letter: string; pack: PackTold }) {
  const suit = pack.ranks.some((rank) => rank.letter === letter) ? undefined : suitOf(`x${letter}`, packOf(pack.pack));
  return suit ? <span class={`${inkOf(suit)} lift`}><SuitShape suit={suit} size={18} /></span> : <>{letter === "T" ? "10" : letter}</>;
}

function Bars({ effects, pack }: { effects: readonly Effect[]; pack: PackTold }) {
  const values = effects.map((each) => each.effect), { zero, of } = placed(values), places = placesFor(values);
  return (
    <ol class="eor" style={{ "--zero": zero, "--count": effects.length }}>
      {effects.map(({ letter, effect }) => {
        const { from, length } = of(effect), text = effect === null ? "–" : signedFixed(effect, places);
        return (
          <li key={letter} class={effect !== null && effect < 0 ? "neg" : "pos"} style={{ "--a": from, "--h": length }}>
            <span class="vh">{odds.effectOf({ card: nameOf(letter, pack), effect: text })}</span>
            <span class="r" aria-hidden="true"><Letter letter={letter} pack={pack} /></span>
            <span class="room" aria-hidden="true"><i /><span class="v num">{text}</span></span>
          </li>
        );
      })}
    </ol>
  );
}

function HeatMap({ lab, pack }: { lab: Lab; pack: PackTold }) {
  const found = lab.effects.value, card = lab.card.value;
  if (!found) return null;
  const rows = Object.entries(found.wagers).map(([id, { effects }]) => ({ id, cells: byRank(effects, pack) }));
  return (
    <div class="heatbox" tabIndex={0} role="group" aria-label={odds.heatMap()}>
      <table class="heat">
        <thead>
          <tr>
            <th scope="col"><span class="vh">{odds.wager()}</span></th>
            {pack.ranks.map(({ letter, name }) => <th scope="col" key={letter}><span aria-hidden="true"><Letter letter={letter} pack={pack} /></span><span class="vh">{said(name)}</span></th>)}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const values = row.cells.map((cell) => cell.effect), places = placesFor(values);
            // Each wager by its own strongest card: those of the rare ones would outshine all others.
            const most = Math.max(...values.map((value) => Math.abs(value ?? 0))) || 1;
            return (
              <tr key={row.id} class={lab.wager.value === row.id ? "sel" : ""}>
                <th scope="row"><button type="button" class="pick" onClick={() => (lab.wager.value = row.id)}><Mark id={row.id} /><span>{wagerName(row.id, card, lab)}</span></button></th>
                {row.cells.map(({ letter, effect }) => (
                  <td key={letter} class={`num ${effect !== null && effect < 0 ? "neg" : "pos"}`} style={{ "--heat": Math.abs(effect ?? 0) / most }}>
                    {effect === null ? "–" : inCell(effect, places)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The wager whose effects are shown: the chosen one, or the first of the game. */
export function shownWager(lab: Lab): string | null {
  const chosen = lab.wager.value, wagers = lab.game.value?.wagers ?? [];
  return chosen && chosen !== OWN_ID && wagers.includes(chosen) ? chosen : wagers[0] ?? null;
}

export function EffectsPanel({ lab }: { lab: Lab }) {
  const [isMap, setMap] = useState(false);
  const pack = lab.pack.value, found = lab.effects.value, id = shownWager(lab);
  if (!pack || !id) return null;
  const effects = found?.wagers[id]?.effects;
  const isOfFull = !found || found.cards === lab.cardsInAll.value;
  const bars = effects ? [...byRank(effects, pack), ...bySuit(effects, pack)] : [];
  return (
    <section class="panel eff" aria-labelledby="effects-title">
      <div class="rhead">
        <h2 id="effects-title">{isMap ? odds.everyOneCardLess() : odds.oneCardLess({ wager: wagerName(id, lab.card.value, lab) })}</h2>
        <span class="seg" role="group" aria-label={odds.points()}>
          <button type="button" aria-pressed={!isMap} onClick={() => setMap(false)}>{odds.bars()}</button>
          <button type="button" aria-pressed={isMap} onClick={() => setMap(true)}>{odds.heatMap()}</button>
        </span>
      </div>
      <p class="label">{isOfFull ? odds.pointsFull({ decks: lab.decksNow.value }) : odds.points()}</p>
      {!found ? <p class="muted nothing">{odds.noEffects()}</p> : isMap ? <HeatMap lab={lab} pack={pack} /> : <Bars effects={bars} pack={pack} />}
    </section>
  );
}
