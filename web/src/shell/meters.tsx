/** What one has, how long one has played, and what has come of it: on every page. */
import { effect, signal } from "@preact/signals";
import { serverNow, tick } from "../clock.ts";
import { keep, kept } from "../kept.ts";
import { amount, signed } from "../money.ts";
import { isStaff, me } from "../session.ts";
import { shell } from "../words/shell.ts";
import type { Me } from "../types/api.ts";

/** The money that moved last, of several kinds: the one that is shown where there is room for one. */
export const moneyShown = signal<string | null>(kept("money"));
let before: Me["balances"] | null = null;

effect(() => {
  const now = me.value?.balances ?? null;
  if (now && before) {
    const moved = Object.keys(now).find((unit) => before?.[unit] !== undefined && before[unit] !== now[unit]);
    if (moved) {
      moneyShown.value = moved;
      keep("money", moved);
    }
  }
  before = now;
});

/** Of all that somebody has, the kind to show. */
export function shownUnit(of: Pick<Me, "balances" | "session">, wanted: string | null): string | null {
  if (wanted !== null && wanted in of.balances) return wanted;
  const moved = Object.entries(of.session.net).find(([, net]) => net !== 0);
  return moved?.[0] ?? Object.keys(of.balances)[0] ?? null;
}

/** So long: minutes and seconds, with hours where there are any. */
export function lastedSaid(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [String(first), ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

export function lasted(since: number): string {
  void tick.value;
  return lastedSaid(serverNow() - since);
}

function SessionTime({ since }: { since: number }) {
  return <b class="num">{lasted(since)}</b>;
}

function Net({ of }: { of: Me }) {
  const moved = Object.entries(of.session.net).filter(([, net]) => net !== 0);
  if (!moved.length) return <b class="num">0</b>;
  return (
    <>
      {moved.map(([unit, net]) => (
        <b class={`num ${net > 0 ? "up" : ""}`} key={unit}>{signed(net, unit)}{moved.length > 1 ? <small> {unit}</small> : null}</b>
      ))}
    </>
  );
}

/** Session time and net result: the net of the currency that moved, or of each of several. */
export function Meters() {
  const known = me.value;
  if (!known || isStaff.value) return null;
  return (
    <>
      <span class="meter"><span class="label">{shell.session()}</span><SessionTime since={known.session.since} /></span>
      <span class="meter"><span class="label">{shell.net()}</span><Net of={known} /></span>
    </>
  );
}

/** The last line of a page on a phone: of the money that moved last. */
export function MoneyLine() {
  const known = me.value;
  if (known && isStaff.value) return null;
  const unit = known && shownUnit(known, moneyShown.value);
  if (!known || unit === null) return <p class="mline">{shell.playMoneyAll()}</p>;
  const net = known.session.net[unit] ?? 0;
  return (
    <div class="mline">
      <span>{shell.balance()} <b class="num">{amount(known.balances[unit] ?? 0, unit)} <small>{unit}</small></b></span>
      <span>{shell.session()} <SessionTime since={known.session.since} /></span>
      <span>{shell.net()} <b class={`num ${net > 0 ? "up" : ""}`}>{signed(net, unit)}</b></span>
    </div>
  );
}
