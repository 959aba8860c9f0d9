/** Every wager with its edge against the full shoe; the chosen one line by line. */
import { amount } from "../money.ts";
import type { LineOddsSaid, OddsSaid, PackTold, RuleCard, WagerOddsSaid } from "../types/api.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import { bar, difference, fixed, oneIn, percent, scaleOf, signedFixed } from "./figures.ts";
import type { Lab } from "./lab.ts";
import { OWN_ID, PUSH } from "./own.ts";
import { lineText } from "./own_text.ts";

/** P, B and T have their disc; a wager that belongs to a hand has that hand's dot. */
export function Mark({ id }: { id: string }) {
  const letter = ({ player: "P", banker: "B", tie: "T" } as Record<string, string>)[id];
  if (letter) return <span class={`tag ${letter}`} aria-hidden="true">{letter}</span>;
  const hand = id.startsWith("player-") ? "P" : id.startsWith("banker-") ? "B" : "";
  return <i class={`pd ${hand}`} aria-hidden="true" />;
}

export function paysText(pays: string): string {
  if (pays === PUSH) return odds.push();
  const [numerator, denominator] = pays.split(":").map((part) => Number(part).toLocaleString("en"));
  return odds.paysTo({ numerator: numerator ?? "", denominator: denominator ?? "" });
}

export function wagerName(id: string, card: RuleCard | null, lab: Lab): string {
  return id === OWN_ID && lab.own.value ? lab.own.value.name : said(card?.wagers[id]?.name ?? id);
}

function LineRow({ label, clause, pays, chance, exact }: { label: string; clause: string | null; pays: string; chance: number; exact: string | null }) {
  const tries = oneIn(chance), rarely = tries ? odds.oneIn({ tries }) : odds.never();
  return (
    <tr class="sub">
      <th scope="row" colSpan={2}>
        {label} {clause && <span class="clause">{said(clause)}</span>}
        <span class="narrow under num">{percent(chance)} · {rarely}</span>
        {exact && <code class="fraction">{exact}</code>}
      </th>
      <td class="num">{pays}</td>
      <td class="num wide">{percent(chance)}</td>
      <td class="num wide">{rarely}</td>
    </tr>
  );
}

function Lines({ id, wager, said: all, lab, pack }: { id: string; wager: WagerOddsSaid; said: OddsSaid; lab: Lab; pack: PackTold }) {
  const isExact = lab.isExact.value;
  const own = id === OWN_ID ? lab.own.value : null;
  const label = (line: LineOddsSaid, place: number) => {
    const mine = own?.lines[place];
    return mine ? lineText(mine, pack) : said(line.line);
  };
  return (
    <>
      {wager.lines.map((line, place) => (
        <LineRow
          key={line.line} label={label(line, place)} clause={own ? null : line.clause} chance={line.probability_float}
          pays={line.on_top ? `${paysText(line.pays)} ${odds.onTop()}` : paysText(line.pays)} exact={isExact ? line.probability : null}
        />
      ))}
      {all.bonuses.filter((bonus) => bonus.wager === id).map((bonus) => (
        <LineRow
          key={bonus.line} label={said(bonus.line)} clause={bonus.clause} chance={bonus.probability_float}
          pays={`+${amount(bonus.amount, "CHIPS")}`} exact={isExact ? bonus.probability : null}
        />
      ))}
      <tr class={`sub foot ${isExact || wager.break_even_stake_float ? "" : "narrow"}`}>
        <th scope="row" colSpan={5}>
          <span class="narrow under num">{odds.hits()} {percent(wager.hit)} · {odds.deviation()} {fixed(wager.std, 2)}</span>
          {wager.break_even_stake_float ? <span class="under">{odds.breakEven({ stake: amount(Math.round(wager.break_even_stake_float), "CHIPS") })}</span> : null}
          {isExact && <span class="under">{odds.expected()}: <code class="fraction">{wager.ev}</code></span>}
        </th>
      </tr>
    </>
  );
}

function Row({ id, lab, wager, full, scale }: { id: string; lab: Lab; wager: WagerOddsSaid; full: WagerOddsSaid | undefined; scale: number }) {
  const change = difference(wager, full), isChosen = lab.wager.value === id;
  const edge = percent(wager.house_edge), name = wagerName(id, lab.card.value, lab);
  const choose = () => (lab.wager.value = isChosen ? null : id);
  return (
    <tr class={isChosen ? "sel" : ""} data-wager={id} onClick={choose}>
      <th scope="row">
        <button type="button" class="pick" aria-expanded={isChosen} onClick={(event) => (event.stopPropagation(), choose())}><Mark id={id} /><span>{name}</span></button>
      </th>
      <td class="edge">
        <span
          class={`ebar ${wager.house_edge < 0 ? "gain" : ""}`} role="img" style={{ "--w": bar(wager.house_edge, scale), "--f": full ? Math.max(0, Math.min(1, full.house_edge / scale)) : 0 }}
          aria-label={full ? odds.edgeBar({ edge, full: percent(full.house_edge) }) : edge}
        />
        <b class="num">{edge}</b>
      </td>
      <td class={`num dlt ${change && change > 0 ? "worse" : change && change < 0 ? "better" : "same"}`}>{change === null ? "" : signedFixed(change, 2)}</td>
      <td class="num wide">{percent(wager.hit)}</td>
      <td class="num wide">{fixed(wager.std, 2)}</td>
    </tr>
  );
}

export function Wagers({ lab }: { lab: Lab }) {
  const answer = lab.answer.value, pack = lab.pack.value, full = lab.fullOdds.value;
  if (!answer || !pack) return null;
  const isOld = lab.refusal.value !== null;
  const own = lab.own.value && lab.ownOdds.value;
  const wagers: [string, WagerOddsSaid][] = [...Object.entries(answer.said.wagers), ...(own ? [[OWN_ID, own] as [string, WagerOddsSaid]] : [])];
  const scale = scaleOf(answer.said, full, own ? { ...answer.said, wagers: { own } } : null);
  return (
    <table class={isOld ? "old" : ""}>
      <thead>
        <tr>
          <th scope="col">{odds.wager()}</th>
          <th scope="col">{odds.edge()}</th>
          <th scope="col" class="r"><span class="wide">{odds.against()}</span><span class="narrow">{odds.change()}</span></th>
          <th scope="col" class="r wide">{odds.hits()}</th>
          <th scope="col" class="r wide">{odds.deviation()}</th>
        </tr>
      </thead>
      {wagers.map(([id, wager]) => (
        <tbody key={id}>
          <Row id={id} lab={lab} wager={wager} full={id === OWN_ID ? lab.ownFull.value ?? undefined : full?.wagers[id]} scale={scale} />
          {lab.wager.value === id && <Lines id={id} wager={wager} said={answer.said} lab={lab} pack={pack} />}
        </tbody>
      ))}
    </table>
  );
}
