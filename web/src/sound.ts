/** Sound, made in the page and off until somebody asks for it: a few short voices of Web Audio, no file. */
import { effect, signal } from "@preact/signals";
import { keep, kept } from "./kept.ts";

export const isLoud = signal(kept("sound") === "on");

function keptVolume(): number {
  const known = Number(kept("volume") ?? "0.5");
  return Number.isFinite(known) ? Math.min(1, Math.max(0, known)) : 0.5;
}
export const volume = signal(keptVolume());

effect(() => keep("sound", isLoud.value ? "on" : null));
effect(() => keep("volume", String(volume.value)));

export const SOUNDS = ["chip", "card", "open", "soon", "close", "win", "lose"] as const;
export type Sound = (typeof SOUNDS)[number];

/** A tone that dies away, or a breath of noise about a pitch. */
interface Voice {
  kind: "tone" | "breath";
  hertz: number;
  /** Seconds from the beginning of the sound, and until it has died away. */
  at: number;
  lasts: number;
  loud: number;
  /** Where the pitch goes; nowhere unless said. */
  to?: number;
  shape?: OscillatorType;
}

const note = (hertz: number, at: number, lasts: number, loud: number): Voice => ({ kind: "tone", hertz, at, lasts, loud, shape: "sine" });
const click = (hertz: number, at: number): Voice[] => [
  { kind: "breath", hertz: hertz * 1.4, at, lasts: 0.03, loud: 0.5 },
  { kind: "tone", hertz, at, lasts: 0.05, loud: 0.22, to: hertz * 0.92, shape: "triangle" },
];

/** Clay on clay, paper on cloth, and a few bells: rising where something opens or is won, falling where it closes. */
export const VOICES: Readonly<Record<Sound, readonly Voice[]>> = {
  chip: [...click(2_600, 0), ...click(3_100, 0.045)],
  card: [{ kind: "breath", hertz: 1_800, to: 4_200, at: 0, lasts: 0.12, loud: 0.5 }, { kind: "breath", hertz: 500, at: 0.1, lasts: 0.05, loud: 0.5 }],
  open: [note(523.25, 0, 0.5, 0.35), note(783.99, 0.12, 0.7, 0.3)],
  soon: [note(880, 0, 0.12, 0.25), note(880, 0.16, 0.12, 0.2)],
  close: [note(587.33, 0, 0.4, 0.32), note(392, 0.14, 0.6, 0.32)],
  win: [note(523.25, 0, 0.5, 0.3), note(659.25, 0.1, 0.5, 0.3), note(783.99, 0.2, 0.6, 0.3), note(1_046.5, 0.3, 0.9, 0.28)],
  lose: [note(329.63, 0, 0.4, 0.25), note(261.63, 0.14, 0.6, 0.25)],
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** A browser gives sound only to who has touched the page: until then a context waits. */
function awake(): AudioContext | null {
  if (typeof AudioContext === "undefined") return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  return context;
}

function noiseOf(audio: AudioContext): AudioBuffer {
  if (noise) return noise;
  noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = Math.random() * 2 - 1;
  return noise;
}

function speak(audio: AudioContext, voice: Voice, loudness: number): void {
  const begins = audio.currentTime + voice.at, ends = begins + voice.lasts;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, begins);
  gain.gain.linearRampToValueAtTime(voice.loud * loudness, begins + 0.005);
  gain.gain.exponentialRampToValueAtTime(0.0001, ends);
  gain.connect(audio.destination);
  let source: AudioScheduledSourceNode, pitch: AudioParam;
  if (voice.kind === "tone") {
    const tone = audio.createOscillator();
    tone.type = voice.shape ?? "sine";
    tone.connect(gain);
    [source, pitch] = [tone, tone.frequency];
  } else {
    const breath = audio.createBufferSource(), filter = audio.createBiquadFilter();
    breath.buffer = noiseOf(audio);
    filter.type = "bandpass";
    filter.Q.value = 1.2;
    breath.connect(filter).connect(gain);
    [source, pitch] = [breath, filter.frequency];
  }
  pitch.setValueAtTime(voice.hertz, begins);
  if (voice.to) pitch.exponentialRampToValueAtTime(voice.to, ends);
  source.start(begins);
  source.stop(ends);
}

export function play(sound: Sound): void {
  if (!isLoud.value || volume.value === 0 || (typeof document !== "undefined" && document.hidden)) return;
  const audio = awake();
  // What would be heard only later says nothing any more.
  if (!audio || audio.state !== "running") return;
  // The ear hears loudness by its square.
  for (const voice of VOICES[sound]) speak(audio, voice, volume.value ** 2);
}

/** Turn the sound on or off by hand; whoever turns it on hears at once that it is. */
export async function setLoud(wanted: boolean): Promise<void> {
  isLoud.value = wanted;
  if (!wanted) return;
  const audio = awake();
  await audio?.resume().catch(() => undefined);
  play("chip");
}

if (typeof document !== "undefined") {
  // Somebody who has sound on from an earlier visit has it again with the first touch.
  for (const touch of ["pointerdown", "keydown"]) {
    addEventListener(touch, () => void (isLoud.value && awake()), { capture: true, passive: true });
  }
}
