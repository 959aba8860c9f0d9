/** The transcript of a shoe as the service gives it: its very bytes, of which the verifier believes none. */
import { get, Refusal } from "../api.ts";
import type { RuleCard, Transcript } from "../types/api.ts";
import type { Options, Verdict } from "./verify.ts";
import { tableOfPlay } from "./tableofplay.ts";

export const transcriptPath = (table: string, shoe: number) => `/api/tables/${encodeURIComponent(table)}/shoes/${shoe}`;

async function bytesOf(path: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin" });
  } catch {
    return (await get<never>(path)) as never;
  }
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { reason: string; clause: string | null; message: string } };
    throw new Refusal(error.reason, error.clause, error.message, response.status);
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Deal a shoe again. The verifier comes on its own when it is asked for. */
export async function verified(table: string, shoe: number, rules: RuleCard | null, isChained = false): Promise<Verdict> {
  const [{ verify }, data, before] = await Promise.all([
    import("./verify.ts"),
    bytesOf(transcriptPath(table, shoe)),
    isChained && shoe > 1 ? bytesOf(transcriptPath(table, shoe - 1)).catch(() => null) : null,
  ]);
  const options: Options = rules ? { tables: { [rules.tableau.name]: tableOfPlay(rules.tableau) } } : {};
  return verify(data, before && isEnded(before) ? { ...options, before } : options);
}

/** A shoe that another follows has ended; one that is still read otherwise says nothing about the next. */
function isEnded(data: Uint8Array): boolean {
  try {
    return (JSON.parse(new TextDecoder().decode(data)) as Partial<Transcript>).final !== undefined;
  } catch {
    return true;
  }
}
