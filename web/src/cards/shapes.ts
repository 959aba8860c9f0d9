/** The nine suits as outlines in a square of 100: no two share one. */
import type { SuitName } from "./packs.ts";

export interface Shape {
  path: string;
  /** Drawn as lines rather than filled. */
  isLine?: boolean;
}

export const SHAPES: Readonly<Record<SuitName, Shape>> = {
  clubs: { path: "M50 4C63 4 72 13 72 25C72 32 69 38 64 42C67 40 71 39 75 39C88 39 97 48 97 60C97 72 88 81 75 81C66 81 59 77 55 70C56 82 60 91 68 96H32C40 91 44 82 45 70C41 77 34 81 25 81C12 81 3 72 3 60C3 48 12 39 25 39C29 39 33 40 36 42C31 38 28 32 28 25C28 13 37 4 50 4Z" },
  diamonds: { path: "M50 2Q68 30 88 50Q68 70 50 98Q32 70 12 50Q32 30 50 2Z" },
  hearts: { path: "M50 96C38 74 5 57 5 30C5 15 15 6 27 6C37 6 46 12 50 24C54 12 63 6 73 6C85 6 95 15 95 30C95 57 62 74 50 96Z" },
  spades: { path: "M50 3C60 24 94 40 94 64C94 79 84 86 74 86C66 86 59 82 55 75C56 85 60 92 68 97H32C40 92 44 85 45 75C41 82 34 86 26 86C16 86 6 79 6 64C6 40 40 24 50 3Z" },
  fire: { path: "M54 2C57 21 86 36 86 65C86 85 70 98 50 98C30 98 14 85 14 65C14 50 22 41 29 31C31 41 35 46 41 47C39 29 43 13 54 2ZM51 89C62 89 69 82 69 73C69 63 59 58 55 46C49 56 34 61 34 74C34 83 41 89 51 89Z" },
  gold: { path: "M50 3A47 47 0 1 1 50 97A47 47 0 1 1 50 3ZM50 13A37 37 0 1 0 50 87A37 37 0 1 0 50 13ZM50 20A30 30 0 1 1 50 80A30 30 0 1 1 50 20ZM38 38V62H62V38Z" },
  earth: { path: "M35.5 18.5Q40 10.5 44.8 18.5L57 39L62.5 30Q67 23.5 71.5 30L90.5 65H9.3ZM6.5 73H94.5L98.5 84Q100 90 94 90H6Q0 90 2 84Z" },
  wood: { path: "M45 97V70C16 69 4 49 3 20C29 21 44 34 48.5 54C53 31 69 13 97 8C97 40 84 59 55 62V97Q55 99 53 99H47Q45 99 45 97Z" },
  water: { path: "M8 27Q22 9 36 23T64 23T92 17M8 56Q22 38 36 52T64 52T92 46M8 85Q22 67 36 81T64 81T92 75", isLine: true },
};

/** Where the pips of a number stand, as on every pack: columns left, middle, right; those in the lower half stand on their heads. */
const LEFT = 82, MIDDLE = 125, RIGHT = 168;
const TOP = 62, BOTTOM = 288, CENTRE = 175;
const at = (part: number): number => TOP + (BOTTOM - TOP) * part;
const pair = (y: number): [number, number][] => [[LEFT, y], [RIGHT, y]];
const corners = [...pair(TOP), ...pair(BOTTOM)];
const middles = pair(CENTRE);
const thirds = [...pair(at(1 / 3)), ...pair(at(2 / 3))];

export const PIPS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  2: [[MIDDLE, TOP], [MIDDLE, BOTTOM]],
  3: [[MIDDLE, TOP], [MIDDLE, CENTRE], [MIDDLE, BOTTOM]],
  4: corners,
  5: [...corners, [MIDDLE, CENTRE]],
  6: [...corners, ...middles],
  7: [...corners, ...middles, [MIDDLE, at(1 / 4)]],
  8: [...corners, ...middles, [MIDDLE, at(1 / 4)], [MIDDLE, at(3 / 4)]],
  9: [...corners, ...thirds, [MIDDLE, CENTRE]],
  T: [...corners, ...thirds, [MIDDLE, at(1 / 6)], [MIDDLE, at(5 / 6)]],
};
export const isUpright = (y: number): boolean => y <= CENTRE;
