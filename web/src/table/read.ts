/** What the one live region says of an event: the round in sentences. */
import { cardName } from "../cards/card.tsx";
import { amount } from "../money.ts";
import type { SocketMessage } from "../types/api.ts";
import { said } from "../words/said.ts";
import { table } from "../words/table.ts";
import { handName, winnerName } from "./light.ts";
import type { RoundEnd, TableState } from "./model.ts";

function result(of: RoundEnd["result"]): string {
  return of ? table.readResult({ result: winnerName[of.winner](), player: of.player_total, banker: of.banker_total }) : "";
}

function money(end: RoundEnd, currency: string): string {
  if (end.net === null) return "";
  if (end.net > 0) return table.readWon({ amount: amount(end.net, currency) });
  return end.net < 0 ? table.readLost({ amount: amount(-end.net, currency) }) : table.readEven();
}

/** How a round ended, and what one won. */
export function readEnd(end: RoundEnd, currency: string): string {
  if (end.void) {
    const back = Object.values(end.stakes).reduce((sum, stake) => sum + stake, 0);
    return `${table.voidWhy({ round: end.round, reason: said(end.void.irregularity) })} ${back ? table.voidBack({ amount: amount(back, currency) }) : ""}`;
  }
  return `${result(end.result)} ${money(end, currency)}`;
}

/** The sentence for a message; null where it is not read out. A card that is still to be squeezed is not named. */
export function read(state: TableState, message: SocketMessage, pack: string, isFaceDown: boolean): string | null {
  if (message.type === "table-stopped") return said(message.message);
  if (message.type !== "event") return null;
  switch (message.event) {
    case "shoe-opened":
      return table.readShoe();
    case "betting-opened":
      return table.readOpen({ round: message.round });
    case "betting-closed":
      return table.readClosed();
    case "card-dealt": {
      const hand = handName[message.hand]();
      if (isFaceDown) return table.faceDown({ hand });
      const total = message.hand === "player" ? message.deal.player_total : message.deal.banker_total;
      return table.readCard({ hand, card: cardName(message.card, pack), total });
    }
    case "card-taken-back":
      return table.readTakenBack();
    case "result-announced":
      return isFaceDown ? null : result(message.result);
    case "round-settled":
    case "round-voided":
      return isFaceDown || !state.end ? null : readEnd(state.end, state.currency);
    case "round-corrected":
      return table.correctedWhy({ round: message.round, reason: message.note });
    case "table-paused":
      return table.pausedWhy({ reason: said(message.reason) });
    case "table-resumed":
      return table.readGoesOn();
    default:
      return null;
  }
}
