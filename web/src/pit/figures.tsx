/** Tables of figures: sortable, with numbers under each other; on a phone every row is a card with its names. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { pit } from "../words/pit.ts";
import { type Order, ordered, pressed, type Value } from "./order.ts";

export interface Column<Row> {
  key: string;
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** What it is sorted by; where there is none it is not. */
  value?: (row: Row) => Value;
  isNumber?: boolean;
  /** What the row is about: the title of its card. */
  isHead?: boolean;
  /** Takes the whole width of a card, without its name. */
  isWide?: boolean;
}

interface FiguresProperties<Row> {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  first?: Order;
  classOf?: (row: Row) => string;
}

export function Figures<Row>({ caption, rows, columns, keyOf, first, classOf }: FiguresProperties<Row>) {
  const [order, setOrder] = useState<Order | null>(first ?? null);
  const by = columns.find((column) => column.key === order?.key)?.value;
  const shown = order && by ? ordered(rows, by, order.isFalling) : rows;
  const sortable = columns.filter((column) => column.value);
  return (
    <>
      {sortable.length > 0 && rows.length > 2 && (
        <label class="sortby narrow">
          <span class="label">{pit.sortBy()}</span>
          <select value={order?.key ?? ""} onChange={(event) => {
            const column = sortable.find(({ key }) => key === event.currentTarget.value);
            setOrder(column ? { key: column.key, isFalling: column.isNumber ?? false } : null);
          }}>
            <option value="">{pit.asItComes()}</option>
            {sortable.map(({ key, name }) => <option key={key} value={key}>{name}</option>)}
          </select>
        </label>
      )}
      {/* The roles hold when a phone shows rows as cards. */}
      <table class="figures" role="table">
        <caption class="vh">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, name, value, isNumber }) => {
              const isBy = order?.key === key;
              return (
                <th key={key} scope="col" role="columnheader" class={isNumber ? "n" : ""} aria-sort={isBy ? (order.isFalling ? "descending" : "ascending") : undefined}>
                  {value && rows.length > 1 ? (
                    <button type="button" onClick={() => setOrder(pressed(order, key, isNumber ?? false))}>
                      {name}<span class={`sorted ${isBy ? (order.isFalling ? "falling" : "rising") : ""}`} aria-hidden="true"><Icon name="down" size={14} /></span>
                    </button>
                  ) : <span class="plain">{name}</span>}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.map((row) => (
            <tr key={keyOf(row)} role="row" class={classOf?.(row)}>
              {columns.map(({ key, name, cell, isNumber, isHead, isWide }) =>
                isHead ? <th key={key} scope="row" role="rowheader">{cell(row)}</th>
                  : <td key={key} role="cell" class={`${isNumber ? "n num" : ""} ${isWide ? "w" : ""}`} data-name={name}><span class="v">{cell(row)}</span></td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Nothing is there yet, and what would bring it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return <div class="nothing"><p class="serif">{title}</p>{children && <p class="muted">{children}</p>}</div>;
}
