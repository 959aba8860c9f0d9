/** The third-card trainer of one game: a deal, a question, the answer with its clause, the next. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { cardName } from "../cards/card.tsx";
import { Icon } from "../icons.tsx";
import { keep, kept } from "../kept.ts";
import { BankerTable, type Cell, PlayerTable } from "../rules/tableau-table.tsx";
import type { RuleCard } from "../types/api.ts";
import { learn } from "../words/learn.ts";
import { said } from "../words/said.ts";
import { type Asking, type Option, optionsOf, type Reason, reasonsOf, type Stage, stagesOf } from "./explained.ts";
import { type Deal, pointsIn } from "./facts.ts";
import { Hands } from "./hands.tsx";
import { type Exercise, nextExercise, type School, schoolOf } from "./school.ts";
import { counted, keepScore, keptScore, NOTHING_ASKED, type Score } from "./score.ts";
import { totalOf } from "./tableau.ts";

const ASKINGS: readonly Asking[] = ["everything", "draws", "payments"];

/** The cards that lie there: what an answer brings out comes with it. */
export function cardsShown({ deal, opening }: Exercise, stage: Stage, isAnswered: boolean): Deal {
  const isOpen = stage !== "opening" || isAnswered;
  const hasBankers = stage === "winner" || stage === "paid" || (isAnswered && (stage === "third" || opening === "banker"));
  return { player: deal.player.slice(0, isOpen ? 3 : 2), banker: deal.banker.slice(0, hasBankers ? 3 : 2) };
}

function question(stage: Stage, { deal, paid }: Exercise, pack: string): string {
  if (stage === "opening") return learn.askOpening();
  if (stage === "third") return learn.askThird({ card: cardName(deal.player[2] ?? "", pack) });
  return stage === "winner" ? learn.askWinner() : learn.askPaid({ wager: said(paid?.wager.wager.name ?? "") });
}

/** Where in the Banker's table this deal stands. */
function cellOf(exercise: Exercise, school: School): Cell | null {
  if (exercise.opening === "natural") return null;
  const banker = totalOf(pointsIn(exercise.deal.banker.slice(0, 2), school.pack));
  return { banker, third: pointsIn(exercise.deal.player, school.pack)[2] ?? null };
}

function ScoreLine({ score, onReset }: { score: Score; onReset: () => void }) {
  const share = score.asked ? ` · ${Math.round((100 * score.right) / score.asked)}%` : "";
  return (
    <dl class="score" aria-label={learn.yourScore()}>
      <div><dt class="label">{learn.score()}</dt><dd class="num">{score.right}/{score.asked}{share}</dd></div>
      <div><dt class="label">{learn.streak()}</dt><dd class="num">{score.streak}</dd></div>
      <div><dt class="label">{learn.best()}</dt><dd class="num">{score.best}</dd></div>
      {score.asked > 0 && <div><dt class="vh">{learn.reset()}</dt><dd><button type="button" class="btn small quiet" onClick={onReset}><Icon name="again" size={18} />{learn.reset()}</button></dd></div>}
    </dl>
  );
}

