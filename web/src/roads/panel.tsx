/** The five roads of a shoe with their counts: beside the felt on a wide screen, above it on a phone. */
import "../styles/roads.css";
import { signal } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import { Icon } from "../icons.tsx";
import { keep, kept } from "../kept.ts";
import type { RoundOfShoe, RoundResult, RuleCard, ShoeRounds } from "../types/api.ts";
import { language } from "../words/language.ts";
import { roadWords } from "../words/roads.ts";
import { said } from "../words/said.ts";
import { AskMark, BeadMark, BigMark, CELL, DerivedMark, Paper, SMALL_CELL, Tag } from "./drawn.tsx";
import { bigRoadSaid } from "./mini.tsx";
import { beadPlate, columnsOf, DERIVED, type Derived, latest, type Letter, roads, type Roads, ROWS, type Side } from "./roads.ts";
import { counted, type Counts, extrasOf, merged, type SpecialWager, specialWagers, winningTotal } from "./shoe.ts";

const MODES = ["letters", "characters", "totals"] as const;
type Mode = (typeof MODES)[number];
const keptMode = kept("beads") as Mode | null;
const mode = signal<Mode>(keptMode && MODES.includes(keptMode) ? keptMode : "letters");

const narrowly = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 899px)");
const isNarrow = signal(narrowly?.matches ?? false);
narrowly?.addEventListener("change", (event) => (isNarrow.value = event.matches));

export interface RoadsPanelProps {
  table: string;
  shoe: number;
  /** The results of the shoe so far, a letter each. */
  letters: string;
  /** What is told of them; null for what this page was not there for. */
  results: readonly (RoundResult | null)[];
  rules: RuleCard | null;
  cardsLeft?: number | null;
  /** As on a phone; by the width of the page where it is not said. */
  narrow?: boolean;
}

/** Everything that a drawing needs to know of the shoe. */
interface Shown {
  letters: string;
  results: readonly (RoundResult | null)[];
  /** With what is asked for, if anything. */
  roads: Roads;
  /** What each hand would add. */
  next: Roads["ask"];
  specials: readonly SpecialWager[];
  counts: Counts;
  asked: Side | null;
}

/** The results of a shoe, with those before this page was opened, which the record has. */
export function useResults(table: string, shoe: number, letters: string, told: readonly (RoundResult | null)[]): (RoundResult | null)[] {
  const [recorded, setRecorded] = useState<{ of: string; rounds: readonly RoundOfShoe[] }>({ of: "", rounds: [] });
  const of = `${table} ${shoe}`, known = recorded.of === of ? recorded.rounds : [];
  const all = merged(letters, told, known), isMissing = all.includes(null);
  useEffect(() => {
    if (!isMissing || !shoe) return;
    const gone = new AbortController();
    get<ShoeRounds>(`/api/tables/${encodeURIComponent(table)}/shoes/${shoe}/rounds`, gone.signal)
      .then((found) => setRecorded({ of, rounds: found.rounds }))
      // Without them the roads still stand: only dots and totals of earlier rounds are missing.
      .catch(() => undefined);
    return () => gone.abort();
  }, [of, isMissing, isMissing && letters.length]);
  return all;
}

export function RoadsPanel(given: RoadsPanelProps) {
  const [asked, setAsked] = useState<{ side: Side; after: string } | null>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const results = useResults(given.table, given.shoe, given.letters, given.results);
  const specials = specialWagers(given.rules, said);
  const side = asked?.after === given.letters ? asked.side : null, now = roads(given.letters);
  const shown: Shown = {
    letters: given.letters, results, specials, asked: side,
    roads: side ? roads(given.letters + side) : now, next: now.ask, counts: counted(given.letters, results, specials),
  };
  const ask = (of: Side) => setAsked(side === of ? null : { side: of, after: given.letters });
  const enlarge = () => {
    dialog.current?.showModal();
    // What is wider than the dialog shows its latest end.
    for (const box of dialog.current?.querySelectorAll(".scroll") ?? []) box.scrollLeft = box.scrollWidth;
  };
  const larger = <Larger of={dialog} given={given} shown={shown} ask={ask} />;
  if (given.narrow ?? isNarrow.value) {
    return (
      <section class="roads on-phone" aria-label={roadWords.roads()}>
        <div class="stats">
          {(["B", "P", "T"] as const).map((letter) => <span class="k" key={letter}><Tag letter={letter} /><Count letter={letter} counts={shown.counts} /></span>)}
          <AskButtons shown={shown} ask={ask} isShort />
        </div>
        <div class="five">
          <BeadPlate shown={shown} columns={6} />
          <div class="rest">
            <BigRoad shown={shown} columns={21} />
            <div class="der">{DERIVED.map((road) => <DerivedDrawing key={road} road={road} shown={shown} columns={14} />)}</div>
            <button type="button" class="cover" aria-label={roadWords.larger()} onClick={enlarge} />
          </div>
        </div>
        {larger}
      </section>
    );
  }
  return (
    <section class="panel roads" aria-label={roadWords.roads()}>
      <div class="rhead">
        <h2>{roadWords.roads()}</h2>
        <span class="label">{headline(given)}</span>
        <button type="button" class="iconbtn" aria-label={roadWords.larger()} onClick={enlarge}><Icon name="search" size={20} /></button>
      </div>
      <div class="rbox two"><BeadPlate shown={shown} columns={8} /><Tally counts={shown.counts} /></div>
      <div class="rbox"><BigRoad shown={shown} columns={20} /></div>
      <div class="rbox"><DerivedDrawing road="bigEyeBoy" shown={shown} columns={37} /></div>
      <div class="rbox half"><DerivedDrawing road="smallRoad" shown={shown} columns={18} /><DerivedDrawing road="cockroachPig" shown={shown} columns={18} /></div>
      <div class="ask"><span class="label">{roadWords.ifNext()}</span><AskButtons shown={shown} ask={ask} /></div>
      {larger}
    </section>
  );
}

