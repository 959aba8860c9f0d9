/** The felt: one printed outline cut by hairlines, laid from the declaration, and played by mouse, touch and keys. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { table } from "../words/table.ts";
import { isDirection, nextTo, type Layout } from "./layout.ts";
import { handOf } from "./payments.ts";
import type { Room } from "./room.ts";
import { Spot } from "./spot.tsx";

/** A row in which a hand's own spot lies takes what room there is; the others are as low as they can be. */
function rowsOf(layout: Layout): string {
  return Array.from({ length: layout.rows }, (_, at) => {
    const isTall = layout.places.some((place) => {
      const hand = handOf(place.wager);
      return (hand === "P" || hand === "B") && place.row <= at + 1 && at + 1 < place.row + place.rows;
    });
    return isTall ? "minmax(min-content, 1fr)" : "auto";
  }).join(" ");
}

export function Felt({ room, isHeld }: { room: Room; isHeld: boolean }) {
  const box = useRef<HTMLDivElement>(null), at = useSignal<string | null>(null);
  const state = room.state.value, rules = room.rules.value, layout = room.layout.value;
  if (!state || !rules) return null;
  const { accepted, wanted, notes } = room, pending = wanted.pending.value, end = isHeld ? null : state.end;
  const stop = layout.places.some((place) => place.wager === at.value) ? at.value : (layout.places[0]?.wager ?? null);
  const move = (event: KeyboardEvent) => {
    const from = (event.target as HTMLElement).dataset["wager"];
    if (!from || !isDirection(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = nextTo(layout, from, event.key);
    for (const spot of box.current?.querySelectorAll<HTMLElement>("[data-wager]") ?? []) if (spot.dataset["wager"] === to) spot.focus();
  };
  return (
    <div
      class="spots" role="group" aria-label={table.felt()} ref={box} onKeyDown={move}
      style={{ gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))`, gridTemplateRows: rowsOf(layout) }}
    >
      {layout.places.map(({ wager, column, columns, row, rows }) => {
        const told = rules.wagers[wager];
        if (!told) return null;
        const note = notes.value[wager];
        return (
          <Spot
            key={wager} wager={wager} told={told} limits={state.limits[wager]} all={state.spots[wager]}
            money={{ currency: state.currency, chips: room.chips.value }}
            // Until a held round may be seen, what was staked on it still lies there.
            accepted={isHeld && state.end ? (state.end.stakes[wager] ?? 0) : (accepted.value[wager] ?? 0)}
            pending={wager in pending ? (pending[wager] ?? 0) : null}
            note={note ? note() : null}
            settled={end && !end.void ? (end.wagers[wager] ?? "none") : null}
            paidLine={end?.result?.lines[wager] ?? null}
            cameBack={end?.void ? (end.stakes[wager] ?? 0) : null}
            isLow={rows === 1 && layout.rows > 2}
            isOpen={room.isOpen} isTabStop={stop === wager}
            style={{ gridColumn: `${column} / span ${columns}`, gridRow: `${row} / span ${rows}` }}
            onPlace={() => room.place(wager)} onFocus={() => (at.value = wager)}
          />
        );
      })}
    </div>
  );
}
