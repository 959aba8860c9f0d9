/** Who draws, as tables: one for the Player, one for the Banker. Used by rule cards and by the trainer. */
import "../styles/tableau.css";
import { cellInFigures, digits } from "../learn/tableau.ts";
import type { TableauTold } from "../types/api.ts";
import { rules } from "../words/rules.ts";
import { said } from "../words/said.ts";

const TOTALS = Array.from({ length: 10 }, (_, total) => total);

/** Totals in a row that are treated alike: `0–5`. */
export function spans(totals: readonly number[], same: (total: number) => string): { first: number; last: number; kind: string }[] {
  const found: { first: number; last: number; kind: string }[] = [];
  for (const total of totals) {
    const kind = same(total), before = found.at(-1);
    if (before?.kind === kind && before.last === total - 1) before.last = total;
    else found.push({ first: total, last: total, kind });
  }
  return found;
}

export function PlayerTable({ tableau }: { tableau: TableauTold }) {
  const naturals = digits(tableau.naturals), draws = digits(tableau.player_draws);
  const words = { natural: rules.natural, draws: rules.draws, stands: rules.stands };
  const clauses = { natural: tableau.clauses.natural, draws: tableau.clauses.player_draws, stands: tableau.clauses.player_draws };
  const rows = spans(TOTALS, (total) => (naturals.has(total) ? "natural" : draws.has(total) ? "draws" : "stands"));
  return (
    <table class="tab-player">
      <caption class="vh">{rules.playerCaption()}</caption>
      <thead><tr><th scope="col">{rules.total()}</th><th scope="col"><span class="tag P">P</span> {rules.playerDoes()}</th><th scope="col">{rules.clause()}</th></tr></thead>
      <tbody>
        {rows.map(({ first, last, kind }) => (
          <tr key={first}>
            <th scope="row" class="num">{cellInFigures(first === last ? String(first) : `${first}-${last}`)}</th>
            <td>{words[kind as keyof typeof words]()}</td>
            <td><span class="clause">{said(clauses[kind as keyof typeof clauses])}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The cell that an explanation is about: the Banker's total, and the third card's points or null where the Player stood. */
export interface Cell {
  banker: number;
  third: number | null;
}

function Draws({ draws, isIt }: { draws: boolean; isIt: boolean }) {
  return (
    <td class={`${draws ? "draw" : "stand"} ${isIt ? "it" : ""}`}>
      <span aria-hidden="true">{draws ? rules.d() : rules.s()}</span><span class="vh">{draws ? rules.draws() : rules.stands()}</span>
    </td>
  );
}

export function BankerTable({ tableau, cell }: { tableau: TableauTold; cell?: Cell | null }) {
  const alone = digits(tableau.banker_draws_when_player_stands);
  return (
    <div class="tab-banker">
      <table>
        <caption class="vh">{rules.bankerCaption()}</caption>
        <thead>
          <tr><th scope="col" rowspan={2}><span class="tag B">B</span><span class="vh">{rules.bankerTotal()}</span></th><th scope="colgroup" colspan={10}>{rules.third()}</th><th scope="col" rowspan={2}>{rules.stood()}</th></tr>
          <tr>{TOTALS.map((third) => <th scope="col" class="num" key={third}>{third}</th>)}</tr>
        </thead>
        <tbody>
          {Object.entries(tableau.banker_draws).map(([total, on]) => {
            const draws = digits(on), isRow = cell?.banker === Number(total);
            return (
              <tr key={total} class={isRow ? "row-it" : ""}>
                <th scope="row" class="num">{total}</th>
                {TOTALS.map((third) => <Draws draws={draws.has(third)} isIt={isRow && cell?.third === third} key={third} />)}
                <Draws draws={alone.has(Number(total))} isIt={isRow && cell?.third === null} />
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="label">{rules.key()} <span class="clause">{said(tableau.clauses.banker_draws)}</span> <span class="clause">{said(tableau.clauses.player_stood)}</span></p>
    </div>
  );
}
