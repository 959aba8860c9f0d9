/** What waits for a second person, read from the message that asked for it. Pure. */
import type { Asked } from "../types/api.ts";

export type AskedKind = "void" | "correct" | "adjust" | "issue" | "return" | "change" | "rate" | "other";
const KINDS: readonly string[] = ["void", "correct", "adjust", "issue", "return", "change", "rate"] satisfies AskedKind[];

export interface AskedFor {
  kind: AskedKind;
  table: string | null;
  round: number | null;
  patron: string | null;
  /** The money that moves, with its sign, and of which kind it is. */
  amount: number | null;
  unit: string | null;
  /** Of a change or a rate: what it becomes. */
  takes: string | null;
  numerator: number | null;
  denominator: number | null;
  /** Why, in the words of whoever asked. */
  reason: string;
  irregularity: string | null;
  /** Of a correction: the cards as they were. */
  deal: string | null;
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const number = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function askedFor(request: Pick<Asked, "stream" | "body">): AskedFor {
  const { stream } = request, body: Readonly<Record<string, unknown>> = request.body;
  const kind = text(body.do) ?? "";
  return {
    kind: KINDS.includes(kind) ? (kind as AskedKind) : "other",
    table: stream.startsWith("table/") ? stream.slice("table/".length) : text(body.table),
    round: number(body.round),
    patron: text(body.patron),
    amount: number(body.amount),
    unit: text(body.unit) ?? text(body.gives),
    takes: text(body.takes),
    numerator: number(body.numerator),
    denominator: number(body.denominator),
    reason: text(body.note) ?? text(body.reason) ?? "",
    irregularity: text(body.irregularity),
    deal: text(body.deal),
  };
}

/** Waiting, or approved and being carried out: nothing has become of it yet. */
export const isWaiting = (state: string): boolean => state === "waiting" || state === "deciding";
