/** The coach: eight short steps for somebody who has never played, each with real cards of the game. */
import { useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { announce } from "../announced.tsx";
import { Card } from "../cards/card.tsx";
import { packOf, pointsOf } from "../cards/packs.ts";
import { Icon } from "../icons.tsx";
import { address, go, Link } from "../router.tsx";
import { CardValues, WagerName, wagersInOrder } from "../rules/rule-card.tsx";
import { paymentWords } from "../rules/payments.ts";
import { BankerTable } from "../rules/tableau-table.tsx";
import type { RuleCard } from "../types/api.ts";
import { learn } from "../words/learn.ts";
import { said } from "../words/said.ts";
import { Hands } from "./hands.tsx";
import { examples, rankOf, ranksFor, stumblingCell } from "./examples.ts";
import { cellInFigures, digits } from "./tableau.ts";

function Why({ sentence, clause }: { sentence: string; clause?: string }) {
  return <p class="why">{sentence} {clause && <span class="clause">{said(clause)}</span>}</p>;
}

function TwoHands({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack);
  return (
    <>
      <Hands deal={{ player: examples("72", pack), banker: examples("T6", pack).reverse() }} pack={card.pack} withTotals winner="player" />
      <Why sentence={learn.twoHandsWhy({ player: 9, banker: 6 })} clause={card.tableau.clauses.winner} />
    </>
  );
}

/** A small exercise: the total of two cards. */
function Totals({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack);
  const fresh = () => {
    const rank = () => pack.ranks.charAt(3 + Math.floor(Math.random() * 6));
    return examples(rank() + rank(), pack);
  };
  const [two, setTwo] = useState(() => examples("78", pack)), [given, setGiven] = useState<number | null>(null);
  const [one = 0, other = 0] = two.map((code) => pointsOf(code, pack)), total = (one + other) % 10;
  const why = learn.sum({ one, other, sum: one + other, total });
  function answer(each: number): void {
    setGiven(each);
    announce(each === total ? `${learn.right()} ${why}` : learn.wrong({ answer: total }));
  }
  return (
    <div class="try">
      <div class="pairplace">{two.map((code) => <Card code={code} pack={card.pack} key={code} />)}</div>
      <div>
        <p><b>{learn.tryIt()}</b></p>
        <div class="digits">
          {Array.from({ length: 10 }, (_, each) => (
            <button type="button" class={`btn ${given === null ? "" : each === total ? "right" : each === given ? "wrong" : ""}`} key={each} onClick={() => answer(each)}>{each}</button>
          ))}
        </div>
        {given !== null && (
          <p class="why">
            <Icon name={given === total ? "check" : "close"} size={18} /> {why}{" "}
            <button type="button" class="btn small" onClick={() => { setTwo(fresh()); setGiven(null); }}><Icon name="again" size={18} />{learn.tryIt()}</button>
          </p>
        )}
      </div>
    </div>
  );
}

function Naturals({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack), best = Math.max(...digits(card.tableau.naturals));
  return (
    <>
      <Hands deal={{ player: examples(ranksFor(best), pack), banker: examples("34", pack).reverse() }} pack={card.pack} withTotals winner="player" />
      <Why sentence={learn.whyNatural({ hand: learn.theHandPlayer(), total: best })} clause={card.tableau.clauses.natural} />
    </>
  );
}

function PlayerThird({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack), total = Math.max(...digits(card.tableau.player_draws));
  return (
    <>
      <Hands deal={{ player: examples(`${ranksFor(total)}4`, pack), banker: examples("T7", pack) }} pack={card.pack} withTotals />
      <Why sentence={learn.whyPlayer({ total, cell: cellInFigures(card.tableau.player_draws) })} clause={card.tableau.clauses.player_draws} />
    </>
  );
}

function BankerThird({ card }: { card: RuleCard }) {
  const pack = packOf(card.pack), { banker, third } = stumblingCell(card.tableau);
    return (
    <div class="beside">
      <div>
        <Hands deal={{ player: examples(`T4${rankOf(third)}`, pack), banker: examples(ranksFor(banker), pack).reverse() }} pack={card.pack} withTotals />
        <Why sentence={learn.whyBanker({ total: banker, cell: cellInFigures(card.tableau.banker_draws[String(banker)] ?? ""), third })} clause={card.tableau.clauses.banker_draws} />
      </div>
      <BankerTable tableau={card.tableau} cell={{ banker, third }} />
    </div>
  );
}

function Pays({ card }: { card: RuleCard }) {
  return (
    <ul class="paylist">
      {wagersInOrder(card).map(([id, wager]) => (
        <li key={id}>
          <h3 class="serif"><WagerName id={id} wager={wager} /></h3>
          <ul>{wager.lines.map((line) => <li key={line.line}><span class="muted">{said(line.line)}</span><b class="num">{paymentWords(line)}</b></li>)}</ul>
        </li>
      ))}
    </ul>
  );
}

function Round() {
  return <ol class="roundlist">{([learn.round1, learn.round2, learn.round3, learn.round4, learn.round5]).map((text, place) => <li key={place}><b class="num" aria-hidden="true">{place + 1}</b>{text()}</li>)}</ol>;
}

/** `8 or 9`. */
function eitherOf(cell: string): string {
  return [...digits(cell)].map(String).reduce((one, other) => learn.or({ one, other }));
}

interface Step {
  name: () => string;
  text: (card: RuleCard) => string;
  body: (card: RuleCard) => ComponentChildren;
}

const STEPS: readonly Step[] = [
  { name: learn.twoHands, text: () => learn.twoHandsText(), body: (card) => <TwoHands card={card} /> },
  { name: learn.values, text: () => learn.valuesText(), body: (card) => <CardValues card={card} /> },
  { name: learn.totals, text: () => learn.totalsText(), body: (card) => <Totals card={card} /> },
  { name: learn.naturals, text: (card) => learn.naturalsText({ cell: eitherOf(card.tableau.naturals) }), body: (card) => <Naturals card={card} /> },
  { name: learn.playerThird, text: (card) => learn.playerThirdText({ cell: cellInFigures(card.tableau.player_draws) }), body: (card) => <PlayerThird card={card} /> },
  { name: learn.bankerThird, text: (card) => learn.bankerThirdText({ cell: cellInFigures(card.tableau.banker_draws_when_player_stands) }), body: (card) => <BankerThird card={card} /> },
  { name: learn.pays, text: () => learn.paysText(), body: (card) => <Pays card={card} /> },
  { name: learn.round, text: () => learn.roundText(), body: () => <Round /> },
];

/** The step is in the address, so that a lesson can be gone back to. */
export function Coach({ card, table }: { card: RuleCard; table: string | null }) {
  const asked = Number(address.value.searchParams.get("step") ?? 1);
  const now = Math.min(STEPS.length, Math.max(1, Number.isInteger(asked) ? asked : 1)), step = STEPS[now - 1] as Step;
  const heading = useRef<HTMLHeadingElement>(null);
  function show(next: number): void {
    const to = new URL(address.value);
    to.searchParams.set("step", String(next));
    go(to.pathname + to.search, { replace: true });
    requestAnimationFrame(() => heading.current?.focus({ preventScroll: true }));
  }
  return (
    <section class="coach panel">
      <ol class="dots" aria-hidden="true">{STEPS.map((_, place) => <li class={place + 1 === now ? "now" : place + 1 < now ? "done" : ""} key={place} />)}</ol>
      <p class="label">{learn.step({ now, all: STEPS.length })}</p>
      <h2 class="serif" ref={heading} tabIndex={-1}>{step.name()}</h2>
      <p class="text">{step.text(card)}</p>
      <div class="lesson" key={now}>{step.body(card)}</div>
      <div class="ways">
        {now > 1 && <button type="button" class="btn" onClick={() => show(now - 1)}><Icon name="back" size={18} />{learn.back()}</button>}
        {now < STEPS.length
          ? <button type="button" class="btn solid" onClick={() => show(now + 1)}>{learn.next()}<Icon name="next" size={18} /></button>
          : <>
              <Link class="btn" href={`/learn/${card.game}`}><Icon name="cards" />{learn.trainer()}</Link>
              <Link class="btn solid" href={table === null ? "/" : `/tables/${encodeURIComponent(table)}`}>{learn.sitDown()}<Icon name="next" size={18} /></Link>
            </>}
      </div>
    </section>
  );
}
