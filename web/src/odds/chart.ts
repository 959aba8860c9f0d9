/** A chart of money over rounds: its scale, its lines and its bands, in the pixels that it has. */

export interface Frame { width: number; height: number; left: number; right: number; top: number; bottom: number }

/** Whole steps of 1, 2 or 5 that cover the values, and no more of them than fit. */
export function ticks(low: number, high: number, most: number): number[] {
  if (high === low) return ticks(low, low + 1, 1);
  const span = high - low;
  const rough = span / Math.max(1, most), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough - 1e-9) ?? 10 * power;
  const found: number[] = [];
  for (let place = Math.floor(low / step); place <= Math.ceil(high / step); place++) found.push(place * step === 0 ? 0 : place * step);
  return found;
}

export interface Scale { x: (round: number) => number; y: (money: number) => number; money: number[]; rounds: number[] }

export function scaleOf(frame: Frame, rounds: number, low: number, high: number): Scale {
  const { width, height, left, right, top, bottom } = frame;
  const money = ticks(Math.min(0, low), Math.max(0, high), Math.max(2, Math.floor((height - top - bottom) / 44)));
  const least = money[0] as number, most = money.at(-1) as number;
  return {
    x: (round) => left + (round / Math.max(1, rounds)) * (width - left - right),
    y: (value) => top + ((most - value) / (most - least || 1)) * (height - top - bottom),
    money,
    rounds: ticks(0, rounds, Math.max(2, Math.floor((width - left - right) / 90))).filter((each) => each >= 0 && each <= rounds),
  };
}

const point = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Every session begins with nothing won and nothing lost. */
export function line(scale: Scale, rounds: readonly number[], values: readonly number[]): string {
  return `M${[point(scale.x(0), scale.y(0)), ...rounds.map((round, place) => point(scale.x(round), scale.y(values[place] ?? 0)))].join("L")}`;
}

export function band(scale: Scale, rounds: readonly number[], low: readonly number[], high: readonly number[]): string {
  const back = rounds.map((round, place) => point(scale.x(round), scale.y(low[place] ?? 0))).reverse();
  return `${line(scale, rounds, high)}L${back.join("L")}Z`;
}
