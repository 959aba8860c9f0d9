/** The felt as the declaration lays it: which spot lies where, and which is next to it. Pure. */

export interface Place {
  wager: string;
  /** From 1, as a grid counts its lines. */
  column: number;
  row: number;
  columns: number;
  rows: number;
}

export interface Layout {
  columns: number;
  rows: number;
  places: readonly Place[];
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
const multiple = (one: number, other: number): number => (one * other) / divisor(one, other);

/** An empty place belongs to the spot above it; rows of different lengths share one width. */
export function laid(rows: readonly (readonly (string | null)[])[]): Layout {
  const filled = rows.filter((row) => row.length > 0);
  const columns = filled.reduce((sum, row) => multiple(sum, row.length), 1);
  const places: Place[] = [];
  filled.forEach((cells, number) => {
    const width = columns / cells.length, row = number + 1;
    cells.forEach((wager, at) => {
      const column = at * width + 1;
      if (wager !== null) {
        places.push({ wager, column, row, columns: width, rows: 1 });
        return;
      }
      const above = places.find((place) =>
        place.column === column && place.columns === width && place.row + place.rows === row);
      if (above) above.rows += 1;
    });
  });
  return { columns, rows: filled.length, places };
}

const middle = (place: Place) => [place.column + place.columns / 2, place.row + place.rows / 2] as const;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;
export type Direction = keyof typeof DIRECTIONS;

export function isDirection(key: string): key is Direction {
  return key in DIRECTIONS;
}

/** The spot next to one in a direction; itself at the edge. What lies straight ahead comes first. */
export function nextTo(layout: Layout, wager: string, direction: Direction): string {
  const from = layout.places.find((place) => place.wager === wager);
  if (!from) return layout.places[0]?.wager ?? wager;
  const [across, down] = DIRECTIONS[direction], [x, y] = middle(from);
  let best = wager, least = Infinity;
  for (const place of layout.places) {
    if (place === from) continue;
    const begins = across > 0 ? place.column >= from.column + from.columns
      : across < 0 ? place.column + place.columns <= from.column
      : down > 0 ? place.row >= from.row + from.rows : place.row + place.rows <= from.row;
    if (!begins) continue;
    const [otherX, otherY] = middle(place);
    const ahead = Math.abs(across ? otherX - x : otherY - y), aside = Math.abs(across ? otherY - y : otherX - x);
    const distance = ahead + 4 * aside;
    if (distance < least) [best, least] = [place.wager, distance];
  }
  return best;
}
