/** The roads as drawings. A cell is 20 wide on the two roads of rounds and 10 on the derived ones; the place where a
 * drawing is shown gives it its size. */
import type { Colour, BigCell, Bead, Derived, Letter, Mark, Square } from "./roads.ts";
import { ROWS } from "./roads.ts";

export const CELL = 20;
export const SMALL_CELL = 10;

export function Paper({ columns, rows = ROWS, cell }: { columns: number; rows?: number; cell: number }) {
  const width = columns * cell, height = rows * cell;
  let lines = "";
  for (let column = 1; column < columns; column++) lines += `M${column * cell} 0V${height}`;
  for (let row = 1; row < rows; row++) lines += `M0 ${row * cell}H${width}`;
  return (
    <>
      <rect class="roadpaper" width={width} height={height} />
      <path class="grid" d={lines} />
    </>
  );
}

/** What a round has besides its winner. */
export interface Extras {
  bankerPair: boolean;
  playerPair: boolean;
  /** The letter or figure of a special win, or nothing. */
  special: string;
}

export const NO_EXTRAS: Extras = { bankerPair: false, playerPair: false, special: "" };

function Dots({ x, y, reach, extras }: { x: number; y: number; reach: number; extras: Extras }) {
  return (
    <>
      {extras.bankerPair && <circle class="dot B" cx={x - reach} cy={y - reach} r="2.9" />}
      {extras.playerPair && <circle class="dot P" cx={x + reach} cy={y + reach} r="2.9" />}
    </>
  );
}

export function BeadMark({ bead, text, isHan, extras }: { bead: Bead; text: string; isHan: boolean; extras: Extras }) {
  const x = bead.column * CELL + 10, y = bead.row * CELL + 10;
  return (
    <>
      <g class={bead.letter}><circle cx={x} cy={y} r="8.6" /><text class={isHan ? "han" : ""} x={x} y={y + 4.1}>{text}</text></g>
      <Dots x={x} y={y} reach={6.4} extras={extras} />
    </>
  );
}

export function BigMark({ cell, extras, isAsked }: { cell: BigCell; extras: Extras; isAsked?: boolean }) {
  const x = cell.column * CELL + 10, y = cell.row * CELL + 10;
  return (
    <>
      {isAsked && <Asked cell={cell} size={CELL} />}
      <g class={cell.side}><circle cx={x} cy={y} r="7.3" /></g>
      {cell.ties > 0 && <path class="tie" d={`M${x - 6.5} ${y + 6.5}L${x + 6.5} ${y - 6.5}`} />}
      {extras.special && cell.ties < 2 && <text class="special" x={x} y={y + 3.6}>{extras.special}</text>}
      {cell.ties > 1 && <text class="tien" x={x} y={y + 3.6}>{cell.ties}</text>}
      <Dots x={x} y={y} reach={5.8} extras={extras} />
    </>
  );
}

/** The frame of what is not there yet: what the next round would add. */
function Asked({ cell, size }: { cell: Square; size: number }) {
  return <rect class="asked" x={cell.column * size + 0.6} y={cell.row * size + 0.6} width={size - 1.2} height={size - 1.2} rx={size / 6} />;
}

/** Hollow circles, solid circles, slashes: the roads are told apart by shape. */
export function DerivedMark({ road, mark, isAsked }: { road: Derived; mark: Mark; isAsked?: boolean }) {
  return (
    <>
      {isAsked && <Asked cell={mark} size={SMALL_CELL} />}
      <Shape road={road} colour={mark.colour} x={mark.column * SMALL_CELL} y={mark.row * SMALL_CELL} />
    </>
  );
}

function Shape({ road, colour, x, y }: { road: Derived; colour: Colour; x: number; y: number }) {
  const of = colour === "R" ? "r" : "b";
  if (road === "bigEyeBoy") return <circle class={`h ${of}`} cx={x + 5} cy={y + 5} r="3.2" />;
  if (road === "smallRoad") return <circle class={`d ${of}`} cx={x + 5} cy={y + 5} r="3.7" />;
  return <path class={`l ${of}`} d={`M${x + 1.8} ${y + 8.2}L${x + 8.2} ${y + 1.8}`} />;
}

/** One mark of a derived road beside words. */
export function AskMark({ road, colour, size = 17 }: { road: Derived; colour: Colour | null; size?: number }) {
  return (
    <svg class="derived mark" viewBox="0 0 10 10" width={size} height={size} aria-hidden="true">
      {colour === null ? <path class="none" d="M3 5H7" /> : <Shape road={road} colour={colour} x={0} y={0} />}
    </svg>
  );
}

/** B, P or T in its disc. */
export function Tag({ letter }: { letter: Letter }) {
  return <span class={`tag ${letter}`} aria-hidden="true">{letter}</span>;
}
