/** The dealer's console: the one action that is lawful now, large; what else may be done stands beside it. */
import "../styles/dealer.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { get, Refusal } from "../api.ts";
import { Card } from "../cards/card.tsx";
import { cardName, packOf } from "../cards/packs.ts";
import { serverNow, tick } from "../clock.ts";
import { Icon } from "../icons.tsx";
import type { Asked } from "../live.ts";
import { amount } from "../money.ts";
import { Link } from "../router.tsx";
import { me } from "../session.ts";
import { useTable } from "../table/joined.ts";
import type { TableState } from "../table/model.ts";
import type { SocketMessage, Step, TableRules } from "../types/api.ts";
import { dealer } from "../words/dealer.ts";
import { language } from "../words/language.ts";
import { said } from "../words/said.ts";
import { AskIrregular, AskPause } from "./asking.tsx";
import { COURSE, course, mainStep, ordinal } from "./course.ts";
import { Pad, TypedCard } from "./pad.tsx";
import { Requests, useRequests } from "./requests.tsx";
import { NOTHING } from "./typed.ts";

export function Console({ table }: { table: string }) {
  const heard = useRef<(message: SocketMessage) => void>(() => undefined);
  const { state, live } = useTable(table, (message) => heard.current(message));
  const requests = useRequests(table);
  heard.current = requests.hear;
  const [rules, setRules] = useState<TableRules | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const typed = useSignal(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const underWay = useRef(false), ahead = useRef<string[]>([]);
  const [first, setFirst] = useState<string | null>(null);
  const [missing, setMissing] = useState<Readonly<Record<string, number>> | null>(null);
  const [asking, setAsking] = useState<"irregular" | "pause" | null>(null);
  const at = state.value;
  const digest = at?.rules_digest;
  useEffect(() => {
    if (digest) void get<TableRules>(`/api/tables/${table}/rules`).then(setRules, setRefusal);
  }, [table, digest]);
  useEffect(() => void (document.title = `${at?.name ?? table} · ${dealer.title()}`));
  const steps = at?.next ?? [], step = at && at.stopped === null ? mainStep(steps) : null;
  const key = at && step ? `${step.do} ${step.hand ?? ""} ${at.round} ${at.version}` : "";
  const title = at && titleOf(at, step, first, rules?.card.pack);
  useEffect(() => {
    if (title) announce(title);
  }, [key]);
  if (!at || !rules) return <main id="content" class="dealing" aria-busy="true">{refusal && <p class="page">{refusal.sentence}</p>}</main>;

  const pack = packOf(rules.card.pack), cards = pack.ranks.length * pack.suits.length * at.decks;
  const ask = async (command: Asked): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      const answer = await live.ask(command);
      if (answer.waiting) requests.look();
      return true;
    } catch (error) {
      setRefusal(error as Refusal);
      announce((error as Refusal).sentence);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const take = (card: string): void => {
    // A scanner does not wait for answers: what it reads meanwhile is dealt after that, to whichever hand is due then.
    if (underWay.current) {
      ahead.current.push(card);
      return;
    }
    if (missing && step?.do === "open-shoe") setMissing({ ...missing, [card]: Math.min(at.decks, (missing[card] ?? 0) + 1) });
    else if (step?.do === "burn") setFirst(card);
    // A card keyed early is refused with its reason, and not lost: it is keyed again when it is due.
    else void deal(card, step?.hand);
  };
  const deal = async (card: string, hand?: "player" | "banker"): Promise<void> => {
    underWay.current = true;
    const isDealt = await ask({ do: "deal", card, ...(hand && { hand }) });
    underWay.current = false;
    const next = ahead.current.shift();
    if (!isDealt) ahead.current = [];
    else if (next) void deal(next);
  };
  const burned = first && step?.burned_after ? (step.burned_after[first.charAt(0)] ?? 0) : 0;
  const openShoe = (): Asked => {
    if (!missing) return { do: "open-shoe" };
    const counted = Object.fromEntries(pack.suits.flatMap((suit) => [...pack.ranks].map((rank) => [rank + suit.letter, at.decks - (missing[rank + suit.letter] ?? 0)])));
    return { do: "open-shoe", counted };
  };
  const act = async (): Promise<void> => {
    if (!step) return;
    if (step.do === "open-shoe") {
      if (await ask(openShoe())) setMissing(null);
    } else if (step.do === "burn") {
      if (first && (await ask({ do: "burn", shown: [first], face_down: burned }))) setFirst(null);
    } else if (step.do !== "deal") await ask({ do: step.do } as Asked);
  };
  // What is asked for is decided first: the table waits for it.
  const button = step?.do === "resume" && requests.waiting.length > 0 ? null : actionOf(step, first, burned);
  const last = lastCard(at);
  const has = (name: string): boolean => steps.some((each) => each.do === name);
  const held = Object.values(at.spots).reduce((sum, spot) => sum + spot.stake, 0);
  const now = course(at);
  void tick.value;
  return (
    <div class="dealing">
      <header class="dbar">
        <Link class="iconbtn" href="/dealer" aria-label={dealer.back()}><Icon name="back" /></Link>
        <div><h1>{said(at.name)}</h1><p>{said(rules.card.name)} · {dealer.round({ number: at.round })}</p></div>
        <dl>
          <div><dt>{dealer.held()}</dt><dd class="num">{amount(held, at.currency)}</dd></div>
          <div><dt>{dealer.shoe({ number: at.shoe })}</dt><dd class="num">{dealer.left({ cards: at.cards_left })}</dd></div>
          <div><dt>{dealer.who()}</dt><dd>{me.value?.name}</dd></div>
          <div><dt>{dealer.time()}</dt><dd class="num">{new Date(serverNow()).toLocaleTimeString(language.value === "en" ? "en-GB" : "zh")}</dd></div>
        </dl>
      </header>
      <ol class="steps" aria-label={dealer.course()}>
        {COURSE.map((each) => (
          <li key={each} class={now[each] === "left out" ? "out" : now[each]} aria-current={now[each] === "now" ? "step" : undefined}>
            {now[each] === "done" && <Icon name="check" size={16} />}{dealer[each]()}{now[each] === "left out" && <span class="vh"> {dealer.leftOut()}</span>}
          </li>
        ))}
      </ol>
      <main id="content" class="dealer">
        <Requests requests={requests.waiting} told={requests.told} ask={ask} />
        <section class="due">
          <p class="eyebrow">{step?.do === "deal" ? dealer.dealNow() : step ? dealer.now() : dealer.waiting()}</p>
          <h2>{title}</h2>
          <Because at={at} step={step} cards={cards} />
          {saysOf(at, step) && <p class="say"><span class="label">{dealer.say()}</span>“{saysOf(at, step)}”</p>}
          {refusal && <p class="refused">{refusal.clause && <span class="clause">{said(refusal.clause)}</span>} {refusal.sentence}</p>}
          {missing && step?.do === "open-shoe" && (
            <p class="because">{dealer.countHelp()} {dealer.countMissing({ cards: Object.values(missing).reduce((sum, each) => sum + each, 0) })}</p>
          )}
          {button && <button type="button" class="btn solid act" disabled={isBusy} onClick={() => void act()}>{button}</button>}
          {step?.do === "open-shoe" && (
            <button type="button" class="btn small quiet" onClick={() => setMissing(missing ? null : {})}>{missing ? dealer.countAgain() : dealer.countDiffers()}</button>
          )}
        </section>
        <section class="hands">
          {(["player", "banker"] as const).map((hand) => (
            <div class={`hrow ${hand === "player" ? "P" : "B"} ${at.due === hand ? "on" : ""}`} key={hand}>
              <div class="of"><span class={`tag ${hand === "player" ? "P" : "B"}`}>{hand === "player" ? "P" : "B"}</span>{said(hand === "player" ? "Player" : "Banker")}</div>
              <div class="cs">
                {at.deal[hand].map((card, place) => <Card key={place} code={card} pack={rules.card.pack} />)}
                {at.due === hand && <span class="slot due1"><Icon name="down" size={26} /></span>}
              </div>
              <b class="num">{at.deal[hand].length ? at.deal[`${hand}_total`] : ""}</b>
            </div>
          ))}
        </section>
        <Pad id={rules.card.pack} pack={pack} typed={typed} isOff={at.dealing === "virtual"} take={take}
          {...(missing && step?.do === "open-shoe" && { count: (card: string) => at.decks - (missing[card] ?? 0) })} />
        <footer class="dfoot">
          <TypedCard pack={pack} typed={typed} isOff={at.dealing === "virtual"} take={take} />
          {has("undo-card") && last && <button type="button" class="btn" onClick={() => void ask({ do: "undo-card" })}><Icon name="undo" />{dealer.takeBack({ card: cardName(last, rules.card.pack) })}</button>}
          {has("withdraw-announcement") && <button type="button" class="btn" onClick={() => void ask({ do: "withdraw-announcement" })}><Icon name="undo" />{dealer.withdraw()}</button>}
          {has("end-shoe") && <button type="button" class="btn" onClick={() => void ask({ do: "end-shoe" })}>{dealer.endShoe()}</button>}
          <button type="button" class="btn warn" onClick={() => setAsking("irregular")}><Icon name="flag" />{dealer.irregularity()}</button>
          {has("pause") && <button type="button" class="btn" onClick={() => setAsking("pause")}><Icon name="pause" />{dealer.pause()}</button>}
        </footer>
      </main>
      {asking === "pause" && <AskPause close={() => setAsking(null)} ask={ask} />}
      {asking === "irregular" && <AskIrregular table={table} at={at} close={() => setAsking(null)} ask={ask} />}
    </div>
  );
}

function lastCard(at: TableState): string | null {
  const { player, banker } = at.deal;
  const dealt = [player[0], banker[0], player[1], banker[1], player[2], banker[2]].filter((card) => card !== undefined);
  return dealt.at(-1) ?? null;
}

function titleOf(at: TableState, step: Step | null, first: string | null, pack: string | undefined): string {
  if (at.stopped) return said(at.stopped);
  if (at.dealing === "virtual") return dealer.virtual();
  switch (step?.do) {
    case "deal": {
      const hand = step.hand ?? at.due ?? "player";
      return dealer[`${hand}${ordinal(at, hand)}`]();
    }
    case "open-shoe": return dealer.openShoe();
    case "burn": return first && step.burned_after && pack
      ? dealer.burnThen({ card: cardName(first, pack), count: step.burned_after[first.charAt(0)] ?? 0 }) : dealer.burn();
    case "open-betting": return dealer.openBetting();
    case "close-betting": return dealer.closeBetting();
    case "announce": {
      const { player_total: player, banker_total: banker } = at.deal, totals = dealer.totals({ player, banker });
      return (player > banker ? dealer.playerWins : banker > player ? dealer.bankerWins : dealer.tie)({ totals });
    }
    case "settle": return dealer.settleTitle();
    case "resume": return dealer.paused();
    default: return at.paused ? dealer.paused() : dealer.nothing();
  }
}

function actionOf(step: Step | null, first: string | null, burned: number): string | null {
  switch (step?.do) {
    case "open-shoe": return dealer.openShoeDo();
    case "burn": return first ? dealer.burnDo({ count: burned }) : null;
    case "open-betting": return dealer.openBettingDo();
    case "close-betting": return dealer.closeBettingDo();
    case "announce": return dealer.confirmDo();
    case "settle": return dealer.settleDo();
    case "resume": return dealer.resumeDo();
    default: return null;
  }
}

function saysOf(at: TableState, step: Step | null): string | null {
  if (step?.says) return said(step.says);
  if (step?.do === "deal" && step.hand && at.deal[step.hand].length === 2) return step.hand === "player" ? dealer.cardForPlayer() : dealer.cardForBanker();
  return null;
}

function Because({ at, step, cards }: { at: TableState; step: Step | null; cards: number }) {
  if (at.paused) return <p class="because">{said(at.paused)}</p>;
  if (step?.do === "open-shoe") return <p class="because">{dealer.openShoeBecause({ cards })}</p>;
  if (step?.do === "burn") return <p class="because">{dealer.burnBecause()}</p>;
  const why = at.why.at(-1);
  if ((step?.do !== "deal" && step?.do !== "announce") || !why) return null;
  return <p class="because">{asSentence(said(why.sentence))} <span class="clause">{said(why.clause)}</span></p>;
}

/** Sentences of the tableau begin in the middle of one. */
function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
