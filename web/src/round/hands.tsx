/** The deal of a round: both hands with their totals, why each drew or stood, and the way to see it dealt again. */
import { useEffect, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { Card, cardName, CardSlot } from "../cards/card.tsx";
import { Icon } from "../icons.tsx";
import { Tag } from "../roads/drawn.tsx";
import type { RoundSaid, RuleCard } from "../types/api.ts";
import { handsOf, inDealingOrder, totalOf } from "../verify/tableofplay.ts";
import { ranks } from "../words/cards.ts";
import { roundWords, whyWords } from "../words/round.ts";
import { type WhyLine, whyOf } from "./why.ts";
import { said } from "../words/said.ts";

const CARD_MILLISECONDS = 900;
const OUTCOMES: ReadonlySet<string> = new Set<WhyLine["text"]>(["bankerBeats", "playerBeats", "tied"]);

/** A card as it is said of a hand: by its rank alone, for only that counts. */
function rankSaid(card: string): string {
  const rank = card.charAt(0);
  if (rank === "T") return "10";
  return /\d/.test(rank) || !(rank in ranks) ? rank : ranks[rank as keyof typeof ranks]();
}

export function whySaid({ text, values, cards }: WhyLine): string {
  const said = Object.entries(cards).map(([name, of]) => [name, typeof of === "string" ? rankSaid(of) : of.map(rankSaid).join(" + ")]);
  return whyWords[text]({ ...values, ...Object.fromEntries(said) as Record<string, string> });
}

function Hand({ hand, cards, pack, isWinner, hasThird }: { hand: "player" | "banker"; cards: readonly string[]; pack: string; isWinner: boolean; hasThird: boolean }) {
  const [one, two, third] = cards;
  return (
    <div class={`dealhand ${hand}`}>
      <h2 class="of">
        <Tag letter={hand === "player" ? "P" : "B"} /><span>{roundWords[hand]()}</span>
        <b class={`tot num ${isWinner ? "win" : ""}`}>{cards.length ? totalOf(cards) : ""}</b>
      </h2>
      <div class="lie">
        {[one, two].map((card, place) => (card === undefined ? <CardSlot key={place} /> : <Card key={place} code={card} pack={pack} class="came" />))}
        {/* The place of a third card is kept, and not shown before it comes. */}
        {hasThird && <div class="third">{third !== undefined && <Card code={third} pack={pack} class="came" />}</div>}
      </div>
    </div>
  );
}

export function Deal({ round, rules }: { round: RoundSaid; rules: RuleCard | null }) {
  const deal = handsOf(round.deal), order = inDealingOrder(deal), pack = rules?.pack ?? "";
  const [shown, setShown] = useState<number | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const at = Math.min(shown ?? order.length, order.length), isWhole = at === order.length;

  const show = (count: number) => {
    const next = Math.max(0, Math.min(order.length, count)), latest = order[next - 1];
    setShown(next === order.length ? null : next);
    if (next === order.length) setPlaying(false);
    if (latest && next > at) {
      const total = totalOf(order.slice(0, next).filter((each) => each.hand === latest.hand).map((each) => each.card));
      announce(roundWords.came({ hand: roundWords[latest.hand](), card: cardName(latest.card, pack), total }));
    }
  };
  const play = () => {
    if (isPlaying) return setPlaying(false);
    if (isWhole) setShown(0);
    setPlaying(true);
  };
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => show(at + 1), CARD_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isPlaying, at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: order.length }[event.key];
    // A button takes the space bar for itself.
    const isSpace = event.key === " " && !(event.target instanceof HTMLButtonElement);
    if (to === undefined && !isSpace) return;
    event.preventDefault();
    if (to === undefined) return play();
    setPlaying(false);
    show(to);
  };
  // What the cards come to decides nothing in a round that is void.
  const lines = rules ? whyOf(deal, rules.tableau).filter((line) => !round.void || !OUTCOMES.has(line.text)) : [];
  const cardsOf = (hand: "player" | "banker") => order.slice(0, at).filter((each) => each.hand === hand).map((each) => each.card);
  return (
    <section class="feltpanel" aria-label={roundWords.replayKeys()} tabIndex={0} onKeyDown={onKeyDown}>
      <div class="dealstage">
        <Hand hand="player" cards={cardsOf("player")} hasThird={deal.player.length > 2} pack={pack} isWinner={isWhole && round.winner === "player"} />
        <Verdict round={round} isShown={isWhole} />
        <Hand hand="banker" cards={cardsOf("banker")} hasThird={deal.banker.length > 2} pack={pack} isWinner={isWhole && round.winner === "banker"} />
      </div>
      {lines.length > 0 && (
        <ol class="whylines" aria-label={roundWords.why()}>
          {/* What is not said yet keeps its place, so that nothing moves. */}
          {lines.map((line) => <li key={line.text} class={line.after <= at ? "" : "later"}><span>{whySaid(line)}</span><span class="clause">{said(line.clause)}</span></li>)}
        </ol>
      )}
      {order.length > 0 && (
        <div class="controls">
          <button type="button" class="iconbtn" aria-label={roundWords.back()} disabled={at === 0} onClick={() => { setPlaying(false); show(at - 1); }}><Icon name="back" /></button>
          <button type="button" class="btn" onClick={play}><Icon name={isPlaying ? "pause" : "play"} size={18} />{isPlaying ? roundWords.pause() : roundWords.replay()}</button>
          <button type="button" class="iconbtn" aria-label={roundWords.forward()} disabled={isWhole} onClick={() => { setPlaying(false); show(at + 1); }}><Icon name="next" /></button>
          <span class="label num">{roundWords.cardOf({ shown: at, all: order.length })}</span>
        </div>
      )}
    </section>
  );
}

function Verdict({ round, isShown }: { round: RoundSaid; isShown: boolean }) {
  const { winner, player_total: player, banker_total: banker } = round;
  if (round.void) return <div class="verdictbox"><span class="light shut">{roundWords.void()}</span></div>;
  if (round.time === null) return <div class="verdictbox"><span class="light open">{roundWords.running()}</span></div>;
  const says = winner === "player" ? roundWords.playerWins() : winner === "banker" ? roundWords.bankerWins() : roundWords.tie();
  return (
    <div class={`verdictbox ${isShown ? "" : "waits"}`}>
      <span class="light shut">{roundWords.settled()}</span>
      {isShown ? <h2>{says}</h2> : <p class="as-heading">{"\u00a0"}</p>}
      <p>{isShown && player !== null && banker !== null ? roundWords.score({ high: Math.max(player, banker), low: Math.min(player, banker) }) : "\u00a0"}</p>
    </div>
  );
}

