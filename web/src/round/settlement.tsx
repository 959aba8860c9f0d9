/** What became of one's own stakes in a round, wager by wager, with the line that decided and its clause. */
import { amount, signed } from "../money.ts";
import type { RoundSaid, RuleCard, WagerSaid } from "../types/api.ts";
import { roundWords } from "../words/round.ts";
import { said } from "../words/said.ts";

function Lines({ wager, round }: { wager: WagerSaid; round: RoundSaid }) {
  if (round.void) return <p>{roundWords.returned({ amount: amount(wager.stake, round.unit) })} <span class="clause">{said(round.void.clause)}</span></p>;
  if (!wager.pays.length) return <p>{roundWords.lost()}</p>;
  return (
    <>
      {wager.pays.map((line) => (
        <p key={line.line}>
          {said(line.line)}{wager.net === 0 && `, ${roundWords.returned({ amount: amount(wager.stake, round.unit) })}`}{" "}
          <span class="clause">{said(line.clause)}</span>
          {wager.pays.length > 1 && <span class="num"> {signed(line.amount, round.unit)}</span>}
          {line.rounded_from && <> {roundWords.rounded({ from: line.rounded_from, clause: line.rounded_by ?? "" })}</>}
        </p>
      ))}
    </>
  );
}

export function Settlement({ round, rules }: { round: RoundSaid; rules: RuleCard | null }) {
  const wagers = Object.entries(round.wagers);
  const staked = wagers.reduce((sum, [, wager]) => sum + wager.stake, 0), net = wagers.reduce((sum, [, wager]) => sum + wager.net, 0);
  return (
    <section class="panel settlement" aria-labelledby="own-wagers">
      <div class="rhead"><h2 id="own-wagers">{roundWords.yourWagers()}</h2><span class="label">{round.unit}</span></div>
      {wagers.length === 0 ? <p class="muted">{roundWords.noWagers()}</p> : (
        <table>
          <thead><tr><th scope="col">{roundWords.wagerAndLine()}</th><th scope="col" class="right">{roundWords.stake()}</th><th scope="col" class="right">{roundWords.net()}</th></tr></thead>
          <tbody>
            {wagers.map(([id, wager]) => (
              <tr key={id}>
                <th scope="row"><b>{said(rules?.wagers[id]?.name ?? id)}</b><Lines wager={wager} round={round} /></th>
                <td class="num right">{amount(wager.stake, round.unit)}</td>
                <td class={`num right ${wager.net > 0 ? "up" : ""}`}><b>{signed(wager.net, round.unit)}</b></td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr><th scope="row">{roundWords.total()}</th><td class="num right">{amount(staked, round.unit)}</td><td class={`num right ${net > 0 ? "up" : ""}`}><b>{signed(net, round.unit)}</b></td></tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}
