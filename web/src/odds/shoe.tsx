/** The shoe: which game, how many decks, and every card with how many of it are left. */
import { useRef } from "preact/hooks";
import { announce } from "../announced.tsx";
import { cardName, inkOf, SuitShape } from "../cards/card.tsx";
import { packOf, suitOf } from "../cards/packs.ts";
import { Icon } from "../icons.tsx";
import { suits } from "../words/cards.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import { hasShoe } from "./asking.ts";
import type { Lab } from "./lab.ts";
import { cardsInAll, cardsLeft, isFull, left, type Position, putBack, takeOut } from "./position.ts";

const HOLD_MILLISECONDS = 450;

export function Controls({ lab }: { lab: Lab }) {
  const position = lab.position.value, game = lab.game.value, table = lab.table.value;
  if (!position || !game) return null;
  const choose = (value: string) => (value.startsWith("/") ? lab.follow(value.slice(1)) : lab.choose(value));
  return (
    <div class="ctl">
      <span class="picker">
        <select class="btn small sel1" aria-label={odds.game()} value={table ? `/${table.id}` : position.game} onChange={(event) => choose(event.currentTarget.value)}>
          <optgroup label={odds.games()}>
            {lab.games.value.map((each) => <option value={each.game} key={each.game}>{said(each.name)}</option>)}
          </optgroup>
          {lab.tables.value.length > 0 && (
            <optgroup label={odds.shoes()}>
              {lab.tables.value.map((each) => <option value={`/${each.id}`} key={each.id}>{said(each.name)}</option>)}
            </optgroup>
          )}
        </select>
        <Icon name="down" size={18} />
      </span>
      <div class="stepper" role="group" aria-label={odds.decksGroup()}>
        <button type="button" aria-label={odds.fewer()} aria-disabled={position.decks <= game.decks.minimum} onClick={() => lab.decks(-1)}><Icon name="minus" size={18} /></button>
        <b class="num">{position.decks} <span>{odds.decks()}</span></b>
        <button type="button" aria-label={odds.more()} aria-disabled={position.decks >= game.decks.maximum} onClick={() => lab.decks(1)}><Icon name="plus" size={18} /></button>
      </div>
      <button type="button" class="btn small quiet refill" aria-disabled={isFull(position)} onClick={() => lab.refill()}>
        <Icon name="again" size={18} /><span>{odds.fullShoe()}</span>
      </button>
    </div>
  );
}

export function From({ lab }: { lab: Lab }) {
  const position = lab.position.value, pack = lab.pack.value, table = lab.table.value;
  if (!position || !pack) return null;
  const inRound = position.hands.some((card) => card !== null);
  const values = { table: said(table?.name ?? ""), round: inRound ? table?.round ?? 0 : lastRound(table) };
  return (
    <p class={`from ${isFull(position) || lab.aim.value !== null || table ? "" : "learnt"}`}>
      <b class="num">{cardsLeft(position, pack).toLocaleString("en")}</b> {odds.ofCards({ all: cardsInAll(position, pack).toLocaleString("en") })}
      {table && <>{odds.colon()}{(!hasShoe(table) ? odds.noShoe : inRound ? odds.fromInRound : odds.from)(values)}</>}{odds.stop()}
      <span class="muted hint">{lab.aim.value !== null ? odds.aimHint() : table ? odds.follows() : odds.hint()}</span>
    </p>
  );
}

/** While bets are open the round has a number already, and no cards yet. */
function lastRound(table: Lab["table"]["value"]): number {
  if (!table) return 0;
  return table.phase === "betting" || table.phase === "dealing" ? table.round - 1 : table.round;
}

/** Suits as rows on a wide screen and as columns on a phone: the arrow keys go as the eye does. */
function isTurned(): boolean {
  return matchMedia("(max-width: 899px)").matches;
}

interface CellProps { card: string; pack: string; row: number; column: number; count: number; decks: number; isEntry: boolean }

/** Drawn anew only when its own count changes: a tap is painted at once. */
function Cell({ card, pack, row, column, count, decks, isEntry }: CellProps) {
  const suit = suitOf(card, packOf(pack));
  return (
    <button
      type="button" data-card={card} class={`cnt ${suit ? inkOf(suit) : ""} lift`} tabIndex={isEntry ? 0 : -1}
      style={{ "--r": column, "--s": row, "--n": count / decks }}
      aria-label={odds.cell({ card: cardName(card, pack), left: count, decks })}
    ><span>{count}</span></button>
  );
}

