/** What is printed on a card within its outline, in a square of 250 by 350. */
import { CourtPanel, isCourt } from "./courts.tsx";
import type { Suit } from "./packs.ts";
import { isUpright, PIPS, SHAPES } from "./shapes.ts";

const WIDE = 250, HIGH = 350;
const TURNED = `rotate(180 ${WIDE / 2} ${HIGH / 2})`;

/** A suit's shape with its middle at a place. */
function Pip({ suit, x, y, size, turned }: { suit: Suit; x: number; y: number; size: number; turned?: boolean }) {
  const { path, isLine } = SHAPES[suit.name];
  const scale = size / 100;
  return (
    <path
      class={isLine ? "pipline" : "pipfill"} d={path}
      transform={`translate(${x} ${y})${turned ? " rotate(180)" : ""} scale(${scale}) translate(-50 -50)`}
    />
  );
}

/** Each star on a ground of its own: a round, a seal with cut corners, a square on its corner. */
const STARS: Readonly<Record<string, { ground: string; hair: string; character: string }>> = {
  S: { ground: "M125 107A68 68 0 0 1 125 243A68 68 0 0 1 125 107Z", hair: "M125 115A60 60 0 0 1 125 235A60 60 0 0 1 125 115Z", character: "壽" },
  L: {
    ground: "M89 111H161A26 26 0 0 0 189 139V211A26 26 0 0 0 161 239H89A26 26 0 0 0 61 211V139A26 26 0 0 0 89 111Z",
    hair: "M95 119H155A32 32 0 0 0 181 145V205A32 32 0 0 0 155 231H95A32 32 0 0 0 69 205V145A32 32 0 0 0 95 119Z",
    character: "祿",
  },
  F: { ground: "M125 92L208 175L125 258L42 175Z", hair: "M125 104L196 175L125 246L54 175Z", character: "福" },
};

function Star({ rank, suit }: { rank: string; suit: Suit }) {
  const star = STARS[rank];
  if (!star) return null;
  return (
    <>
      <rect class="frame" x="55" y="26" width="140" height="298" rx="7" />
      <rect class="frame2" x="61.5" y="32.5" width="127" height="285" rx="4" />
      <Pip suit={suit} x={125} y={64} size={40} /><Pip suit={suit} x={125} y={286} size={40} turned />
      <path fill="currentColor" d={star.ground} /><path class="hair" d={star.hair} />
      <text class="star" x="125" y="208" font-size={rank === "F" ? 88 : 92}>{star.character}</text>
    </>
  );
}

function Middle({ rank, suit }: { rank: string; suit: Suit }) {
  if (rank === "A") return <Pip suit={suit} x={125} y={175} size={122} />;
  const pips = PIPS[rank];
  if (pips) return <>{pips.map(([x, y]) => <Pip suit={suit} x={x} y={y} size={50} turned={!isUpright(y)} key={`${x} ${y}`} />)}</>;
  return isCourt(rank) ? <CourtPanel rank={rank} suit={suit.name} /> : <Star rank={rank} suit={suit} />;
}

interface Index {
  x: number;
  rank: number;
  rankY: number;
  sign: number;
  signY: number;
}
const USUAL: Index = { x: 31, rank: 62, rankY: 63, sign: 40, signY: 107 };
const LARGE: Index = { x: 41, rank: 92, rankY: 82, sign: 60, signY: 152 };

function Corner({ rank, suit, of }: { rank: string; suit: Suit; of: Index }) {
  const isTen = rank === "T";
  return (
    <>
      <text
        class="rank" x={of.x} y={of.rankY} font-size={of.rank}
        {...(isTen ? { textLength: of.rank * 0.76, lengthAdjust: "spacingAndGlyphs" } : {})}
      >{isTen ? "10" : rank}</text>
      {suit.character
        ? <text class="elch" x={of.x} y={of.signY} font-size={of.sign}>{suit.character}</text>
        : <Pip suit={suit} x={of.x} y={of.signY - of.sign * 0.36} size={of.sign * 0.9} />}
    </>
  );
}

/** With a large index everything between the corners gives way. */
export function FaceDrawing({ rank, suit, large }: { rank: string; suit: Suit; large: boolean }) {
  const index = large ? LARGE : USUAL;
  return (
    <>
      <rect class="paper" x="1.5" y="1.5" width="247" height="347" rx="17" />
      <g transform={large ? "translate(125 175) scale(.72) translate(-125 -175)" : undefined}><Middle rank={rank} suit={suit} /></g>
      <Corner rank={rank} suit={suit} of={index} />
      <g transform={TURNED}><Corner rank={rank} suit={suit} of={index} /></g>
    </>
  );
}

/** A lattice of rings within a line. The inner picture cuts the rings off at its edge, so that no id is needed. */
export function BackDrawing() {
  const rings = [];
  for (let column = 0; column < 5; column++) {
    for (let row = 0; row < 7; row++) {
      rings.push(<circle cx={20 + 46 * column} cy={24 + 46 * row} r="30" key={`${column} ${row}`} />);
    }
  }
  return (
    <>
      <rect class="paper" x="1.5" y="1.5" width="247" height="347" rx="17" />
      <rect class="back" x="13" y="13" width="224" height="324" rx="9" />
      <svg class="lattice" x="13" y="13" width="224" height="324" viewBox="0 0 224 324">{rings}</svg>
      <rect class="backline" x="22" y="22" width="206" height="306" rx="5" />
    </>
  );
}
