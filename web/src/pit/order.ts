/** Rows in the order that somebody has asked for. Pure. */
export interface Order {
  key: string;
  isFalling: boolean;
}

export type Value = string | number | null;

/** Nothing comes last, whichever way it is sorted; equals keep their place. */
export function ordered<Row>(rows: readonly Row[], value: (row: Row) => Value, isFalling: boolean): Row[] {
  const sign = isFalling ? -1 : 1;
  return [...rows].sort((one, other) => {
    const left = value(one), right = value(other);
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * String(left).localeCompare(String(right));
  });
}

/** A second press turns the order round; numbers begin with the largest. */
export function pressed(now: Order | null, key: string, isNumber: boolean): Order {
  return now?.key === key ? { key, isFalling: !now.isFalling } : { key, isFalling: isNumber };
}
