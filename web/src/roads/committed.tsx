/** That the shoe in play was committed to before its first wager, and the way to check it. */
import "../styles/roads.css";
import { Icon } from "../icons.tsx";
import { Link } from "../router.tsx";
import type { Committed } from "../types/api.ts";
import { roadWords } from "../words/roads.ts";

/** A hash as people compare it: how it begins and how it ends. */
export function fingerprint(hex: string): string {
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)} … ${hex.slice(-4)}`;
}

/** `hasOwn`: this patron's own number is mixed in. */
export function CommittedShoe({ table, shoe, committed, hasOwn }: { table: string; shoe: number; committed: Committed; hasOwn?: boolean }) {
  return (
    <section class="panel commit">
      <Icon name="shield" size={26} />
      <div>
        <b>{roadWords.committed({ shoe })}</b>
        <p class="label num"><span title={committed.anchor}>{fingerprint(committed.anchor)}</span>{hasOwn && `, ${roadWords.withYours()}`}</p>
      </div>
      <Link class="btn small" href={`/tables/${encodeURIComponent(table)}/shoes/${shoe}`} aria-label={roadWords.verifyShoe({ shoe })}>{roadWords.verify()}</Link>
    </section>
  );
}
