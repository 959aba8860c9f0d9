/** What a dealer asks for with a reason: a pause, a void by its clause, a correction. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { get, type Refusal } from "../api.ts";
import type { Asked } from "../live.ts";
import { amount } from "../money.ts";
import type { TableState } from "../table/model.ts";
import type { IrregularityList, Void } from "../types/api.ts";
import { dealer } from "../words/dealer.ts";
import { said } from "../words/said.ts";

type Ask = (command: Asked) => Promise<boolean>;

/** A dialog that is open as long as it is there: focus stays within, and Escape closes it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const found = dialog.current;
    if (found && !found.open) found.showModal();
  }, []);
  return <dialog ref={dialog} onClose={close} aria-label={title}><div class="ask"><h2>{title}</h2>{children}</div></dialog>;
}

export function AskPause({ close, ask }: { close: () => void; ask: Ask }) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={dealer.pause()} close={close}>
      <form class="ask" onSubmit={(event) => { event.preventDefault(); void ask({ do: "pause", reason }).then(close); }}>
        <label>{dealer.pauseWhy()}<input required maxLength={200} value={reason} onInput={(event) => setReason(event.currentTarget.value)} /></label>
        <div class="row"><button type="button" class="btn" onClick={close}>{dealer.cancel()}</button><button class="btn solid">{dealer.pause()}</button></div>
      </form>
    </Dialog>
  );
}

export function AskIrregular({ table, at, close, ask }: { table: string; at: TableState; close: () => void; ask: Ask }) {
  const [list, setList] = useState<IrregularityList["irregularities"] | null>(null);
  const [problem, setProblem] = useState<Refusal | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState("");
  const [deal, setDeal] = useState<string | null>(null);
  useEffect(() => {
    void get<IrregularityList>(`/api/tables/${table}/irregularities`).then((found) => setList(found.irregularities), setProblem);
  }, [table]);
  const of = list?.find((each) => each.irregularity === chosen);
  const written = `P ${at.deal.player.join(" ")} | B ${at.deal.banker.join(" ")}`;
  const submit = (): void => {
    if (deal !== null) void ask({ do: "correct", deal, note }).then(close);
    else if (of) void ask({ do: "void", irregularity: of.irregularity as Void["irregularity"], note, round: of.round }).then(close);
  };
  return (
    <Dialog title={dealer.voidTitle()} close={close}>
      <form class="ask" onSubmit={(event) => { event.preventDefault(); submit(); }}>
        {problem && <p>{problem.sentence}</p>}
        {deal === null ? (
          <div class="irregular" role="radiogroup" aria-label={dealer.voidTitle()}>
            {list?.map((each) => (
              <label key={each.irregularity} class={each.possible ? "" : "off"}>
                <input type="radio" name="irregularity" required disabled={!each.possible} checked={chosen === each.irregularity} onChange={() => setChosen(each.irregularity)} />
                <span class="clause">{said(each.clause)}</span><span>{said(each.text)}</span>
                {each.refusal && <small>{said(each.refusal)}</small>}
              </label>
            ))}
          </div>
        ) : (
          <label>{dealer.correctDeal()}<input required value={deal} onInput={(event) => setDeal(event.currentTarget.value)} /></label>
        )}
        {of && deal === null && <p class="muted">{of.returns === null ? dealer.voidSettled() : dealer.voidReturns({ amount: amount(of.returns, at.currency) })}</p>}
        <button type="button" class="btn small quiet" onClick={() => setDeal(deal === null ? written : null)}>{deal === null ? dealer.correctInstead() : dealer.voidTitle()}</button>
        <label>{dealer.voidNote()}<textarea required maxLength={200} value={note} onInput={(event) => setNote(event.currentTarget.value)} /></label>
        <div class="row">
          <button type="button" class="btn" onClick={close}>{dealer.cancel()}</button>
          <button class="btn solid" disabled={deal === null && !of?.possible}>{deal === null ? dealer.voidAsk() : dealer.correctAsk()}</button>
        </div>
      </form>
    </Dialog>
  );
}
