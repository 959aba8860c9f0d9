/** The upper half of the table: the two hands, the countdown or the verdict between them, and why they drew. */
import { Card, CardSlot, cardName } from "../cards/card.tsx";
import { serverNow, secondsUntil, tick } from "../clock.ts";
import { ranks } from "../words/cards.ts";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import { handName, type Light, lightOf, winnerName } from "./light.ts";
import type { TableState } from "./model.ts";
import type { Room } from "./room.ts";
import { Squeeze } from "./squeeze.tsx";
import type { CardId, HandName } from "./squeezed.ts";

const LETTERS = { player: "P", banker: "B" } as const;

export function LightWord({ light }: { light: Light }) {
  return <span class={`light ${light.kind}`}><b>{light.word}</b></span>;
}

export function Stage({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const state = room.state.value;
  if (!state) return null;
  const seconds = state.phase === "betting" ? secondsUntil(state.closes_at) : null, light = lightOf(state, seconds);
  const isDealt = state.deal.player.length > 0 || state.phase === "dealing" || state.phase === "complete" || state.phase === "announced";
  return (
    <>
      <div class="stage">
        <HandOf hand="player" room={room} state={state} isHeld={isHeld} isDealt={isDealt} />
        {isDealt ? <Verdict state={state} light={light} isHeld={isHeld} room={room} /> : <Clock state={state} light={light} seconds={seconds} />}
        <HandOf hand="banker" room={room} state={state} isHeld={isHeld} isDealt={isDealt} />
        {!isDealt && <Call state={state} light={light} />}
      </div>
      {isDealt && <Why state={state} isHeld={isHeld} pack={room.rules.value?.pack ?? ""} />}
    </>
  );
}

function HandOf({ hand, room, state, isHeld, isDealt }: { hand: HandName; room: Room; state: TableState; isHeld: boolean; isDealt: boolean }) {
  const cards = state.deal[hand], pack = room.rules.value?.pack ?? "", hidden = room.hidden.value;
  const total = hand === "player" ? state.deal.player_total : state.deal.banker_total;
  const isFaceDown = cards.some((_, place) => hidden.has(`${hand}-${place}`));
  const isWinner = !isHeld && state.result?.winner === hand;
  const tag = <span class={`tag ${LETTERS[hand]}`} aria-hidden="true">{LETTERS[hand]}</span>;
  const drawn = cards.map((code, place) => {
    const id: CardId = `${hand}-${place}`;
    return hidden.has(id)
      ? <Squeeze key={id} code={code} pack={pack} label={table.squeezeCard({ hand: handName[hand](), number: place + 1 })} onTurned={() => room.turn(id)} />
      : <span class="out" key={`${id} ${code}`}><Card code={code} pack={pack} /></span>;
  });
  return (
    <div class={`hand ${hand}`}>
      <div class="of">
        {hand === "player" && tag}<span>{handName[hand]()}</span>{hand === "banker" && tag}
        {cards.length > 0 && <b class={`tot ${isWinner ? "win" : ""}`}>{isFaceDown ? "?" : <><span class="vh">{table.total({ total })}</span><span aria-hidden="true">{total}</span></>}</b>}
      </div>
      {isDealt ? (
        <div class="cards">
          {drawn[0] ?? <CardSlot />}{drawn[1] ?? <CardSlot />}
          {drawn[2] && <span class="third">{drawn[2]}</span>}
        </div>
      ) : (
        <div class="slots">
          {hand === "player" && <CardSlot class="aside" />}<CardSlot /><CardSlot />{hand === "banker" && <CardSlot class="aside" />}
        </div>
      )}
    </div>
  );
}

const AROUND = 2 * Math.PI * 44;

function Clock({ state, light, seconds }: { state: TableState; light: Light; seconds: number | null }) {
  void tick.value;
  const isOpen = state.phase === "betting", left = state.closes_at === null ? null : Math.max(0, state.closes_at - serverNow());
  const share = !isOpen ? 0 : left === null || !state.opensFor ? 1 : Math.min(1, left / (state.opensFor * 1000));
  const label = seconds === null ? light.word : table.secondsLeft({ light: light.word, seconds });
  return (
    <div class={`clock ${light.kind}`} role="timer" aria-label={label}>
      <svg class={`ring ${light.kind}`} viewBox="0 0 100 100" aria-hidden="true">
        <circle class="track" cx="50" cy="50" r="44" />
        {share > 0 && <circle class="left" cx="50" cy="50" r="44" stroke-dasharray={`${share * AROUND} ${AROUND}`} transform="rotate(-90 50 50)" />}
      </svg>
      <div aria-hidden="true">
        {seconds !== null ? <><b>{seconds}</b><small>{table.seconds()}</small></> : isOpen && <small>{table.untilCalled()}</small>}
      </div>
    </div>
  );
}

function Call({ state, light }: { state: TableState; light: Light }) {
  const last = state.shoeResults.at(-1), previous = state.round - (state.phase === "betting" ? 1 : 0);
  return (
    <p class="call">
      <LightWord light={light} />
      {state.phase === "betting" && !state.paused && <span class="please">{table.placeBets()}</span>}
      {state.rounds_left !== null && state.rounds_left <= 3 && (
        <span>{state.rounds_left <= 1 ? table.lastRound() : table.lastRounds({ rounds: state.rounds_left })}</span>
      )}
      {last && <span class="prev">{table.previous({ round: previous, banker: last.banker_total, player: last.player_total })}</span>}
    </p>
  );
}

function Verdict({ state, light, isHeld, room }: { state: TableState; light: Light; isHeld: boolean; room: Room }) {
  const result = isHeld ? null : state.result;
  return (
    <div class="verdict">
      <LightWord light={isHeld && state.phase === "ready" ? { kind: "shut", word: table.noMoreBets() } : light} />
      {result && (
        <>
          <h2>{winnerName[result.winner]()}</h2>
          <p>{table.score({ high: Math.max(result.player_total, result.banker_total), low: Math.min(result.player_total, result.banker_total) })}</p>
        </>
      )}
      {isHeld && <button type="button" class="btn small" onClick={() => room.turnAll()}>{table.openAll()}</button>}
    </div>
  );
}

const upper = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** `Luk + 3`: the first two cards of a hand, as they are called. */
function called(cards: readonly string[]): string {
  return cards.slice(0, 2).map((code) => {
    const rank = code.charAt(0);
    return /\d/.test(rank) ? rank : upper(ranks[rank as keyof typeof ranks]?.() ?? code);
  }).join(" + ");
}

/** A sentence of the service with its cards as they are called: `6w` is the six of Water. */
function withCards(sentence: string, pack: string): string {
  return sentence.replace(/(?<![A-Za-z0-9])[A-Z2-9][a-z](?![A-Za-z0-9])/g, (code) => cardName(code, pack));
}

/** The course of the round in sentences, each with its clause. */
function Why({ state, isHeld, pack }: { state: TableState; isHeld: boolean; pack: string }) {
  const { player, banker } = state.deal;
  if (isHeld || player.length < 2 || banker.length < 2) return <ol class="why" aria-label={table.why()} />;
  const points = state.firstTotals, result = state.result;
  return (
    <ol class="why" aria-label={table.why()}>
      {points && <li><span>{table.firstTotals({ player: called(player), banker: called(banker), ...points })}</span></li>}
      {state.reasons.map((reason, place) => (
        <li key={place}><span>{upper(withCards(said(reason.sentence), pack))}</span> <span class="clause">{said(reason.clause)}</span></li>
      ))}
      {result && (
        <li><span>{result.winner === "tie" ? table.alike({ total: result.player_total }) : table.beats(
          result.winner === "player"
            ? { winner: table.player(), high: result.player_total, loser: table.banker(), low: result.banker_total }
            : { winner: table.banker(), high: result.banker_total, loser: table.player(), low: result.player_total },
        )}</span></li>
      )}
    </ol>
  );
}
