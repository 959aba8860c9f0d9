/** A rule card: all that the declaration of a game says, in the order in which one asks. */
import type { ComponentChildren } from "preact";
import { Card, SuitShape } from "../cards/card.tsx";
import { packOf } from "../cards/packs.ts";
import { amount } from "../money.ts";
import type { DocumentTold, LineTold, RuleCard, SpotLimits, TableRules, WagerTold } from "../types/api.ts";
import { rules } from "../words/rules.ts";
import { said } from "../words/said.ts";
import { markOf, paymentWords } from "./payments.ts";
import { BankerTable, PlayerTable } from "./tableau-table.tsx";
import { valuesInOrder } from "./values.ts";

export function documentLine(document: DocumentTold): string {
  const parts = [said(document.publisher), said(document.title)];
  if (document.version) parts.push(rules.version({ version: document.version }));
  if (document.effective) parts.push(rules.effective({ date: document.effective.replace("T", " ") }));
  return parts.join(" · ");
}

export function packLine(card: { pack: string; decks: RuleCard["decks"] }): string {
  const { minimum, maximum } = card.decks, name = rules[packOf(card.pack).kind]();
  const decks = minimum < maximum ? rules.decks({ ...card.decks }) : rules.oneDecks({ maximum });
  return `${name} · ${decks}`;
}

export function Suits({ pack, size = 20 }: { pack: string; size?: number }) {
  return <span class="suits" aria-hidden="true">{packOf(pack).suits.map((suit) => <SuitShape suit={suit} size={size} key={suit.letter} />)}</span>;
}

function Part({ name, text, children, class: more = "" }: { name: string; text?: string; children: ComponentChildren; class?: string }) {
  return (
    <section class={`part panel ${more}`}>
      <h2 class="serif">{name}</h2>
      {text && <p class="label">{text}</p>}
      {children}
    </section>
  );
}

/** Every rank with what it counts: the card itself, in the first suit of the pack. */
export function CardValues({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack), suit = pack.suits[0]?.letter ?? "";
  return (
    <ol class="values">
      {valuesInOrder(card.card_values, pack).map(({ rank, name, points }) => (
        <li key={rank}>
          <Card code={rank + suit} pack={card.pack} decorative />
          <b class="num" aria-hidden="true">{points}</b><span class="vh">{rules.counts({ rank: said(name), points })}</span>
        </li>
      ))}
    </ol>
  );
}

export function WagerName({ id, wager }: { id: string; wager: WagerTold }) {
  const { letter, side } = markOf(id);
  return (
    <>
      {letter && <span class={`tag ${letter}`} aria-hidden="true">{letter}</span>}
      {side && <span class={`pairdot ${side}`} aria-hidden="true" />}
      {said(wager.name)}
    </>
  );
}

function Lines({ lines, currency, onTop = false }: { lines: readonly LineTold[]; currency: string; onTop?: boolean }) {
  return (
    <>
      {lines.map((line) => (
        <tr key={line.line + line.when} class={onTop ? "top" : ""}>
          <th scope="row">{onTop && <span class="plus">{rules.onTop()}</span>} {said(line.line)}</th>
          <td class="pays">{paymentWords(line, currency)}</td>
          <td><span class="clause">{said(line.clause)}</span></td>
        </tr>
      ))}
    </>
  );
}

function WagerPanel({ id, wager, limits, currency }: { id: string; wager: WagerTold; limits: SpotLimits | undefined; currency: string }) {
  const { letter, side } = markOf(id);
  return (
    <article class={`wager ${letter ?? side ?? ""}`}>
      <header><h3 class="serif"><WagerName id={id} wager={wager} /></h3><span class="clause">{said(wager.clause)}</span></header>
      <table>
        <thead class="vh"><tr><th scope="col">{rules.line()}</th><th scope="col">{rules.pays()}</th><th scope="col">{rules.clause()}</th></tr></thead>
        <tbody><Lines lines={wager.lines} currency={currency} /><Lines lines={wager.bonuses} currency={currency} onTop /></tbody>
      </table>
      {limits && <p class="label num">{rules.limitsName()}: {limitWords(limits, currency)}</p>}
    </article>
  );
}

function limitWords({ minimum, maximum, step }: SpotLimits, currency: string): string {
  const [least, most, by] = [minimum, maximum, step].map((each) => amount(each, currency)) as [string, string, string];
  return `${rules.limitsStep({ minimum: least, maximum: most, step: by })} ${currency}`;
}

/** In the order of the felt, so that one finds it again there; what has no place on it comes last. */
export function wagersInOrder(card: RuleCard): [string, WagerTold][] {
  const laid = card.layout.flat().filter((id): id is string => id !== null && id in card.wagers);
  return [...new Set([...laid, ...Object.keys(card.wagers)])].map((id) => [id, card.wagers[id] as WagerTold]);
}

function Reading({ card }: { card: RuleCard }) {
  const named = Object.entries(card.reading);
  if (!named.length) return null;
  return (
    <Part name={rules.reading()} text={rules.readingText()}>
      <dl class="reading">
        {named.map(([name, now]) => {
          const others = (card.switches[name] ?? []).filter((each) => each !== now).map((each) => said(each)).join(", ");
          return <div key={name}><dt>{said(name)}</dt><dd>{others ? rules.otherwise({ now: said(now), others }) : said(now)}</dd></div>;
        })}
      </dl>
    </Part>
  );
}

function TableLimits({ table }: { table: TableRules }) {
  const named = [["patronLimit", table.patron_limit], ["tableLimit", table.table_limit], ["houseLimit", table.house_limit]] as const;
  const known = named.filter(([, limit]) => limit !== null);
  if (!known.length) return null;
  return <Part name={rules.limitsName()}><ul class="tlimits">{known.map(([name, limit]) => <li key={name}>{rules[name]({ amount: `${amount(limit as number, table.currency)} ${table.currency}` })}</li>)}</ul></Part>;
}

export function WholeCard({ card, table }: { card: RuleCard; table: TableRules | null }) {
  const currency = table?.currency ?? "";
  return (
    <>
      <Part name={rules.values()} text={rules.valuesText()} class="wide-part"><CardValues card={card} /></Part>
      <Part name={rules.payments()} text={rules.paymentsText()} class="main-part">
        <div class="wagers">{wagersInOrder(card).map(([id, wager]) => <WagerPanel id={id} wager={wager} limits={table?.limits[id]} currency={currency} key={id} />)}</div>
      </Part>
      <div class="side-parts">
        <Part name={rules.who()}><PlayerTable tableau={card.tableau} /><BankerTable tableau={card.tableau} /></Part>
        {table && <TableLimits table={table} />}
        <Reading card={card} />
        <Part name={rules.digest()} text={rules.digestText()}><code class="digest">{card.digest}</code></Part>
      </div>
      <Part name={rules.rulings()} text={rules.rulingsText()} class="wide-part">
        <ol class="rulings">
          {card.rulings.map((ruling) => (
            <li key={ruling.number}>
              <h3><span class="clause num">{ruling.number}</span> {said(ruling.title)}</h3>
              <p>{said(ruling.text)}</p>
              <p class="muted"><b>{rules.reason()}.</b> {said(ruling.reason)}</p>
            </li>
          ))}
        </ol>
      </Part>
    </>
  );
}