function headline({ shoe, letters, cardsLeft }: RoadsPanelProps): string {
  const count = letters.length;
  return [
    roadWords.shoe({ shoe }),
    count === 1 ? roadWords.round({ count }) : roadWords.rounds({ count }),
    ...(cardsLeft == null ? [] : [roadWords.cardsLeft({ count: cardsLeft })]),
  ].join(" · ");
}

const NAMES: Readonly<Record<Letter, () => string>> = { B: roadWords.banker, P: roadWords.player, T: roadWords.tie };

function Count({ letter, counts }: { letter: Letter; counts: Counts }) {
  return <><span class="vh">{NAMES[letter]()}</span>{counts.letters[letter]}</>;
}

/** What stands on a bead: its letter, its character, or the total that won where it is known. */
function beadText(letter: Letter, result: RoundResult | null | undefined): string {
  if (mode.value === "letters") return letter;
  if (mode.value === "totals") return result ? String(winningTotal(result)) : "";
  return (language.value === "zh-Hans" ? { B: "庄", P: "闲", T: "和" } : { B: "莊", P: "閒", T: "和" })[letter];
}

/** The plate under a button: each press shows it another way. */
function BeadPlate({ shown, columns }: { shown: Shown; columns: number }) {
  const { letters, results, specials } = shown, last = letters.at(-1) as Letter | undefined;
  const values = { count: roadWords[letters.length === 1 ? "round" : "rounds"]({ count: letters.length }), latest: last ? NAMES[last]() : "" };
  const says = last ? roadWords.beadSays(values) : roadWords.beadEmpty();
  const following = MODES[(MODES.indexOf(mode.value) + 1) % MODES.length]!;
  const cycle = () => {
    mode.value = following;
    keep("beads", following);
  };
  return (
    <div class="plate">
      <svg class="road bead" viewBox={`0 0 ${columns * CELL} ${ROWS * CELL}`} role="img" aria-label={says}>
        <Paper columns={columns} cell={CELL} />
        {beadPlate(letters, columns).map((bead) => (
          <BeadMark
            key={bead.round} bead={bead} text={beadText(bead.letter, results[bead.round])}
            isHan={mode.value === "characters"} extras={extrasOf(results[bead.round], specials)}
          />
        ))}
      </svg>
      <button type="button" class="cover" aria-label={roadWords.beadAs({ mode: roadWords[following]() })} onClick={cycle} />
    </div>
  );
}

function BigRoad({ shown, columns }: { shown: Shown; columns: number }) {
  const { letters, results, specials } = shown;
  return (
    <svg class="road big" viewBox={`0 0 ${columns * CELL} ${ROWS * CELL}`} role="img" aria-label={bigRoadSaid(shown.roads)}>
      <Paper columns={columns} cell={CELL} />
      {latest(shown.roads.bigRoad, columns).map((cell) => (
        <BigMark key={cell.round} cell={cell} extras={extrasOf(results[cell.round], specials)} isAsked={cell.round >= letters.length} />
      ))}
    </svg>
  );
}

function DerivedDrawing({ road, shown, columns }: { road: Derived; shown: Shown; columns: number }) {
  const { marks, cells } = shown.roads.derived[road], name = roadWords[road]();
  // The mark that is asked for is the last, where the next round would give one.
  const isAskedFrom = shown.asked && shown.next[shown.asked][road] ? cells.length - 1 : cells.length;
  const gone = cells.length - latest(cells, columns).length;
  const says = marks
    ? roadWords.derivedSays({ road: name, count: marks.length, latest: marks.endsWith("R") ? roadWords.red() : roadWords.blue() })
    : roadWords.derivedEmpty({ road: name });
  return (
    <svg class="road derived" viewBox={`0 0 ${columns * SMALL_CELL} ${ROWS * SMALL_CELL}`} role="img" aria-label={says}>
      <Paper columns={columns} cell={SMALL_CELL} />
      {latest(cells, columns).map((mark, place) => <DerivedMark key={place + gone} road={road} mark={mark} isAsked={place + gone >= isAskedFrom} />)}
    </svg>
  );
}

