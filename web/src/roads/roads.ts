/** The five roads as pure functions of the results of one shoe, oldest first: a letter a round, B, P or T.
 *
 * The derived roads read the logical columns of the big road: one for each run of the same winner, as tall as the run
 * is long, ties left out. Only the drawing bends a column, so that no mark depends on how a road is drawn. */

export type Letter = "B" | "P" | "T";
export type Side = "B" | "P";
/** R is red, B is blue: not the hands. */
export type Colour = "R" | "B";

export interface Drawing {
  /** Whether ties before the first winner wait for its cell, or have a cell of their own. */
  leadingTie?: "attach" | "own-column";
  /** Whether a tail stays in its row, or goes down again when it can. */
  tail?: "hold" | "drop";
  rows?: number;
}

export const ROWS = 6;

export interface Square {
  column: number;
  row: number;
}

/** A square of the bead plate; `round` counts the results from 0. */
export interface Bead extends Square {
  letter: Letter;
  round: number;
}

/** A square of the big road; `T` only for leading ties in a column of their own. */
export interface BigCell extends Square {
  side: Letter;
  ties: number;
  /** The result that it stands for, counted from 0. */
  round: number;
}

export interface Run {
  side: Side;
  /** By its cells, from the top: the ties that followed each, and the result that it stands for. */
  ties: number[];
  rounds: number[];
}

export interface Mark extends Square {
  colour: Colour;
}

export interface DerivedRoad {
  marks: string;
  cells: readonly Mark[];
}

export const DERIVED = ["bigEyeBoy", "smallRoad", "cockroachPig"] as const;
export type Derived = (typeof DERIVED)[number];
/** The mark that the next round would add to each derived road; null where it would add none. */
export type Asked = Readonly<Record<Derived, Colour | null>>;

export interface Roads {
  runs: readonly Run[];
  /** Ties of a shoe that has no winner yet. */
  waitingTies: number;
  bigRoad: readonly BigCell[];
  derived: Readonly<Record<Derived, DerivedRoad>>;
  ask: Readonly<Record<Side, Asked>>;
}

export function roads(results: string, drawing: Drawing = {}): Roads {
  const { runs, leadingTies } = runsOf(results, drawing);
  const heights = runs.map((run) => run.rounds.length), latest = runs.at(-1)?.side;
  const derived = DERIVED.map((name, place) => [name, derivedRoad(heights, place + 1, drawing)] as const);
  return {
    runs,
    waitingTies: runs.length || drawing.leadingTie === "own-column" ? 0 : leadingTies,
    bigRoad: drawn(runs, leadingTies, drawing),
    derived: Object.fromEntries(derived) as Record<Derived, DerivedRoad>,
    ask: { B: ask(heights, latest === "B"), P: ask(heights, latest === "P") },
  };
}

/** Every round, ties too, down each column in turn; from a full plate the oldest whole column goes. */
export function beadPlate(results: string, columns = Infinity, rows = ROWS): Bead[] {
  const gone = Math.max(0, Math.ceil(results.length / rows) - columns) * rows;
  return [...results].slice(gone).map((letter, place) => ({
    column: Math.floor(place / rows), row: place % rows, letter: letter as Letter, round: gone + place,
  }));
}

export function bigRoad(results: string, drawing: Drawing = {}): BigCell[] {
  const { runs, leadingTies } = runsOf(results, drawing);
  return drawn(runs, leadingTies, drawing);
}

/** A derived road: step 1 is the Big Eye Boy, 2 the Small Road, 3 the Cockroach Pig. */
export function derivedRoad(heights: readonly number[], step: number, drawing: Drawing = {}): DerivedRoad {
  const marks = derivedMarks(heights, step), lengths: number[] = [];
  marks.forEach((colour, place) => {
    if (place > 0 && marks[place - 1] === colour) lengths[lengths.length - 1]! += 1;
    else lengths.push(1);
  });
  const cells = squares(lengths, drawing).map((square, place) => ({ ...square, colour: marks[place]! }));
  return { marks: marks.join(""), cells };
}

