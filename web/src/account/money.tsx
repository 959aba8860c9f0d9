/** What one has, by kind of money; and more of it for who has nearly none left. */
import { newId, post } from "../api.ts";
import { amount } from "../money.ts";
import { look } from "../session.ts";
import { account } from "../words/account.ts";
import { shell } from "../words/shell.ts";
import { Answer, useAsking } from "./asking.tsx";
import type { Me } from "../types/api.ts";

export function Money({ known }: { known: Me }) {
  const asking = useAsking();
  const more = (unit: string) => void asking.ask(async () => {
    await post("/api/fresh-money", { id: newId(), unit });
    await look();
    return account.moreCame({ unit });
  });
  const units = Object.keys(known.balances), hasOwed = Object.values(known.owed).some((owed) => owed !== 0);
  return (
    <section class="panel box" aria-labelledby="money-title">
      <h2 id="money-title">{shell.playMoney()}</h2>
      <p class="muted">{shell.playMoneyAll()}</p>
      <div class="scrolls" tabIndex={0} role="group" aria-labelledby="money-title">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{account.unit()}</th><th scope="col" class="n">{shell.balance()}</th><th scope="col" class="n">{account.held()}</th>
              {hasOwed && <th scope="col" class="n">{account.owed()}</th>}<th><span class="vh">{account.more()}</span></th>
            </tr>
          </thead>
          <tbody>
            {units.map((unit) => (
              <tr key={unit}>
                <th scope="row">{unit}</th><td class="n num strong">{amount(known.balances[unit] ?? 0, unit)}</td><td class="n num">{amount(known.held[unit] ?? 0, unit)}</td>
                {hasOwed && <td class="n num">{amount(Math.abs(known.owed[unit] ?? 0), unit)}</td>}
                <td class="n"><button type="button" class="btn small quiet" aria-label={`${account.more()} ${unit}`} aria-disabled={asking.isBusy} onClick={() => more(unit)}>{account.more()}</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="muted small">{account.moreSays()}</p>
      <Answer of={asking} />
    </section>
  );
}
