/** A table as this page has it before it: a snapshot, and every event folded into it. Pure: no clock, no socket. */
import type {
  DrawReason, Hands, Own, RoundResult, RoundSaid, RoundVoidedTold, SocketEvent, SocketMessage, TableShown,
  WagerSettled,
} from "../types/api.ts";

/** What lies on the felt, by wager. */
export type Slip = Readonly<Record<string, number>>;

/** Why a hand drew or stood, and after how many cards that was said. */
export interface Reason extends DrawReason {
  cards: number;
}

/** How the last round ended, for as long as it is shown. */
export interface RoundEnd {
  round: number;
  time: number;
  result: RoundResult | null;
  /** By wager, one's own; empty where one had no stake. */
  wagers: Readonly<Record<string, WagerSettled>>;
  /** What one had on it: all of it came back where the round is void. */
  stakes: Slip;
  net: number | null;
  void: Pick<RoundVoidedTold, "irregularity" | "clause" | "note"> | null;
  corrected: { clause: string; note: string; moved: number | null } | null;
}

export interface TableState extends TableShown {
  version: number;
  /** Why the hands draw or stand, as far as they are dealt. */
  why: readonly DrawReason[];
  /** The same from the first card on: the course of the round in sentences. */
  reasons: readonly Reason[];
  /** What the hands had on two cards each, once they had them. */
  firstTotals: { playerTotal: number; bankerTotal: number } | null;
  /** What the dealer announced, once that is done. */
  result: RoundResult | null;
  end: RoundEnd | null;
  /** Results of the shoe with pairs and lines, for the roads; the letters alone come with a snapshot. */
  shoeResults: readonly (RoundResult | null)[];
  closedAt: number | null;
  /** How many seconds this round's betting was open for, where that is known: the ring of the countdown. */
  opensFor: number | null;
  openedAt: number | null;
  /** The version as of which one's own stakes and balance are known: an answer that is older says nothing new. */
  ownVersion: number;
  /** What one had on the last round that one played. */
  lastSlip: Slip;
  /** How long the table rested between its last two rounds, where that was seen, in milliseconds. */
  restsFor: number | null;
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
    reasons: isSame ? before.reasons.filter(({ cards }) => cards <= cardsIn(shown.deal)) : [],
    firstTotals: isSame ? before.firstTotals : null,
    result: isSame ? before.result : null,
    end: isSame && shown.phase !== "betting" ? before.end : null,
    shoeResults: [...known, ...[...shown.results].slice(known.length).map(() => null)],
    closedAt: isSame ? before.closedAt : null,
    opensFor: shown.closes_at === null ? null : isSame && before.opensFor !== null ? before.opensFor : (shown.closes_at - time) / 1000,
    openedAt: isSame ? before.openedAt : time,
    ownVersion: version,
    lastSlip: before?.you === shown.you ? (before?.lastSlip ?? {}) : {},
    restsFor: before?.restsFor ?? null,
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
      // An answer may be older than what came before it: that of a round that is over changes no stake.
      if (state === null || message.stakes === undefined || message.version < state.ownVersion) return state;
      const balance = message.balance ?? state.balance;
      return { ...state, stakes: message.stakes, balance, ownVersion: message.version };
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
  return { ...state, stakes: message.stakes, balance: message.balance, ownVersion: message.version };
}

