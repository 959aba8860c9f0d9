/** A wager of one's own, put together from the words that the service understands, and priced as it is built. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import type { FactTold, PackTold } from "../types/api.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import { percent } from "./figures.ts";
import type { Lab } from "./lab.ts";
import { firstTest, isPayment, isWhole, type OwnLine, type OwnWager, OWN_ID, PUSH, readPayment, readRanks, type Test } from "./own.ts";
import { valueText } from "./own_text.ts";

function firstWager(pack: PackTold): OwnWager {
  return { name: odds.ownFirstName(), lines: [firstLine(pack)] };
}

function firstLine(pack: PackTold): OwnLine {
  return { pays: "1:1", tests: pack.facts[0] ? [firstTest(pack.facts[0])] : [] };
}

function replaced<Each>(list: readonly Each[], place: number, by: Each | null): Each[] {
  return list.flatMap((each, at) => (at !== place ? [each] : by === null ? [] : [by]));
}

function Values({ test, fact, pack, change }: { test: Test; fact: FactTold; pack: PackTold; change: (test: Test) => void }) {
  if (fact.kind === "ranks") {
    const example = `${pack.ranks[8]?.letter ?? ""}${pack.ranks[8]?.letter ?? ""}`;
    return (
      <input
        class="ranks" aria-label={odds.values()} placeholder={odds.ranksHint({ example })} defaultValue={Array.isArray(test.is) ? test.is.join(" ") : ""}
        onChange={(event) => {
          const hands = event.currentTarget.value.split(/[\s,;]+/).filter(Boolean).map((text) => readRanks(text, pack));
          change({ ...test, is: hands.filter((hand): hand is string => hand !== null) });
        }}
      />
    );
  }
  const listed = typeof test.is === "boolean" ? [] : test.is;
  const toggle = (value: string | number) => {
    const next = listed.includes(value) ? listed.filter((each) => each !== value) : fact.values.filter((each) => each === value || listed.includes(each));
    change({ ...test, is: next });
  };
  return (
    <span class="chooses" role="group" aria-label={odds.values()}>
      {fact.may_be_none && <button type="button" aria-pressed={test.is === true} onClick={() => change({ ...test, is: true })}>{odds.any()}</button>}
      {fact.may_be_none && <button type="button" aria-pressed={test.is === false} onClick={() => change({ ...test, is: false })}>{odds.none()}</button>}
      {fact.values.map((value) => (
        <button type="button" key={value} aria-pressed={listed.includes(value)} onClick={() => toggle(value)}>{valueText(fact.fact, value, pack)}</button>
      ))}
    </span>
  );
}

function TestRow({ test, pack, change, isOnly }: { test: Test; pack: PackTold; change: (test: Test | null) => void; isOnly: boolean }) {
  const fact = pack.facts.find((each) => each.fact === test.fact);
  return (
    <div class="test">
      <select
        aria-label={odds.fact()} value={test.fact}
        onChange={(event) => {
          const chosen = pack.facts.find((each) => each.fact === event.currentTarget.value);
          if (chosen) change(firstTest(chosen));
        }}
      >{pack.facts.map((each) => <option key={each.fact} value={each.fact}>{said(each.name)}</option>)}</select>
      <button type="button" class="btn small isnot" aria-pressed={test.isNot} onClick={() => change({ ...test, isNot: !test.isNot })}>{test.isNot ? odds.isNot() : odds.is()}</button>
      {!isOnly && <button type="button" class="iconbtn" aria-label={odds.removeTest()} onClick={() => change(null)}><Icon name="close" size={18} /></button>}
      {fact && <Values key={fact.fact} test={test} fact={fact} pack={pack} change={change} />}
    </div>
  );
}

function LineFields({ line, number, pack, change, isOnly }: { line: OwnLine; number: number; pack: PackTold; change: (line: OwnLine | null) => void; isOnly: boolean }) {
  const isPush = line.pays === PUSH;
  return (
    <fieldset class="ownline">
      <legend class="serif">{odds.line({ number })}</legend>
      <div class="pays">
        <label class="label">{odds.pays()}
          <input
            value={isPush ? "" : line.pays} disabled={isPush} placeholder="8:1" title={odds.paysHint()} aria-invalid={!isPayment(line.pays)}
            onInput={(event) => change({ ...line, pays: event.currentTarget.value })}
            onBlur={(event) => change({ ...line, pays: readPayment(event.currentTarget.value) })}
          />
        </label>
        <label class="check"><input type="checkbox" checked={isPush} onChange={() => change({ ...line, pays: isPush ? "1:1" : PUSH })} />{odds.returns()}</label>
        {!isOnly && <button type="button" class="btn small quiet" onClick={() => change(null)}>{odds.removeLine({ number })}</button>}
      </div>
      <span class="label">{odds.when()}</span>
      {line.tests.map((test, place) => (
        <TestRow key={place} test={test} pack={pack} isOnly={line.tests.length === 1} change={(next) => change({ ...line, tests: replaced(line.tests, place, next) })} />
      ))}
      <button
        type="button" class="btn small quiet add"
        onClick={() => {
          const fact = pack.facts.find((each) => !line.tests.some((test) => test.fact === each.fact)) ?? pack.facts[0];
          if (fact) change({ ...line, tests: [...line.tests, firstTest(fact)] });
        }}
      ><Icon name="plus" size={18} />{odds.addTest()}</button>
    </fieldset>
  );
}

export function OwnEditor({ lab, close }: { lab: Lab; close: () => void }) {
  const pack = lab.pack.value as PackTold;
  const [own, setOwn] = useState<OwnWager>(() => lab.own.value ?? firstWager(pack));
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const whole = { ...own, name: own.name.trim() };
    if (isWhole(whole)) {
      lab.own.value = whole;
      lab.wager.value = OWN_ID;
    }
  }, [own]);
  const changeLine = (place: number, line: OwnLine | null) => setOwn({ ...own, lines: replaced(own.lines, place, line) });
  const price = lab.ownOdds.value, refusal = lab.ownRefusal.value;
  return (
    <dialog ref={dialog} class="owndialog" aria-labelledby="own-title" onClose={close}>
      <form method="dialog" onSubmit={(event) => (event.preventDefault(), dialog.current?.close())}>
        <div class="ownhead">
          <h2 id="own-title" class="serif">{odds.ownTitle()}</h2><button type="submit" class="btn small solid">{odds.done()}</button>
          <p class="price">
            {!isWhole(own) ? odds.unfinished() : refusal ? <span class="refused">{refusal.sentence}</span> : price ? <b>{odds.priced({ edge: percent(price.house_edge) })}</b> : odds.pricing()}
          </p>
        </div>
        <p class="label">{odds.ownHint()}</p>
        <label class="label">{odds.ownName()}<input value={own.name} maxLength={40} onInput={(event) => setOwn({ ...own, name: event.currentTarget.value })} /></label>
        {own.lines.map((line, place) => (
          <LineFields key={place} line={line} number={place + 1} pack={pack} isOnly={own.lines.length === 1} change={(next) => changeLine(place, next)} />
        ))}
        <button type="button" class="btn small" onClick={() => setOwn({ ...own, lines: [...own.lines, firstLine(pack)] })}><Icon name="plus" size={18} />{odds.addLine()}</button>
        {lab.own.value && (
          <button
            type="button" class="btn small quiet"
            onClick={() => {
              lab.own.value = null;
              lab.wager.value = null;
              dialog.current?.close();
            }}
          >{odds.removeWager()}</button>
        )}
      </form>
    </dialog>
  );
}
