/** What a view asks of the service, and what became of it. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { get, Refusal } from "../api.ts";

export interface Loaded<Answer> {
  answer: Answer | null;
  problem: Refusal | null;
  again: () => void;
}

const asRefusal = (error: unknown): Refusal => (error instanceof Refusal ? error : new Refusal("fault", null, String(error)));

/** Asked anew when the path changes or there is news; the last answer stays until the next is there. */
export function useLoaded<Answer>(path: string | null, news: unknown = null): Loaded<Answer> {
  const [found, setFound] = useState<{ path: string; answer: Answer } | null>(null);
  const [problem, setProblem] = useState<{ path: string; refusal: Refusal } | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    get<Answer>(path, stop.signal).then(
      (answer) => {
        setFound({ path, answer });
        setProblem(null);
      },
      (error: unknown) => stop.signal.aborted || setProblem({ path, refusal: asRefusal(error) }),
    );
    return () => stop.abort();
  }, [path, news, turn]);
  const again = useCallback(() => setTurn((now) => now + 1), []);
  return {
    answer: found !== null && found.path === path ? found.answer : null,
    problem: problem !== null && problem.path === path ? problem.refusal : null,
    again,
  };
}

export interface Acting {
  isBusy: boolean;
  problem: Refusal | null;
  /** Do it once at a time; whether it was done. What was done is said aloud. */
  act: (work: () => Promise<string | void>) => Promise<boolean>;
  forget: () => void;
}

export function useActing(): Acting {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Refusal | null>(null);
  const act = async (work: () => Promise<string | void>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setProblem(null);
    try {
      const done = await work();
      if (done) announce(done);
      return true;
    } catch (error) {
      setProblem(asRefusal(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, act, forget: () => setProblem(null) };
}
