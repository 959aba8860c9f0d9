/** A table as this page has it before it: a snapshot, and every event folded into it. Pure: no clock, no socket. */
import type {
  DrawReason, Hands, Own, RoundResult, RoundVoidedTold, SocketEvent, SocketMessage, TableShown, WagerSettled,
} from "../types/api.ts";

/** How the last round ended, for as long as it is shown. */
export interface RoundEnd {
  round: number;
  time: number;
  result: RoundResult | null;
  /** By wager, one's own; empty where one had no stake. */
  wagers: Readonly<Record<string, WagerSettled>>;
  net: number | null;
  void: Pick<RoundVoidedTold, "irregularity" | "clause" | "note"> | null;
  corrected: { clause: string; note: string; moved: number | null } | null;
}

export interface TableState extends TableShown {
  version: number;
  /** Why the hands draw or stand, as far as they are dealt. */
  why: readonly DrawReason[];
  /** What the dealer announced, once that is done. */
  result: RoundResult | null;
  end: RoundEnd | null;
  /** Results of the shoe with pairs and lines, for the roads; the letters alone come with a snapshot. */
  shoeResults: readonly (RoundResult | null)[];
  closedAt: number | null;
  /** How many seconds this round's betting was open for, where that is known: the ring of the countdown. */
  opensFor: number | null;
  openedAt: number | null;
  stopped: string | null;
  isClosed: boolean;
}

const NO_CARDS: Hands = { player: [], banker: [], player_total: 0, banker_total: 0 };

export function begun(shown: TableShown, version: number, time: number, before: TableState | null): TableState {
  const isSame = before !== null && before.round === shown.round && before.shoe === shown.shoe;
  const isSameShoe = before !== null && before.shoe === shown.shoe;
  const known = isSameShoe ? before.shoeResults.slice(0, shown.results.length) : [];
  return {
    ...shown,
    version,
    why: isSame ? before.why : [],
    result: isSame ? before.result : null,
    end: isSame && shown.phase !== "betting" ? before.end : null,
    shoeResults: [...known, ...[...shown.results].slice(known.length).map(() => null)],
    closedAt: isSame ? before.closedAt : null,
    opensFor: shown.closes_at === null ? null : isSame && before.opensFor !== null ? before.opensFor : (shown.closes_at - time) / 1000,
    openedAt: isSame ? before.openedAt : time,
    stopped: shown.trouble,
    isClosed: false,
  };
}

/** What follows a message; the same state where it says nothing about the table. */
export function after(state: TableState | null, message: SocketMessage): TableState | null {
  switch (message.type) {
    case "snapshot":
      return begun(message.table, message.version, message.time, state);
    case "event":
      return state === null ? null : afterEvent(state, message);
    case "own":
      return state && owned(state, message);
    case "accepted": {
      if (state === null || message.stakes === undefined) return state;
      // An answer may be older than an event that came before it: that of a round that is over changes no stake.
      const stakes = state.phase === "betting" ? message.stakes : (state.stakes ?? {});
      return { ...state, stakes, balance: message.balance ?? state.balance };
    }
    case "account-adjusted":
    case "money-issued":
    case "money-returned":
    case "money-changed":
      return state && message.currency === state.currency ? { ...state, balance: message.balance } : state;
    case "table-stopped":
      return state && { ...state, stopped: message.message };
    case "table-closed":
      return state && { ...state, isClosed: true };
    default:
      return state;
  }
}

function owned(state: TableState, message: Own): TableState {
  return { ...state, stakes: message.stakes, balance: message.balance };
}

function afterEvent(state: TableState, event: SocketEvent): TableState {
  if (event.version < state.version) return state;
  const next = { ...state, version: event.version, next: event.next ?? state.next };
  switch (event.event) {
    case "shoe-opened":
      return {
        ...next, phase: "burn due", shoe: event.shoe, cards_left: event.cards, rounds_left: null,
        results: "", shoeResults: [], end: null, result: null, deal: NO_CARDS, why: [],
      };
    case "shoe-committed":
      return { ...next, committed: event.committed };
    case "cards-burned":
      return { ...next, phase: "ready", cards_left: next.cards_left - event.shown.length - event.face_down };
    case "betting-opened":
      return {
        ...next, phase: "betting", round: event.round, rules_digest: event.rules_digest, closes_at: event.closes_at,
        opensFor: event.closes_at === null ? null : (event.closes_at - event.time) / 1000, openedAt: event.time,
        closedAt: null, deal: NO_CARDS, why: [], result: null, end: null, due: null, stakes: {}, spots: emptied(next.spots),
        committed: next.committed && event.round_in_shoe !== null
          ? { ...next.committed, round_in_shoe: event.round_in_shoe } : next.committed,
      };
    case "stakes-changed":
      return { ...next, spots: event.spots };
    case "betting-closed":
      return { ...next, phase: "dealing", spots: event.spots, due: event.due, closes_at: null, closedAt: event.time };
    case "card-dealt":
    case "card-taken-back":
      return {
        ...next, deal: event.deal, why: event.why, due: event.due,
        phase: event.due === null ? "complete" : "dealing",
        cards_left: next.cards_left + (event.event === "card-dealt" ? -1 : 1),
      };
    case "cut-card-appeared":
      return { ...next, rounds_left: event.rounds_left };
    case "result-announced":
      return { ...next, phase: "announced", result: event.result, due: null };
    case "announcement-withdrawn":
      return { ...next, phase: "complete", result: null };
    case "round-settled":
      return {
        ...next, phase: "ready", result: event.result, results: event.results,
        shoeResults: [...next.shoeResults.slice(0, event.results.length - 1), event.result],
        stakes: {}, balance: event.balance ?? next.balance, closes_at: null,
        rounds_left: next.rounds_left === null ? null : Math.max(0, next.rounds_left - 1),
        end: {
          round: event.round, time: event.time, result: event.result, wagers: event.wagers ?? {},
          net: event.net ?? null, void: null, corrected: null,
        },
      };
    case "round-voided":
      return {
        ...next, phase: "ready", results: event.results, shoeResults: next.shoeResults.slice(0, event.results.length),
        stakes: {}, balance: event.balance ?? next.balance, closes_at: null,
        end: {
          round: event.round, time: event.time, result: null, wagers: {}, net: event.moved ?? null,
          void: { irregularity: event.irregularity, clause: event.clause, note: event.note }, corrected: null,
        },
      };
    case "round-corrected":
      return {
        ...next, results: event.results, balance: event.balance ?? next.balance,
        shoeResults: [...next.shoeResults.slice(0, event.results.length - 1), event.result],
        end: {
          round: event.round, time: event.time, result: event.result, wagers: event.wagers ?? next.end?.wagers ?? {},
          net: event.net ?? next.end?.net ?? null, void: null,
          corrected: { clause: event.clause, note: event.note, moved: event.moved ?? null },
        },
      };
    case "settings-changed":
      return { ...next, ...event.table };
    case "table-paused":
      return { ...next, paused: event.reason, closes_at: null };
    case "table-resumed":
      return { ...next, paused: null, closes_at: event.closes_at };
    case "shoe-ended":
      return { ...next, phase: "closed", committed: null };
    default:
      return next;
  }
}

function emptied(spots: TableShown["spots"]): TableShown["spots"] {
  return Object.fromEntries(Object.keys(spots).map((wager) => [wager, { stake: 0, patrons: 0 }]));
}