function afterEvent(state: TableState, event: SocketEvent): TableState {
  if (event.version < state.version) return state;
  const next = { ...state, version: event.version, next: event.next ?? state.next };
  switch (event.event) {
    case "shoe-opened":
      return {
        ...next, phase: "burn due", shoe: event.shoe, cards_left: event.cards, rounds_left: null,
        results: "", shoeResults: [], end: null, result: null, deal: NO_CARDS, why: [], reasons: [], firstTotals: null,
      };
    case "shoe-committed":
      return { ...next, committed: event.committed };
    case "cards-burned":
      return { ...next, phase: "ready", cards_left: next.cards_left - event.shown.length - event.face_down };
    case "betting-opened":
      return {
        ...next, phase: "betting", round: event.round, rules_digest: event.rules_digest, closes_at: event.closes_at,
        opensFor: event.closes_at === null ? null : (event.closes_at - event.time) / 1000, openedAt: event.time,
        closedAt: null, deal: NO_CARDS, why: [], reasons: [], firstTotals: null, result: null, end: null, due: null, stakes: {},
        spots: emptied(next.spots), ownVersion: event.version,
        restsFor: next.end === null ? next.restsFor : event.time - next.end.time,
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
        ...next, deal: event.deal, why: event.why, due: event.due, reasons: reasoned(next.reasons, event.deal, event.why),
        firstTotals: onTwoEach(event.deal) ?? (cardsIn(event.deal) > 4 ? next.firstTotals : null),
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
        stakes: {}, balance: event.balance ?? next.balance, closes_at: null, ownVersion: event.version,
        lastSlip: event.wagers ? slipOf(event.wagers) : next.lastSlip,
        rounds_left: next.rounds_left === null ? null : Math.max(0, next.rounds_left - 1),
        end: {
          round: event.round, time: event.time, result: event.result, wagers: event.wagers ?? {},
          stakes: slipOf(event.wagers ?? {}), net: event.net ?? null, void: null, corrected: null,
        },
      };
    case "round-voided":
      return {
        ...next, phase: "ready", results: event.results, shoeResults: next.shoeResults.slice(0, event.results.length),
        stakes: {}, balance: event.balance ?? next.balance, closes_at: null, ownVersion: event.version,
        lastSlip: next.stakes && Object.keys(next.stakes).length ? next.stakes : next.lastSlip,
        end: {
          round: event.round, time: event.time, result: null, wagers: {},
          // A round that was paid already is taken back with what lay on it then.
          stakes: event.round === next.end?.round ? next.end.stakes : (next.stakes ?? {}), net: event.moved ?? null,
          void: { irregularity: event.irregularity, clause: event.clause, note: event.note }, corrected: null,
        },
      };
    case "round-corrected":
      return {
        ...next, results: event.results, balance: event.balance ?? next.balance,
        shoeResults: [...next.shoeResults.slice(0, event.results.length - 1), event.result],
        end: {
          round: event.round, time: event.time, result: event.result, wagers: event.wagers ?? next.end?.wagers ?? {},
          stakes: event.wagers ? slipOf(event.wagers) : (next.end?.stakes ?? {}),
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

export function cardsIn(deal: Hands): number {
  return deal.player.length + deal.banker.length;
}

function onTwoEach(deal: Hands): TableState["firstTotals"] {
  return deal.player.length === 2 && deal.banker.length === 2
    ? { playerTotal: deal.player_total, bankerTotal: deal.banker_total } : null;
}

function reasoned(before: readonly Reason[], deal: Hands, why: readonly DrawReason[]): readonly Reason[] {
  const cards = cardsIn(deal), kept = before.filter((each) => each.cards < cards);
  // That no hand is due a card says nothing when both have three.
  return deal.banker.length === 3 ? kept : [...kept, ...why.map((each) => ({ ...each, cards }))];
}

export function slipOf(wagers: Readonly<Record<string, { stake: number }>>): Slip {
  return Object.fromEntries(Object.entries(wagers).map(([wager, { stake }]) => [wager, stake]));
}

/** Whether a round is under way, from its first wager to its payment. */
export function isInRound(phase: TableShown["phase"]): boolean {
  return phase === "betting" || phase === "dealing" || phase === "complete" || phase === "announced";
}

/** With the last round as the record has it: how it ended where that is still shown, and what one had on it. */
export function withLast(state: TableState, said: RoundSaid): TableState {
  const wagers = said.wagers as Readonly<Record<string, WagerSettled>>, own = Object.values(wagers);
  const lastSlip = own.length && !Object.keys(state.lastSlip).length ? slipOf(wagers) : state.lastSlip;
  if (said.number !== state.round || isInRound(state.phase) || state.end !== null || said.time === null) return { ...state, lastSlip };
  const result = said.void ? null : recorded(said);
  const deal = cardsIn(state.deal) ? state.deal : handsOf(said);
  return {
    ...state, lastSlip, result, deal,
    end: {
      round: said.number, time: said.time, result, wagers: said.void ? {} : wagers, stakes: slipOf(wagers),
      net: own.length ? own.reduce((sum, { net }) => sum + net, 0) : null, void: said.void, corrected: null,
    },
  };
}

/** Who won and with what: of pairs and lines the record of a round says nothing, and nothing is shown of them here. */
function recorded({ winner, player_total, banker_total }: RoundSaid): RoundResult | null {
  if (player_total === null || banker_total === null) return null;
  if (winner !== "player" && winner !== "banker" && winner !== "tie") return null;
  return { winner, player_total, banker_total, player_pair: false, banker_pair: false, lines: {} };
}

/** The hands from the notation of a deal, `P 9s Kd | B 3h 4h`. */
function handsOf({ deal, player_total, banker_total }: RoundSaid): Hands {
  const [, player, banker] = /^P ?([^|]*?) *\| *B ?(.*)$/.exec(deal) ?? [];
  const cards = (text: string | undefined) => text?.split(" ").filter(Boolean) ?? [];
  return { player: cards(player), banker: cards(banker), player_total: player_total ?? 0, banker_total: banker_total ?? 0 };
}
