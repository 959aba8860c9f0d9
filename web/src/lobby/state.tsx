/** A table's light, its countdown and the bar that runs down: by the server's clock, and alone in following it. */
import { serverNow, tick } from "../clock.ts";
import { lobby } from "../words/lobby.ts";
import { shareLeft, stateOf } from "./floor.ts";
import type { TableListed } from "../types/api.ts";

export function When({ table }: { table: TableListed }) {
  void tick.value;
  const { light, word, seconds, detail } = stateOf(table, serverNow());
  return (
    <div class="when">
      <span class={`light ${light}`}>{lobby[word]()}</span>
      {seconds !== null && <b class="num">{lobby.seconds({ seconds })}</b>}
      {seconds === null && detail !== null && <span class="label">{lobby[detail]()}</span>}
    </div>
  );
}

export function Bar({ table, opensFor }: { table: TableListed; opensFor: number | undefined }) {
  void tick.value;
  const now = serverNow(), { light } = stateOf(table, now);
  const share = table.phase === "betting" && table.paused === null ? shareLeft(table.closes_at, now, opensFor) : 0;
  return <span class={`bar ${light}`} style={{ "--w": `${(share * 100).toFixed(1)}%` }} aria-hidden="true" />;
}
