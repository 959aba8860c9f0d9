/** A table: roads, hands, felt, chips, and one's money, at a glance and under the thumb. */
import "../styles/table.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { amount, signed } from "../money.ts";
import { squeezing } from "../preferences.ts";
import { CommittedShoe } from "../roads/committed.tsx";
import { RoadsPanel } from "../roads/panel.tsx";
import { SeenAndExpected } from "../roads/seen.tsx";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { isStaff, me } from "../session.ts";
import { lasted, openPreferences } from "../shell.tsx";
import { Menu, MenuAction, MenuLink } from "../shell/menu.tsx";
import { places } from "../shell/places.ts";
import { Banners } from "../table/banners.tsx";
import { Dock, nextIn, shownBalance } from "../table/dock.tsx";
import { DisputeDialog, RuleDrawer } from "../table/drawers.tsx";
import { Felt } from "../table/felt.tsx";
import { isDense } from "../table/layout.ts";
import { Receipt } from "../table/receipt.tsx";
import { Room } from "../table/room.ts";
import { totalOf } from "../table/slip.ts";
import { Stage } from "../table/stage.tsx";
import { said } from "../words/said.ts";
import { shell } from "../words/shell.ts";
import { table as words } from "../words/table.ts";

export default function TablePage({ table: id }: { table: string }) {
  const room = useMemo(() => new Room(id), [id]);
  useEffect(() => {
    room.start();
    return () => room.stop();
  }, [room]);
  const rules = useRef<HTMLDialogElement>(null), dispute = useRef<HTMLDialogElement>(null);
  const state = room.state.value, name = said(state?.name ?? "");
  useEffect(() => {
    document.title = name ? `${name} · Punto Banco` : "Punto Banco";
  }, [name]);
  if (room.isMissing.value) {
    return (
      <main id="content" class="empty">
        <h1 class="serif">{words.noTable()}</h1>
        <Link class="btn solid" href="/">{shell.toTables()}</Link>
      </main>
    );
  }
  // A round that is still being squeezed is not told by anything else on the page.
  const isHeld = room.hidden.value.size > 0;
  const isOver = !isHeld && state?.phase === "ready" && state.end !== null;
  const isDealt = !!state && (state.deal.player.length > 0 || ["dealing", "complete", "announced"].includes(state.phase));
  return (
    <main id="content" data-own-bar class={`tbl ${isDealt ? "settled" : ""} ${isOver ? "over" : ""} ${isDense(room.layout.value) ? "dense" : ""}`} aria-busy={!state}>
      <Bar room={room} openRules={() => rules.current?.showModal()} openDispute={() => dispute.current?.showModal()} />
      <Aside room={room} isHeld={isHeld} isOver={isOver} />
      <div class="play" onKeyDown={(event) => keys(event, room)}>
        <section class="feltwrap" aria-label={words.theTable()}>
          <Banners room={room} />
          <Stage room={room} isHeld={isHeld} />
          <Felt room={room} isHeld={isHeld} />
        </section>
        <Dock room={room} isHeld={isHeld} />
      </div>
      <Footer room={room} isHeld={isHeld} />
      <RuleDrawer room={room} of={rules} />
      <DisputeDialog room={room} of={dispute} />
    </main>
  );
}

/** Single keys work only while the focus is on the felt or the chips, where nobody writes. */
function keys(event: KeyboardEvent, room: Room): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const chip = /^[1-9]$/.test(event.key) ? room.chips.value[Number(event.key) - 1] : undefined;
  if (chip !== undefined) {
    if (room.left.value === null || chip <= room.left.value) room.choose(chip);
  } else if (event.key === "Backspace") {
    if (event.shiftKey) room.clear();
    else room.undo();
  } else if (event.key.toLowerCase() === "r") room.rebet();
  else if (event.key.toLowerCase() === "d") room.double();
  else return;
  event.preventDefault();
}

