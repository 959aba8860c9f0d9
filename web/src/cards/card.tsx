/** A card of either pack, its back, and the place for one. */
import "../styles/cards.css";
import { fourColour, largeIndex } from "../preferences.ts";
import { cards } from "../words/cards.ts";
import { BackDrawing, FaceDrawing } from "./faces.tsx";
import { cardName, packOf, type Suit, suitOf } from "./packs.ts";
import { SHAPES } from "./shapes.ts";

export { cardName } from "./packs.ts";

/** The class that colours a suit, as the reader wants it. */
export function inkOf(suit: Suit): string {
  return (fourColour.value && suit.four) || suit.ink;
}

interface Drawn {
  class?: string;
  /** Where the words beside it say which card it is. */
  decorative?: boolean;
}

/** `pack` as the rule card names it. A code that the pack does not have is drawn face down, never as another card. */
export function Card({ code, pack, class: more = "", decorative = false }: Drawn & { code: string; pack: string }) {
  const of = packOf(pack), suit = suitOf(code, of), rank = code.charAt(0);
  if (!suit || !of.ranks.includes(rank)) return <CardBack class={more} decorative={decorative} />;
  const name = decorative ? { "aria-hidden": true } as const : { role: "img", "aria-label": cardName(code, pack) } as const;
  return (
    <svg class={`card ${inkOf(suit)} ${more}`} viewBox="0 0 250 350" {...name}>
      <FaceDrawing rank={rank} suit={suit} large={largeIndex.value} />
    </svg>
  );
}

export function CardBack({ class: more = "", decorative = false }: Drawn) {
  const name = decorative ? { "aria-hidden": true } as const : { role: "img", "aria-label": cards.back() } as const;
  return <svg class={`card ${more}`} viewBox="0 0 250 350" {...name}><BackDrawing /></svg>;
}

/** Where a card will lie. */
export function CardSlot({ class: more = "" }: { class?: string }) {
  return <div class={`slot ${more}`} aria-hidden="true" />;
}

/** The shape of a suit beside text. On the ground of the page its colour is lifted where that is dark. */
export function SuitShape({ suit, size = 20, class: more = "lift" }: { suit: Suit; size?: number; class?: string }) {
  const { path, isLine } = SHAPES[suit.name];
  return (
    <svg class={`pip ${inkOf(suit)} ${more}`} width={size} height={size} viewBox="0 0 100 100" aria-hidden="true">
      <path class={isLine ? "pipline" : "pipfill"} d={path} />
    </svg>
  );
}