/** What each hand would add to the derived roads; pressed, the roads are drawn as if it had won. */
function AskButtons({ shown, ask, isShort }: { shown: Shown; ask: (side: Side) => void; isShort?: boolean }) {
  const { next } = shown;
  return (
    <>
      {(["B", "P"] as const).map((side) => {
        const marks = DERIVED.map((road) => {
          const colour = next[side][road];
          return roadWords.askMark({ road: roadWords[road](), colour: colour === null ? roadWords.noMark() : colour === "R" ? roadWords.red() : roadWords.blue() });
        });
        const says = roadWords.askSays({ letter: side, side: NAMES[side](), marks: marks.join(", ") });
        return (
          <button
            type="button" key={side} class={isShort ? "next" : "btn small"} aria-pressed={shown.asked === side}
            aria-label={isShort ? `${side === "B" ? roadWords.ifNextB() : roadWords.ifP()}. ${says}` : says} onClick={() => ask(side)}
          >
            {isShort ? <span class="label">{side === "B" ? roadWords.ifNextB() : roadWords.ifP()}</span> : <Tag letter={side} />}
            {DERIVED.map((road) => <AskMark key={road} road={road} colour={next[side][road]} size={isShort ? 14 : 17} />)}
          </button>
        );
      })}
    </>
  );
}

function Tally({ counts, isWhole }: { counts: Counts; isWhole?: boolean }) {
  return (
    <dl class="tally">
      {(["B", "P", "T"] as const).map((letter) => (
        <div key={letter}><dt><Tag letter={letter} />{NAMES[letter]()}</dt><dd class="num">{counts.letters[letter]}</dd></div>
      ))}
      <div><dt><i class="pd B" />{roadWords.bankerPair()}</dt><dd class="num">{counts.bankerPairs}</dd></div>
      <div><dt><i class="pd P" />{roadWords.playerPair()}</dt><dd class="num">{counts.playerPairs}</dd></div>
      {counts.specials.map(({ special, count }) => (
        <div key={special.wager}><dt><i class="six" aria-hidden="true">{special.mark}</i>{said(special.name)}</dt><dd class="num">{count}</dd></div>
      ))}
      {isWhole && (["B", "P"] as const).map((letter) => (
        <div key={letter}><dt><Tag letter={letter} />{roadWords.longest()}, {NAMES[letter]()}</dt><dd class="num">{counts.longest[letter]}</dd></div>
      ))}
    </dl>
  );
}

/** All of it, large enough to be read on a phone; wide roads are scrolled to their latest end. */
function Larger({ of, given, shown, ask }: { of: { current: HTMLDialogElement | null }; given: RoadsPanelProps; shown: Shown; ask: (side: Side) => void }) {
  const runs = shown.roads.runs.map((run) => `${NAMES[run.side]()} ${run.rounds.length}`).join(", ");
  const title = `larger-roads-${given.table}`;
  return (
    <dialog ref={of} class="roads larger" aria-labelledby={title}>
      <div class="rhead">
        <h2 id={title}>{roadWords.roads()}</h2><span class="label">{headline(given)}</span>
        <button type="button" class="iconbtn" aria-label={roadWords.close()} onClick={() => of.current?.close()}><Icon name="close" /></button>
      </div>
      <h3>{roadWords.beadPlate()}</h3>
      <div class="rbox two"><BeadPlate shown={shown} columns={12} /><Tally counts={shown.counts} isWhole /></div>
      <h3>{roadWords.bigRoad()}</h3>
      <Wide columns={Math.max(15, columnsOf(shown.roads.bigRoad) + 1)} cell={24} name={roadWords.bigRoad()}>{(columns) => <BigRoad shown={shown} columns={columns} />}</Wide>
      {DERIVED.map((road) => (
        <Fragment key={road}>
          <h3>{roadWords[road]()}</h3>
          <Wide columns={Math.max(24, columnsOf(shown.roads.derived[road].cells) + 1)} cell={14} name={roadWords[road]()}>{(columns) => <DerivedDrawing road={road} shown={shown} columns={columns} />}</Wide>
        </Fragment>
      ))}
      <div class="ask"><span class="label">{roadWords.ifNext()}</span><AskButtons shown={shown} ask={ask} /></div>
      {shown.asked && <p class="label">{roadWords.asked({ side: NAMES[shown.asked]() })}</p>}
      {runs && <p class="label">{roadWords.runs({ runs })}</p>}
      <p class="label">{roadWords.noPrediction()}</p>
    </dialog>
  );
}

/** As wide as its columns, and scrolled where that is too wide. */
function Wide({ columns, cell, name, children }: { columns: number; cell: number; name: string; children: (columns: number) => ComponentChildren }) {
  return (
    <div class="rbox scroll" tabIndex={0} role="group" aria-label={name}>
      <div style={{ width: `${columns * cell}px` }}>{children(columns)}</div>
    </div>
  );
}
