/** The court of the 52-card pack: half a figure in plain shapes, the other half the same one turned. Three outlines that are
 * told apart without reading: a crown of points and a beard, long hair and a round crown, a flat cap with a feather. */
import { SHAPES } from "./shapes.ts";
import type { SuitName } from "./packs.ts";

const SHOULDERS = "M62 175V164C64 146 80 136 106 132L125 146L144 132C170 136 186 146 188 164V175Z";
/** A calm face: lids lowered, a straight nose, a small mouth. */
const FEATURES = "M112 97Q116 100 120 97M130 97Q134 100 138 97M125 98V108L122 110M120 117Q125 119.5 130 117";

function Face() {
  return (
    <>
      <path class="k-skin" d="M117 118H133V136L125 143L117 136Z" />
      <path class="k-skin" d="M104 86H146V104C146 119 136 128 125 128C114 128 104 119 104 104Z" />
      <path class="k-line" d={FEATURES} />
    </>
  );
}

function King() {
  return (
    <>
      <path class="k-mid" d="M100 84H150V112C156 112 158 120 152 124C150 132 100 132 98 124C92 120 94 112 100 112Z" />
      <Face />
      {/* The beard, parted below a moustache. */}
      <path class="k-ink" d="M104 106C108 112 116 113 125 110C134 113 142 112 146 106C147 128 138 140 125 148C112 140 103 128 104 106Z" />
      <path class="k-paper" d="M119 118Q125 121 131 118" />
      <path class="k-gold" d="M98 86L95 54L110 67L125 44L140 67L155 54L152 86Z" />
      <path class="k-ink" d="M97 80H153V90H97Z" />
      <circle class="k-gold" cx="95" cy="52" r="4" /><circle class="k-gold" cx="125" cy="41" r="4.5" /><circle class="k-gold" cx="155" cy="52" r="4" />
      {/* The sceptre. */}
      <path class="k-rod" d="M176 172V92" /><circle class="k-gold" cx="176" cy="84" r="8" />
    </>
  );
}

function Queen() {
  return (
    <>
      <path class="k-ink" d="M125 60C98 60 92 82 93 104C94 122 86 130 80 140C92 144 104 140 110 134H140C146 140 158 144 170 140C164 130 156 122 157 104C158 82 152 60 125 60Z" />
      <Face />
      {/* Hair parted in the middle. */}
      <path class="k-ink" d="M125 80C116 80 108 88 103 104V82C108 74 142 74 147 82V104C142 88 134 80 125 80Z" />
      <path class="k-gold" d="M97 76C94 66 99 58 95 51C104 53 109 57 111 62C114 52 119 46 125 41C131 46 136 52 139 62C141 57 146 53 155 51C151 58 156 66 153 76C136 69 114 69 97 76Z" />
      <circle class="k-gold" cx="125" cy="38" r="4.5" />
      <path class="k-chain" d="M108 134Q125 156 142 134" />
      {/* A flower on its stem. */}
      <path class="k-rod" d="M174 172C178 150 172 132 175 112" /><path class="k-mid" d="M175 142C184 140 188 134 187 126C179 127 175 133 175 142Z" />
      <g class="k-gold"><circle cx="175" cy="94" r="6" /><circle cx="184" cy="101" r="6" /><circle cx="181" cy="111" r="6" /><circle cx="169" cy="111" r="6" /><circle cx="166" cy="101" r="6" /></g>
      <circle class="k-ink" cx="175" cy="104" r="4.5" />
    </>
  );
}

function Jack() {
  return (
    <>
      <path class="k-mid" d="M100 80H150V114C158 118 156 128 148 128H102C94 128 92 118 100 114Z" />
      <Face />
      <path class="k-mid" d="M104 84H146V90C140 96 134 88 125 92C116 96 110 88 104 96Z" />
      {/* Cap, brim and feather. */}
      <path class="k-ink" d="M98 80C94 60 106 52 126 52C146 52 156 60 152 80Z" />
      <path class="k-gold" d="M90 82C92 76 98 75 104 75H146C152 75 158 76 160 82C158 88 152 88 146 88H104C98 88 92 88 90 82Z" />
      <path class="k-feather" d="M142 74C170 72 186 60 186 38C172 40 146 46 142 74Z" /><path class="k-rib" d="M143 73C152 60 164 50 178 44" />
      {/* A staff, and a sash over the shoulder. */}
      <path class="k-rod" d="M74 172V86" /><path class="k-gold" d="M74 70L81 86L74 94L67 86Z" />
      <path class="k-sash" d="M98 135L150 175" />
    </>
  );
}

const COURT = { J: Jack, Q: Queen, K: King } as const;
export type Court = keyof typeof COURT;
export const isCourt = (rank: string): rank is Court => rank in COURT;

function Half({ rank, suit }: { rank: Court; suit: SuitName }) {
  const Figure = COURT[rank];
  return (
    <>
      <path class="k-robe" d={SHOULDERS} />
      <Figure />
      <path class="k-badge" d={SHAPES[suit].path} transform="translate(115 151) scale(.2)" />
      <path fill="currentColor" d={SHAPES[suit].path} transform="translate(65 37) scale(.24)" />
    </>
  );
}

export function CourtPanel({ rank, suit }: { rank: Court; suit: SuitName }) {
  return (
    <>
      <rect class="frame" x="55" y="26" width="140" height="298" rx="7" />
      <Half rank={rank} suit={suit} />
      <g transform="rotate(180 125 175)"><Half rank={rank} suit={suit} /></g>
      <path class="k-middle" d="M62 175H188" />
      <rect class="frame2" x="61.5" y="32.5" width="127" height="285" rx="4" />
    </>
  );
}
