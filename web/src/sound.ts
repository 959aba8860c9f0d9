/** Sound, made in the page and off until somebody asks for it. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

export const isLoud = signal(kept("sound") === "on");
export const volume = signal(Number(kept("volume") ?? "0.5") || 0);

effect(() => keep("sound", isLoud.value ? "on" : null));
effect(() => keep("volume", String(volume.value)));
