/** Chips and what one does with them; after the round what it came to. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { Chip, chipName } from "../cards/chip.tsx";
import { secondsUntil } from "../clock.ts";
import { Icon } from "../icons.tsx";
import { amount, partsOf, signed } from "../money.ts";
import { Link } from "../router.tsx";
import { isNobody, isStaff } from "../session.ts";
import { table } from "../words/table.ts";
import type { Room } from "./room.ts";
import { problemOf, totalOf } from "./slip.ts";

const HOLD_MILLISECONDS = 600;

/** When the next round opens, as far as the last pause tells. */
export function nextIn(room: Room): number | null {
  const state = room.state.value;
  if (!state?.end || state.phase !== "ready" || state.restsFor === null || state.paused) return null;
  return secondsUntil(state.end.time + state.restsFor);
}

export function Dock({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const box = useRef<HTMLElement>(null), hadFocus = useRef(false);
  const state = room.state.value, end = isHeld ? null : state?.end;
  const isOver = !!end && state?.phase === "ready" && Object.keys(end.stakes).length > 0;
  // What had the focus may be gone with the round: it goes to what took its place.
  useLayoutEffect(() => {
    if (hadFocus.current && (document.activeElement === document.body || document.activeElement === null)) {
      box.current?.querySelector<HTMLElement>("[aria-pressed=true], .btn")?.focus();
    }
  }, [isOver]);
  if (!state) return null;
  return (
    <section
      class={isOver ? "outcome" : "dock"} aria-label={table.chips()} ref={box}
      onFocusIn={() => (hadFocus.current = true)} onFocusOut={(event) => { if (event.relatedTarget) hadFocus.current = false; }}
    >
      {isOver ? <Outcome room={room} /> : <Rail room={room} isHeld={isHeld} />}
    </section>
  );
}

function Money({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const state = room.state.value, balance = shownBalance(room, isHeld);
  if (!state || isStaff.value) return null;
  return (
    <div class="money wide">
      <div><span class="label">{table.balance()}</span><b class="num">{balance === null ? "–" : amount(balance, state.currency)}</b></div>
      <div><span class="label">{table.stakedLabel()}</span><b class="num">{amount(totalOf(room.slip.value), state.currency)}</b></div>
    </div>
  );
}

/** What one has besides the felt; what a round has paid is not in it before the round may be seen. */
export function shownBalance(room: Room, isHeld: boolean): number | null {
  const state = room.state.value, left = room.left.value;
  if (left === null || !isHeld || !state?.end) return left;
  const { wagers, stakes, void: isVoid } = state.end;
  return left - (isVoid ? totalOf(stakes) : Object.values(wagers).reduce((sum, { stake, net }) => sum + stake + net, 0));
}

function Rail({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const state = room.state.value;
  if (!state) return null;
  if (isStaff.value) return <p class="hint">{table.staffWatching()}</p>;
  const parts = partsOf(state.currency), left = room.left.value, chips = room.chips.value;
  const notice = room.notice.value;
  return (
    <>
      <Money room={room} isHeld={isHeld} />
      <div class="rail" role="group" aria-label={table.chips()}>
        {chips.map((chip) => {
          const isTooLarge = left !== null && chip > left, name = chipName(chip / parts);
          return (
            <button
              type="button" key={chip} aria-pressed={room.chip.value === chip} aria-disabled={isTooLarge}
              aria-label={isTooLarge ? table.chipTooLarge({ chip: name }) : name}
              onClick={() => { if (!isTooLarge) room.choose(chip); }}
            >
              <Chip value={chip / parts} />
            </button>
          );
        })}
      </div>
      <Acts room={room} />
      <p class="hint">
        {notice ? <span class="note">{notice()}</span>
          : isNobody.value ? <><span class="wide">{table.watching()}</span><span class="narrow">{table.watchingShort()}</span></>
          : <span class="wide keys">{table.keys({ chips: chips.length })}</span>}
      </p>
    </>
  );
}

function Acts({ room }: { room: Room }) {
  const held = useRef<ReturnType<typeof setTimeout> | null>(null), wasHeld = useRef(false);
  const state = room.state.value, slip = room.slip.value, staked = totalOf(slip);
  if (!state) return null;
  const isOpen = room.isOpen, last = totalOf(state.lastSlip);
  const means = { limits: state.limits, patronLimit: state.patron_limit, balance: state.balance ?? null, accepted: room.accepted.value };
  const twice = Object.fromEntries(Object.entries(slip).map(([wager, stake]) => [wager, 2 * stake]));
  const canDouble = isOpen && staked > 0 && problemOf(twice, means) === null;
  const canRepeat = isOpen && staked === 0 && last > 0;
  const release = () => {
    if (held.current !== null) clearTimeout(held.current);
    held.current = null;
  };
  return (
    <div class="acts">
      <button
        type="button" class="btn" aria-disabled={!isOpen || staked === 0} title={table.undoHold()}
        onPointerDown={() => {
          wasHeld.current = false;
          release();
          held.current = setTimeout(() => {
            wasHeld.current = true;
            room.clear();
          }, HOLD_MILLISECONDS);
        }}
        onPointerUp={release} onPointerLeave={release} onPointerCancel={release} onContextMenu={(event) => event.preventDefault()}
        onClick={() => {
          if (!wasHeld.current) room.undo();
          wasHeld.current = false;
        }}
      ><Icon name="undo" size={20} />{table.undo()}</button>
      <button type="button" class="btn" aria-disabled={!canRepeat} onClick={() => room.rebet()}><Icon name="again" size={20} />{table.rebet()}</button>
      {/* Who asks for more than there is room for is told why. */}
      <button type="button" class="btn" aria-disabled={!canDouble} onClick={() => room.double()}><Icon name="double" size={20} />{table.double()}</button>
    </div>
  );
}

function Outcome({ room }: { room: Room }) {
  const state = room.state.value, end = state?.end;
  if (!state || !end) return null;
  const net = end.void ? 0 : (end.net ?? 0), last = totalOf(state.lastSlip), seconds = nextIn(room);
  const at = `/tables/${encodeURIComponent(room.id)}/rounds/${end.round}`, willRebet = room.willRebet.value;
  const values = { amount: amount(last, state.currency) };
  return (
    <>
      <div class="net"><span class="label">{table.roundNet({ round: end.round })}</span><b class={`num ${net > 0 ? "up" : ""}`}>{signed(net, state.currency)}</b></div>
      <div class="wide money2">
        <div><span class="label">{table.balance()}</span><b class="num">{amount(room.left.value ?? 0, state.currency)}</b></div>
        {seconds !== null && <div><span class="label">{table.nextOpensIn()}</span><b class="num">{table.aboutSeconds({ seconds })}</b></div>}
      </div>
      <Link class="btn narrow" href={`${at}#verify`} aria-label={table.verify()}><Icon name="shield" size={20} /></Link>
      <Link class="btn narrow" href={`${at}#replay`} aria-label={table.replay()}><Icon name="play" size={18} /></Link>
      {last > 0 && (
        <button type="button" class={`btn again ${willRebet ? "" : "solid"}`} aria-pressed={willRebet} onClick={() => (room.willRebet.value = !willRebet)}>
          <Icon name={willRebet ? "check" : "again"} size={20} />
          <span class="wide">{willRebet ? table.rebetArmed(values) : table.rebetWhenOpen(values)}</span><span class="narrow">{table.rebetAmount(values)}</span>
        </button>
      )}
    </>
  );
}
