/** What waits for a second person at a table, and what became of it. */
import { useCallback, useEffect, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { get } from "../api.ts";
import type { Asked } from "../live.ts";
import { me, role } from "../session.ts";
import type { RequestList, SocketMessage } from "../types/api.ts";
import { dealer } from "../words/dealer.ts";

export interface Waits {
  id: string;
  what: "void" | "correct";
  by: string;
  note: string;
}

interface Known {
  waiting: readonly Waits[];
  told: string | null;
  look: () => void;
  hear: (message: SocketMessage) => void;
}

export function useRequests(table: string): Known {
  const [waiting, setWaiting] = useState<readonly Waits[]>([]);
  const [told, setTold] = useState<string | null>(null);
  const look = useCallback(() => {
    void get<RequestList>("/api/requests").then((list) => {
      const here = list.requests.filter((each) => each.state === "waiting" && each.stream === `table/${table}`);
      setWaiting(here.map((each) => {
        const asked = each.body as unknown as { do: Waits["what"]; note: string };
        return { id: each.id, what: asked.do, by: each.asked_by, note: asked.note };
      }));
    }, () => undefined);
  }, [table]);
  useEffect(look, [look]);
  const hear = (message: SocketMessage): void => {
    if (message.type === "snapshot") look();
    if (message.type === "request-made") {
      setTold(null);
      look();
    }
    if (message.type === "request-decided") {
      const said = {
        approved: dealer.approved, declined: dealer.declined, withdrawn: dealer.withdrawn, lapsed: dealer.lapsed,
      }[message.state]({ note: message.note });
      setTold(said);
      announce(said);
      look();
    }
  };
  return { waiting, told, look, hear };
}

interface Props {
  requests: readonly Waits[];
  told: string | null;
  ask: (command: Asked) => Promise<boolean>;
}

export function Requests({ requests, told, ask }: Props) {
  const decides = role.value === "supervisor" || role.value === "director";
  return (
    <>
      {requests.map((each) => {
        const isOwn = each.by === me.value?.patron;
        return (
          <div class="asking" key={each.id}>
            <span>{isOwn ? dealer.asked() : dealer.waits({ what: dealer[each.what](), who: each.by })} <span class="muted">{each.note}</span></span>
            <span class="push">
              {decides && !isOwn && <button type="button" class="btn small solid" onClick={() => void ask({ do: "approve", request: each.id })}>{dealer.approve()}</button>}
              {(decides || isOwn) && <button type="button" class="btn small" onClick={() => void ask({ do: "decline", request: each.id })}>{isOwn ? dealer.withdrawRequest() : dealer.decline()}</button>}
            </span>
          </div>
        );
      })}
      {told && requests.length === 0 && <div class="asking">{told}</div>}
    </>
  );
}