export function Grid({ lab }: { lab: Lab }) {
  const position = lab.position.value, pack = lab.pack.value;
  const at = useRef<string | null>(null);
  const hold = useRef<{ timer: ReturnType<typeof setTimeout> | undefined; isHeld: boolean }>({ timer: undefined, isHeld: false });
  if (!position || !pack) return null;
  const drawn = packOf(pack.pack);
  const ranks = pack.ranks.map((rank) => rank.letter), suitLetters = pack.suits.map((suit) => suit.letter);
  if (!at.current || !ranks.includes(at.current[0] ?? "") || !suitLetters.includes(at.current[1] ?? "")) at.current = `${ranks[0]}${suitLetters[0]}`;

  const cardAt = (event: Event) => (event.target as Element).closest<HTMLElement>("[data-card]")?.dataset.card ?? null;
  const change = (card: string, by: (position: Position, card: string) => Position, isSpoken = false) => {
    const now = lab.position.peek();
    if (!now) return;
    const next = by(now, card);
    lab.change(next);
    if (isSpoken) announce(odds.cell({ card: cardName(card, pack.pack), left: left(next, card), decks: next.decks }));
  };
  const tap = (card: string, isSpoken: boolean) => (lab.aim.peek() !== null ? lab.lay(card) : change(card, takeOut, isSpoken));
  const release = () => clearTimeout(hold.current.timer);

  const onKeyDown = (event: KeyboardEvent) => {
    const card = cardAt(event);
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const [across, down] = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const)[event.key] ?? [0, 0];
    if (across || down) {
      const [byRank, bySuit] = isTurned() ? [down, across] : [across, down];
      const rank = ranks[ranks.indexOf(card.charAt(0)) + byRank], suit = suitLetters[suitLetters.indexOf(card.charAt(1)) + bySuit];
      if (rank && suit) (event.currentTarget as Element).querySelector<HTMLElement>(`[data-card="${rank}${suit}"]`)?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      const rank = event.key === "Home" ? ranks[0] : ranks.at(-1);
      (event.currentTarget as Element).querySelector<HTMLElement>(`[data-card="${rank}${card.charAt(1)}"]`)?.focus();
    } else if (event.key === "-" || event.key === "−") tap(card, true);
    else if (event.key === "+" || event.key === "=" || event.key === "Backspace" || event.key === "Delete") change(card, putBack, true);
    else if (event.key === "Escape" && lab.aim.peek() !== null) lab.aim.value = null;
    else return;
    event.preventDefault();
  };

  return (
    <div
      class="cgrid" role="group" aria-label={odds.grid()} aria-describedby="grid-keys"
      style={{ "--ranks": ranks.length, "--suits": suitLetters.length }}
      onKeyDown={onKeyDown}
      onFocusIn={(event) => {
        const card = cardAt(event);
        if (!card || card === at.current) return;
        (event.currentTarget as Element).querySelector(`[data-card="${at.current}"]`)?.setAttribute("tabindex", "-1");
        (event.target as Element).setAttribute("tabindex", "0");
        at.current = card;
      }}
      onPointerDown={(event) => {
        const card = cardAt(event);
        release();
        hold.current.isHeld = false;
        if (!card || event.button !== 0) return;
        const now = lab.position.peek();
        if (now && lab.aim.peek() === null) lab.foresee(takeOut(now, card));
        hold.current.timer = setTimeout(() => {
          hold.current.isHeld = true;
          change(card, putBack);
        }, HOLD_MILLISECONDS);
      }}
      onPointerUp={release} onPointerLeave={release} onPointerCancel={release}
      onContextMenu={(event) => {
        const card = cardAt(event);
        if (!card) return;
        event.preventDefault();
        release();
        // A long press of a finger comes as both.
        if (!hold.current.isHeld) change(card, putBack);
        hold.current.isHeld = true;
      }}
      onClick={(event) => {
        const card = cardAt(event);
        release();
        // A key has no pointer, and is spoken to.
        const isKey = event.detail === 0;
        if (card && (isKey || !hold.current.isHeld)) tap(card, isKey);
        hold.current.isHeld = false;
      }}
    >
      <span class="vh" id="grid-keys">{odds.gridKeys()}</span>
      {ranks.map((letter, place) => <div class="rk" key={letter} style={{ "--r": place }} aria-hidden="true">{letter === "T" ? "10" : letter}</div>)}
      {suitLetters.map((letter, place) => {
        const suit = suitOf(`x${letter}`, drawn);
        return suit && (
          <div class={`elem ${inkOf(suit)} lift`} key={letter} style={{ "--s": place }} aria-hidden="true">
            <SuitShape suit={suit} size={22} />{suit.character ? <span class="han">{suit.character}</span> : <span class="sname">{suits[suit.name]()}</span>}
          </div>
        );
      })}
      {suitLetters.map((suit, row) => ranks.map((rank, column) => {
        const card = rank + suit;
        return <Cell key={card} card={card} pack={pack.pack} row={row} column={column} count={left(position, card)} decks={position.decks} isEntry={card === at.current} />;
      }))}
    </div>
  );
}