function Bar({ room, openRules, openDispute }: { room: Room; openRules: () => void; openDispute: () => void }) {
  const state = room.state.value, rules = room.rules.value;
  const squeeze = () => (squeezing.value = !squeezing.value);
  const game = rules ? said(rules.name) : "", seal = sealOf(room.id);
  return (
    <div class="tbar">
      <Link class="iconbtn" href="/" aria-label={words.allTables()}><Icon name="back" /></Link>
      <span class="seal wide" aria-hidden="true">{seal}</span>
      <div class="who">
        <h1><bdi>{state ? said(state.name) : shell.loading()}</bdi> <span class="han narrow" aria-hidden="true">{seal}</span></h1>
        {state && <p>{[...(game && game !== said(state.name) ? [game] : []), words.round({ round: state.round })].join(" · ")}</p>}
      </div>
      <button type="button" class="btn small quiet wide" onClick={openRules}><Icon name="book" size={20} />{words.ruleCard()}</button>
      <button type="button" class="btn small quiet wide" aria-pressed={squeezing.value} onClick={squeeze}><Icon name="eye" size={20} />{words.squeeze()}</button>
      <button type="button" class="btn small quiet wide" onClick={openDispute}><Icon name="flag" size={20} />{words.dispute()}</button>
      <button type="button" class="iconbtn narrow" aria-label={words.ruleCard()} onClick={openRules}><Icon name="book" /></button>
      <Menu label={shell.menu()} picture={<Icon name="menu" />} class="narrow">
        <MenuAction act={squeeze}><Icon name={squeezing.value ? "check" : "eye"} size={20} />{squeezing.value ? words.squeezeIsOn() : words.squeeze()}</MenuAction>
        <MenuAction act={openDispute}><Icon name="flag" size={20} />{words.dispute()}</MenuAction>
        {places().map(({ href, name, picture }) => <MenuLink key={href} href={href}><Icon name={picture} size={20} />{shell[name]()}</MenuLink>)}
        <MenuLink href="/account"><Icon name="person" size={20} />{shell.account()}</MenuLink>
        <MenuAction act={openPreferences}><Icon name="sun" size={20} />{shell.preferences()}</MenuAction>
      </Menu>
    </div>
  );
}

function Aside({ room, isHeld, isOver }: { room: Room; isHeld: boolean; isOver: boolean }) {
  const state = room.state.value;
  if (!state) return <aside class="side" />;
  // The result of a held round is on no road yet.
  const isKept = isHeld && state.end?.result ? -1 : undefined;
  const letters = state.results.slice(0, isKept), results = state.shoeResults.slice(0, isKept);
  // Beside a short receipt there is room for more.
  const hasRoom = Object.keys(state.end?.stakes ?? {}).length <= 3;
  return (
    <aside class={`side ${hasRoom ? "roomy" : ""}`}>
      {isOver && <div class="wide"><Receipt room={room} /></div>}
      <RoadsPanel table={room.id} shoe={state.shoe} letters={letters} results={results} rules={room.rules.value} cardsLeft={state.cards_left} />
      {!isOver && <div class="wide"><SeenAndExpected letters={letters} rules={room.rules.value} decks={state.decks} /></div>}
      {(!isOver || hasRoom) && <Committed room={room} />}
    </aside>
  );
}

function Committed({ room }: { room: Room }) {
  const state = room.state.value;
  if (!state?.committed) return null;
  const hasOwn = room.number.round.value === state.round;
  return <div class="wide"><CommittedShoe table={room.id} shoe={state.shoe} committed={state.committed} hasOwn={hasOwn} /></div>;
}

/** On a phone the last line of the page: money, time and net, always. */
function Footer({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const state = room.state.value, known = me.value, balance = shownBalance(room, isHeld), seconds = isHeld ? null : nextIn(room);
  if (!state || isStaff.value) return null;
  const net = known?.session.net[state.currency] ?? 0;
  return (
    <footer class="money narrow">
      <div><span class="label">{words.balance()}</span><b class="num">{balance === null ? "–" : amount(balance, state.currency)}</b></div>
      {seconds === null
        ? <div><span class="label">{words.stakedLabel()}</span><b class="num">{amount(totalOf(room.slip.value), state.currency)}</b></div>
        : <div><span class="label">{words.nextIn()}</span><b class="num">{words.aboutSeconds({ seconds })}</b></div>}
      <div><span class="label">{shell.session()}</span><b class="num">{known ? lasted(known.session.since) : "–"}</b></div>
      <div><span class="label">{shell.net()}</span><b class={`num ${net > 0 ? "up" : ""}`}>{signed(net, state.currency)}</b></div>
    </footer>
  );
}
