/** Requests to the service: typed answers, and every error as a refusal with its reason, clause and sentence. */
import { signal } from "@preact/signals";
import { words } from "./words/language.ts";
import { said } from "./words/said.ts";
import type { Failure } from "./types/api.ts";

export const BUILD_HEADER = "x-puntobanco-build";
declare const BUILD: string;
export const build: string = typeof BUILD === "undefined" ? "" : BUILD;

/** Whether the service is of another build than this page, which then asks to be loaded again. */
export const isOutdated = signal(false);

/** Whether the last that was asked of the service, by request or by socket, did not reach it. */
export const isUnreachable = signal(false);

export function heardBuild(of: string | null | undefined): void {
  if (of && build && of !== build) isOutdated.value = true;
}

/** Something was not done, and why; the sentence is in the reader's language. */
export class Refusal extends Error {
  constructor(
    readonly reason: string,
    readonly clause: string | null,
    readonly english: string,
    readonly status = 0,
    readonly closedAt: number | null = null,
    /** In which the amounts of the sentence are meant, where whoever was refused knows it. */
    readonly currency: string | null = null,
  ) {
    super(english);
  }

  get sentence(): string {
    return this.reason === OFFLINE ? own.offline() : said(this.english, this.currency);
  }
}

const OFFLINE = "offline";
const own = words({
  offline: [
    "The service cannot be reached. What you have staked is kept there.",
    "无法连接服务。您的下注已在那里保留。",
    "無法連接服務。您的下注已在那裡保留。",
  ],
});

/** Nobody has answered: the page says so itself, for the service cannot. */
export function unanswered(status = 0): Refusal {
  return new Refusal(OFFLINE, null, own.offline(), status);
}

async function ask<Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      signal: signal ?? null,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    isUnreachable.value = true;
    throw unanswered();
  }
  isUnreachable.value = false;
  heardBuild(response.headers.get(BUILD_HEADER));
  if (response.status === 204) return undefined as Answer;
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw unanswered(response.status);
  }
  if (!response.ok) {
    const { error } = answer as Failure & { error: { closed_at?: number } };
    throw new Refusal(error.reason, error.clause ?? null, error.message, response.status, error.closed_at ?? null);
  }
  return answer as Answer;
}

export const get = <Answer>(path: string, signal?: AbortSignal) => ask<Answer>("GET", path, undefined, signal);
export const post = <Answer>(path: string, body: unknown = {}, signal?: AbortSignal) =>
  ask<Answer>("POST", path, body, signal);
export const put = <Answer>(path: string, body: unknown) => ask<Answer>("PUT", path, body);
export const patch = <Answer>(path: string, body: unknown) => ask<Answer>("PATCH", path, body);
export const remove = <Answer>(path: string) => ask<Answer>("DELETE", path);

/** An id for a command: whoever sends it again with the same id has it done once. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
