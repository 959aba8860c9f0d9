/** What the service answers, for a page that shows it: the answer, why there is none, or neither yet. */
import { useEffect, useState } from "preact/hooks";
import { get, Refusal } from "../api.ts";

export interface Asked<Answer> {
  answer: Answer | null;
  refusal: Refusal | null;
}

/** Asks again when the path changes; asks nothing where there is none. */
export function useAsked<Answer>(path: string | null): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer>>({ answer: null, refusal: null });
  useEffect(() => {
    if (path === null) return;
    const control = new AbortController();
    get<Answer>(path, control.signal).then(
      (answer) => setAsked({ answer, refusal: null }),
      (error: unknown) => {
        if (error instanceof Refusal) setAsked({ answer: null, refusal: error });
      },
    );
    return () => control.abort();
  }, [path]);
  return asked;
}
