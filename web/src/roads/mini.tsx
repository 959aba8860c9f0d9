/** The big road of a table in small: the lobby shows one on each card. */
import "../styles/roads.css";
import { roadWords } from "../words/roads.ts";
import { BigMark, CELL, NO_EXTRAS, Paper } from "./drawn.tsx";
import { bigRoad, latest, roads, ROWS, type Roads } from "./roads.ts";

/** A big road in words: how many runs, and the latest. */
export function bigRoadSaid({ runs }: Pick<Roads, "runs">): string {
  const last = runs.at(-1);
  if (!last) return roadWords.bigRoadEmpty();
  const values = { runs: runs.length, side: last.side === "B" ? roadWords.banker() : roadWords.player(), depth: last.rounds.length };
  return runs.length === 1 ? roadWords.bigRoadOne(values) : roadWords.bigRoadSays(values);
}

export function MiniBigRoad({ results, columns = 34 }: { results: string; columns?: number }) {
  return (
    <svg class="road big" viewBox={`0 0 ${columns * CELL} ${ROWS * CELL}`} role="img" aria-label={bigRoadSaid(roads(results))}>
      <Paper columns={columns} cell={CELL} />
      {latest(bigRoad(results), columns).map((cell) => <BigMark key={cell.round} cell={cell} extras={NO_EXTRAS} />)}
    </svg>
  );
}
