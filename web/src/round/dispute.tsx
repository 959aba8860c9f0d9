/** A dispute about a round, which the service files with the round filled in. */
import { useRef, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { post, Refusal } from "../api.ts";
import { Icon } from "../icons.tsx";
import { come } from "../session.ts";
import type { DisputeWithRound } from "../types/api.ts";
import { roundWords } from "../words/round.ts";
import { shell } from "../words/shell.ts";

export function DisputeButton({ table, number }: { table: string; number: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    setProblem(null);
    try {
      await come();
      await post<DisputeWithRound>("/api/disputes", { table, round: number, said: text.trim() });
      setSent(true);
      announce(roundWords.sent());
    } catch (error) {
      setProblem(error instanceof Refusal ? error.sentence : String(error));
    }
  };
  return (
    <>
      <button type="button" class="btn quiet" onClick={() => dialog.current?.showModal()}><Icon name="flag" size={20} />{roundWords.dispute()}</button>
      <dialog ref={dialog} class="dispute" aria-labelledby="dispute-title">
        <h2 id="dispute-title">{roundWords.disputeRound({ number })}</h2>
        {isSent ? (
          <>
            <p>{roundWords.sent()}</p>
            <p class="actions"><button type="button" class="btn" onClick={() => dialog.current?.close()}>{shell.close()}</button></p>
          </>
        ) : (
          <form onSubmit={(event) => void send(event)}>
            <p class="muted">{roundWords.disputeText()}</p>
            <label>{roundWords.whatHappened()}<textarea rows={4} maxLength={2000} required value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
            {problem && <p class="problem" role="alert">{problem}</p>}
            <p class="actions">
              <button type="submit" class="btn solid">{roundWords.send()}</button>
              <button type="button" class="btn" onClick={() => dialog.current?.close()}>{roundWords.cancel()}</button>
            </p>
          </form>
        )}
      </dialog>
    </>
  );
}
