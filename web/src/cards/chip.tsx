/** A chip: its own hue, its own edge and its value in print. */
import "../styles/cards.css";
import { language } from "../words/language.ts";
import { cards } from "../words/cards.ts";
import { looksOf, printed } from "./chips.ts";

interface ChipProperties {
  /** As printed: 1000 shows `1K`. */
  value: number;
  /** What it is called; left out where the words around it say so, as on a button with a name of its own. */
  label?: string;
  size?: number;
  /** Sent and not accepted yet: dashed and pale. */
  pending?: boolean;
  class?: string;
}

/** `1K, 1,000`: the name has what is printed in it. */
export function chipName(value: number): string {
  const short = printed(value), long = value.toLocaleString(language.value === "en" ? "en" : "zh");
  return short === long ? short : cards.chip({ printed: short, amount: long });
}

export function Chip({ value, label, size = 46, pending = false, class: more = "" }: ChipProperties) {
  const { hue, edge } = looksOf(value), text = printed(value);
  const name = label === undefined
    ? { "aria-hidden": true } as const
    : { role: "img", "aria-label": label.includes(text) ? label : `${text}, ${label}` } as const;
  const bars = [];
  for (let place = 0; place < edge.places; place++) {
    for (const bar of edge.bars) bars.push((360 / edge.places) * place + bar);
  }
  const letters = text.length <= 2 ? 30 : text.length === 3 ? 25 : 20;
  return (
    <svg class={`chip ${pending ? "pending" : ""} ${more}`} style={{ "--c": hue }} width={size} height={size} viewBox="0 0 100 100" {...name}>
      <circle class="rim" cx="50" cy="50" r="49" /><circle class="body" cx="50" cy="50" r="47" />
      <g class="spots">{bars.map((turn) => <rect x={50 - edge.width / 2} y="2" width={edge.width} height="13" transform={`rotate(${turn} 50 50)`} key={turn} />)}</g>
      <circle class="face" cx="50" cy="50" r="33" /><circle class="ring" cx="50" cy="50" r="33" />
      <text x="50" y={50 + letters * 0.34} font-size={letters}>{text}</text>
    </svg>
  );
}
