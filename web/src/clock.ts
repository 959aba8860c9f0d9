/** The server's clock, as far as it can be known here: every countdown runs by it. */
import { effect, signal } from "@preact/signals";

/** How far the server is ahead. The message that came quickest knows best, and is believed for a while. */
let ahead = 0;
let heardAt = -Infinity;
const BELIEVED_MILLISECONDS = 60_000;

export function heard(serverTime: number, now = Date.now()): void {
  const found = serverTime - now;
  // A message is never early: the largest difference had the shortest way.
  if (found > ahead || now - heardAt > BELIEVED_MILLISECONDS) {
    ahead = found;
    heardAt = now;
  }
}

export function serverNow(): number {
  return Date.now() + ahead;
}

/** Ticks a few times a second while somebody reads it; a hidden page rests. */
export const tick = signal(0);
const TICK_MILLISECONDS = 200;
if (typeof document !== "undefined") {
  setInterval(() => {
    if (!document.hidden) tick.value += 1;
  }, TICK_MILLISECONDS);
}

/** Seconds until a time of the server's, for a component that follows the clock. */
export function secondsUntil(time: number | null | undefined): number | null {
  void tick.value;
  return time == null ? null : Math.max(0, Math.ceil((time - serverNow()) / 1000));
}

export function everyTick(work: () => void): () => void {
  return effect(() => {
    void tick.value;
    work();
  });
}
