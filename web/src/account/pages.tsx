/** A list that comes page by page, newest first: the next page is asked for and added to the end. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { account } from "../words/account.ts";
import { Answer, useAsking, type Asking } from "./asking.tsx";

export interface Paged<Row> {
  rows: readonly Row[] | null;
  hasMore: boolean;
  more: () => void;
  asking: Asking;
}

export function usePages<Row, Page extends { before: string | number | null }>(path: string, rowsOf: (page: Page) => readonly Row[], whose: string): Paged<Row> {
  const [rows, setRows] = useState<readonly Row[] | null>(null), [before, setBefore] = useState<string | number | null>(null);
  const asking = useAsking();
  const load = (from: string | number | null, known: readonly Row[]) => void asking.ask(async () => {
    const page = await get<Page>(`${path}?limit=50${from === null ? "" : `&before=${encodeURIComponent(from)}`}`);
    setRows([...known, ...rowsOf(page)]);
    setBefore(page.before);
    return null;
  });
  useEffect(() => {
    setRows(null);
    load(null, []);
  }, [path, whose]);
  return { rows, hasMore: before !== null, more: () => load(before, rows ?? []), asking };
}

export function PageEnd({ of, none }: { of: Paged<unknown>; none: string }) {
  return (
    <>
      {of.rows?.length === 0 && <p class="muted nothing">{none}</p>}
      {of.rows === null && !of.asking.said && <p class="muted nothing">{account.loading()}</p>}
      <Answer of={of.asking} />
      {of.hasMore && <button type="button" class="btn" aria-disabled={of.asking.isBusy} onClick={() => !of.asking.isBusy && of.more()}>{account.older()}</button>}
    </>
  );
}