function Answers({ options, chosen, onChoose }: { options: readonly Option[]; chosen: number | null; onChoose: (place: number) => void }) {
  return (
    <ol class="answers">
      {options.map(({ text, isRight }, place) => {
        const mark = chosen === null ? "" : isRight ? "right" : place === chosen ? "wrong" : "other";
        return (
          <li key={place}>
            <button type="button" class={`answer ${mark}`} aria-disabled={chosen !== null} onClick={() => onChoose(place)}>
              <kbd aria-hidden="true">{place + 1}</kbd><span>{text}</span>
              {mark === "right" && <Icon name="check" />}{mark === "wrong" && <Icon name="close" />}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Verdict({ isRight, answer, reasons }: { isRight: boolean; answer: string; reasons: readonly Reason[] }) {
  return (
    <div class={`verdict ${isRight ? "right" : "wrong"}`}>
      <p class="head"><Icon name={isRight ? "check" : "close"} /><b>{isRight ? learn.right() : learn.wrong({ answer })}</b></p>
      {reasons.map(({ sentence, clause }) => <p key={sentence}>{sentence} {clause && <span class="clause">{said(clause)}</span>}</p>)}
    </div>
  );
}

export function Trainer({ card }: { card: RuleCard }) {
  const school = useMemo(() => schoolOf(card), [card]);
  const [asking, setAsking] = useState<Asking>(() => ASKINGS.find((each) => each === kept("trainer-asks")) ?? "everything");
  const [exercise, setExercise] = useState(() => nextExercise(school, Math.random));
  const [place, setPlace] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const [score, setScore] = useState(() => keptScore(card.game));
  const [looks, setLooks] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null), onward = useRef<HTMLButtonElement>(null);

  const stages = stagesOf(exercise, asking), stage = stages[place] ?? "opening", isLast = place >= stages.length - 1;
  const options = optionsOf(stage, exercise, school), reasons = reasonsOf(stage, exercise, school);
  const answer = options.find(({ isRight }) => isRight)?.text ?? "";
  const isAnswered = chosen !== null, isRight = isAnswered && (options[chosen]?.isRight ?? false);

  // The keys work at once, and no key falls between two questions: the focus moves in the same step as what is shown. It
  // stays where it is for who chooses what is asked.
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (follows.current) (isAnswered ? onward : heading).current?.focus();
    follows.current = false;
  }, [exercise, place, isAnswered]);
  function count(next: Score): void {
    setScore(next);
    keepScore(card.game, next);
  }
  function choose(at: number): void {
    const option = options[at];
    if (isAnswered || !option) return;
    follows.current = true;
    setChosen(at);
    count(counted(score, option.isRight));
    announce([option.isRight ? learn.right() : learn.wrong({ answer }), ...reasons.map(({ sentence }) => sentence)].join(" "));
  }
  function begin(what: Asking): void {
    setExercise(nextExercise(school, Math.random));
    setPlace(0);
    setChosen(null);
    setAsking(what);
  }
  function goOn(): void {
    follows.current = true;
    if (isLast) begin(asking);
    else {
      setPlace(place + 1);
      setChosen(null);
    }
  }
  // Only within the trainer, so that a single key does nothing to somebody who reads elsewhere on the page.
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) choose(Number(event.key) - 1);
    else if (event.key === "Enter" && isAnswered && event.target === heading.current) goOn();
    else return;
    event.preventDefault();
  }

  const withTotals = isAnswered || stage === "paid";
  return (
    <section class="trainer" onKeyDown={onKeyDown}>
      <div class="bar">
        <fieldset class="asks"><legend class="vh">{learn.asking()}</legend>
          {ASKINGS.map((each) => (
            <label key={each}><input type="radio" name="asking" checked={asking === each} onChange={() => { keep("trainer-asks", each); begin(each); }} /><span>{learn[each]()}</span></label>
          ))}
        </fieldset>
        <ScoreLine score={score} onReset={() => count(NOTHING_ASKED)} />
      </div>
      <div class="stage">
        <Hands deal={cardsShown(exercise, stage, isAnswered)} pack={card.pack} withTotals={withTotals} winner={stage === "paid" || (stage === "winner" && isAnswered) ? exercise.winner : null} />
      </div>
      <div class="ask panel">
        <h2 class="serif" ref={heading} tabIndex={-1}>{question(stage, exercise, card.pack)}</h2>
        <Answers options={options} chosen={chosen} onChoose={choose} />
        {isAnswered
          ? <>
              <Verdict isRight={isRight} answer={answer} reasons={reasons} />
              <button type="button" class="btn solid" ref={onward} onClick={goOn}>{isLast ? learn.noMore() : learn.goOn()}<Icon name="next" size={18} /></button>
            </>
          : <p class="label keys">{learn.keys()}</p>}
      </div>
      <details class="panel peek" open={looks} onToggle={(event) => setLooks(event.currentTarget.open)}>
        <summary class="serif">{learn.table()}</summary>
        <div class="tables"><PlayerTable tableau={card.tableau} /><BankerTable tableau={card.tableau} cell={isAnswered ? cellOf(exercise, school) : null} /></div>
      </details>
    </section>
  );
}
