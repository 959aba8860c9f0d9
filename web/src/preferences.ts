/** How somebody likes their cards: kept by this browser, followed by every card that is drawn. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

/** A colour for each of the four suits: clubs green, diamonds blue. */
export const fourColour = signal(kept("four-colour") === "on");
/** Rank and suit large in the corner, for small screens and for eyes that want it. */
export const largeIndex = signal(kept("large-index") === "on");

effect(() => keep("four-colour", fourColour.value ? "on" : null));
effect(() => keep("large-index", largeIndex.value ? "on" : null));
