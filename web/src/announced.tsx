/** The one live region of the page: what happens at the table is read out there, and nowhere else. */
import { signal } from "@preact/signals";

const spoken = signal("");

/** Read a sentence out; the same one again is read again. */
export function announce(sentence: string): void {
  spoken.value = spoken.value === sentence ? `${sentence}\u00a0` : sentence;
}

export function LiveRegion() {
  return <div class="vh" role="status" aria-live="polite" aria-atomic="true" id="live-region">{spoken}</div>;
}