/** The marks of the next winner, who either repeats the latest one or starts a new column. */
export function ask(heights: readonly number[], repeats: boolean): Asked {
  const columns = heights.length;
  const colours = DERIVED.map((name, place): [Derived, Colour | null] => {
    const step = place + 1;
    if (columns - 1 - step < 0) return [name, null];
    return [name, repeats ? colourOfNextCell(heights, columns - 1, heights[columns - 1]!, step) : colourOfNewColumn(heights, columns, step)];
  });
  return Object.fromEntries(colours) as Record<Derived, Colour | null>;
}

function derivedMarks(heights: readonly number[], step: number): Colour[] {
  const marks: Colour[] = [];
  heights.forEach((height, column) => {
    if (column - 1 - step >= 0) marks.push(colourOfNewColumn(heights, column, step));
    if (column - step < 0) return;
    for (let row = 1; row < height; row++) marks.push(colourOfNextCell(heights, column, row, step));
  });
  return marks;
}

function colourOfNewColumn(heights: readonly number[], column: number, step: number): Colour {
  return heights[column - 1] === heights[column - 1 - step] ? "R" : "B";
}

function colourOfNextCell(heights: readonly number[], column: number, row: number, step: number): Colour {
  // The cell beside this one and the cell above that are both filled or both empty, unless the older column ends
  // between the two.
  return heights[column - step] === row ? "B" : "R";
}

function runsOf(results: string, { leadingTie = "attach" }: Drawing): { runs: Run[]; leadingTies: number } {
  const runs: Run[] = [];
  let leadingTies = 0;
  [...results].forEach((letter, round) => {
    const latest = runs.at(-1);
    if (letter === "T") {
      if (latest) latest.ties[latest.ties.length - 1]! += 1;
      else leadingTies += 1;
    } else if (latest?.side === letter) {
      latest.ties.push(0);
      latest.rounds.push(round);
    } else runs.push({ side: letter as Side, ties: [0], rounds: [round] });
  });
  if (runs[0] && leadingTie === "attach") runs[0].ties[0]! += leadingTies;
  return { runs, leadingTies };
}

function drawn(runs: readonly Run[], leadingTies: number, drawing: Drawing): BigCell[] {
  const hasOwnColumn = drawing.leadingTie === "own-column" && leadingTies > 0;
  const places = squares(runs.map((run) => run.rounds.length), drawing, hasOwnColumn ? 1 : 0);
  const counted = runs.flatMap(({ side, ties, rounds }) => rounds.map((round, row) => ({ side, ties: ties[row]!, round })));
  const cells = places.map((square, place): BigCell => ({ ...square, ...counted[place]! }));
  return hasOwnColumn ? [{ column: 0, row: 0, side: "T", ties: leadingTies, round: leadingTies - 1 }, ...cells] : cells;
}

/** Where runs are drawn: down from row 0, and to the right where the way down is shut. */
function squares(lengths: readonly number[], { tail = "hold", rows = ROWS }: Drawing, firstColumn = 0): Square[] {
  const taken = new Set<number>(), found: Square[] = [];
  const key = (column: number, row: number) => column * rows + row;
  let start = firstColumn;
  for (const length of lengths) {
    // A tail may lie along row 0 itself; the next run then starts beyond it.
    while (taken.has(key(start, 0))) start += 1;
    let column = start, row = 0, hasTurned = false;
    for (let cell = 0; cell < length; cell++) {
      if (cell > 0) {
        const isFree = row + 1 < rows && !taken.has(key(column, row + 1));
        if (isFree && (tail === "drop" || !hasTurned)) row += 1;
        else {
          // This square is always free: an older run that reached it would have come through this column at this row
          // or above, and so would have stopped this run higher up.
          hasTurned = true;
          column += 1;
        }
      }
      taken.add(key(column, row));
      found.push({ column, row });
    }
  }
  return found;
}

/** How many columns a drawing has. */
export function columnsOf(cells: readonly Square[]): number {
  return cells.reduce((most, cell) => Math.max(most, cell.column + 1), 0);
}

/** The latest part of a drawing, where there is room for so many columns; one column stays free for what comes. */
export function latest<Cell extends Square>(cells: readonly Cell[], columns: number): Cell[] {
  const last = cells.at(-1);
  // The latest run starts in the last column with a top, but its tail, or an older one, may reach beyond.
  const gone = last ? Math.max(0, columnsOf(cells) + 1 - columns) : 0;
  return cells.filter((cell) => cell.column >= gone).map((cell) => ({ ...cell, column: cell.column - gone }));
}
