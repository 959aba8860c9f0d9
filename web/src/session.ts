/** Who uses this page: a guest plays at once, with play money and without a form. */
import { computed, signal } from "@preact/signals";
import { get, post, Refusal, remove } from "./api.ts";
import type { Me, SignedIn } from "./types/api.ts";

/** Null until it is known; nobody is signed in where `isNobody`. */
export const me = signal<Me | null>(null);
export const isNobody = signal(false);
/** Counts the changes of who is signed in: sockets follow it. */
export const sessions = signal(0);

export const role = computed(() => me.value?.role ?? null);
export const isStaff = computed(() => role.value !== null && role.value !== "guest" && role.value !== "patron");

function nobody(): null {
  me.value = null;
  isNobody.value = true;
  return null;
}

export async function look(): Promise<Me | null> {
  try {
    // Whoever comes for the first time is nobody yet, which is no error that a browser would complain of.
    if (me.value === null && (await get<SignedIn>("/api/session")).patron === null) return nobody();
    const found = await get<Me>("/api/me");
    me.value = found;
    isNobody.value = false;
    return found;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return nobody();
    throw error;
  }
}

let coming: Promise<Me | null> | null = null;

/** Whoever wants to play and is nobody yet comes as a guest. */
export function come(): Promise<Me | null> {
  coming ??= (async () => {
    try {
      const found = me.value ?? (await look());
      if (found) return found;
      await post("/api/guests");
      const now = await look();
      sessions.value += 1;
      return now;
    } finally {
      coming = null;
    }
  })();
  return coming;
}

export async function signIn(name: string, password: string): Promise<Me | null> {
  await post("/api/sessions", { name, password });
  const found = await look();
  sessions.value += 1;
  return found;
}

export async function signOut(): Promise<void> {
  await remove("/api/session");
  nobody();
  sessions.value += 1;
}

/** What changed by a message: balances are shown at once, and the rest is asked for when it is looked at. */
export function balanceIs(currency: string, balance: number): void {
  const known = me.value;
  if (known) me.value = { ...known, balances: { ...known.balances, [currency]: balance } };
}

export function netChanged(currency: string, by: number): void {
  const known = me.value;
  if (!known) return;
  const net = { ...known.session.net, [currency]: (known.session.net[currency] ?? 0) + by };
  me.value = { ...known, session: { ...known.session, net } };
}
