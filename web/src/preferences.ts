/** How somebody likes their cards: kept by this browser, followed by every card that is drawn. */
import { effect, signal, type Signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

function keptSwitch(name: string): Signal<boolean> {
  const found = signal(kept(name) === "on");
  effect(() => keep(name, found.value ? "on" : null));
  return found;
}

/** A colour for each of the four suits: clubs green, diamonds blue. */
export const fourColour = keptSwitch("four-colour");
/** Rank and suit large in the corner, for small screens and for eyes that want it. */
export const largeIndex = keptSwitch("large-index");
/** Turn one's cards by hand, where a table lets one. */
export const squeezing = keptSwitch("squeezing");
