/** The app opens from this browser's own copy, with or without a network, and says which of the two it is. */
import { computed, effect, signal } from "@preact/signals";
import { build, isOutdated, isUnreachable } from "./api.ts";
import { look } from "./session.ts";

const hasNetwork = signal(typeof navigator === "undefined" || navigator.onLine !== false);
/** Whether the service cannot be reached, as far as anybody here has noticed. */
export const isOffline = computed(() => !hasNetwork.value || isUnreachable.value);

const ASK_EVERY = 5_000;

/** Follow the network; while the service is away, ask for it again. */
export function followNetwork(): void {
  addEventListener("online", () => {
    hasNetwork.value = true;
    void look().catch(() => undefined);
  });
  addEventListener("offline", () => (hasNetwork.value = false));
  effect(() => {
    if (!isUnreachable.value) return;
    const asking = setInterval(() => {
      if (!document.hidden) void look().catch(() => undefined);
    }, ASK_EVERY);
    return () => clearInterval(asking);
  });
}

const WORKER = "/sw.js";

/** Keep the app in this browser; a copy of a newer build says so, and the page asks to be loaded again. */
export function keepApp(): void {
  // The worker is made by a build; where there is none, there is nothing to keep.
  if (!build || !("serviceWorker" in navigator) || !isSecureContext) return;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", (event: MessageEvent<{ build?: string } | null>) => {
    if (event.data?.build && event.data.build !== build) isOutdated.value = true;
  });
  const register = () => void serviceWorker.register(WORKER).catch(() => undefined);
  // What the page itself needs comes first.
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}

const TAKES_OVER_WITHIN = 8_000;

/** Load the page of the newer build: once its worker answers, or the older one would give the old page again. */
export async function reload(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration) await Promise.race([updated(registration), new Promise((resolve) => setTimeout(resolve, TAKES_OVER_WITHIN))]);
  } catch {
    // Without the worker the page comes from the service itself.
  }
  location.reload();
}

async function updated(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.update();
  const coming = registration.installing ?? registration.waiting;
  if (!coming) return;
  await new Promise<void>((resolve) => {
    const looked = () => {
      if (coming.state === "activated" || coming.state === "redundant") resolve();
    };
    coming.addEventListener("statechange", looked);
    looked();
  });
}
