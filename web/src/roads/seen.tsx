/** What a shoe has shown beside what is exactly to be expected: roads do not predict, and here it can be seen. */
import "../styles/roads.css";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import type { OddsSaid, RuleCard } from "../types/api.ts";
import { roadWords } from "../words/roads.ts";
import { Tag } from "./drawn.tsx";
import type { Letter } from "./roads.ts";
import { exactShares, isUsuallyDealt, wilson } from "./shoe.ts";

const NAMES: Readonly<Record<Letter, () => string>> = { B: roadWords.banker, P: roadWords.player, T: roadWords.tie };
const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)}%`;

/** Exact shares of a full shoe of so many decks; they never change, so that each is asked for once. */
const asked = new Map<string, Promise<OddsSaid>>();

function useExact(rules: RuleCard | null, decks: number): Readonly<Record<Letter, number>> | null {
  const [exact, setExact] = useState<Readonly<Record<Letter, number>> | null>(null);
  useEffect(() => {
    setExact(null);
    if (!rules || !decks || !isUsuallyDealt(rules)) return;
    let isGone = false;
    const path = `/api/odds/${encodeURIComponent(rules.game)}?decks=${decks}`;
    const odds = asked.get(path) ?? get<OddsSaid>(path);
    asked.set(path, odds);
    odds.then((found) => isGone || setExact(exactShares(found, rules)), () => asked.delete(path));
    return () => {
      isGone = true;
    };
  }, [rules?.digest, decks]);
  return exact;
}

export function SeenAndExpected({ letters, rules, decks }: { letters: string; rules: RuleCard | null; decks: number }) {
  const exact = useExact(rules, decks), rounds = letters.length;
  const rows = (["B", "P", "T"] as const).map((letter) => {
    const seen = [...letters].filter((each) => each === letter).length;
    const [low, high] = wilson(seen, rounds);
    return { letter, share: rounds ? seen / rounds : null, low, high, exact: exact?.[letter] ?? null };
  });
  // One scale for the three, so that they can be compared.
  const most = Math.max(0.7, ...(rounds ? rows.map((row) => row.high) : []));
  const at = (share: number) => `${(share / most) * 100}%`;
  return (
    <section class="panel seen" aria-label={roadWords.seenAndExpected()}>
      <div class="rhead"><h2>{roadWords.seenAndExpected()}</h2><span class="label">{roadWords.band()}</span></div>
      <table>
        <thead class="vh"><tr><th scope="col">{roadWords.result()}</th><th scope="col">{roadWords.seen()}</th><th scope="col">{roadWords.exact()}</th><th scope="col">{roadWords.band()}</th></tr></thead>
        <tbody>
          {rows.map(({ letter, share, low, high, exact: expected }) => (
            <tr key={letter}>
              <th scope="row"><Tag letter={letter} /><span class="vh">{NAMES[letter]()}</span></th>
              <td class="num">{share === null ? "–" : percent(share, 1)}</td>
              <td class="num">{expected === null ? "–" : percent(expected, 2)}</td>
              <td class="bandcell">
                {share !== null && (
                  <>
                    <span class="band" style={{ left: at(low), width: at(high - low) }} />
                    {expected !== null && <span class="exact" style={{ left: at(expected) }} />}
                    <span class={`obs ${letter}`} style={{ left: at(share) }} />
                    <span class="vh">
                      {roadWords.bandFromTo({ low: percent(low, 1), high: percent(high, 1) })}
                      {expected !== null && `; ${low <= expected && expected <= high ? roadWords.inBand() : roadWords.outOfBand()}`}
                    </span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="label">{roadWords.noPrediction()}</p>
    </section>
  );
}
