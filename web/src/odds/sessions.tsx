/** Bankroll curves of simulated sessions: asked as a job, shown as bands with a few single sessions. */
import { computed } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post, Refusal, remove } from "../api.ts";
import { announce } from "../announced.tsx";
import { come, me } from "../session.ts";
import type { JobResult, JobSaid, Vocabulary } from "../types/api.ts";
import { odds } from "../words/odds.ts";
import { said } from "../words/said.ts";
import type { Play } from "./address.ts";
import { band, line, scaleOf } from "./chart.ts";
import { fixed, percent, signedFixed } from "./figures.ts";
import { shownWager } from "./effects.tsx";
import type { Lab } from "./lab.ts";
import { OWN_ID } from "./own.ts";
import { wagerName } from "./wagers.tsx";

const isKnown = computed(() => me.value !== null);
const LOOK_MILLISECONDS = 250;
const FIRST = { rounds: 300, sessions: 1_500, seed: 1 };
const FIRST_BASE = 100, FIRST_BANKROLL = 100;

/** What is played where nobody has said anything: a stake that every line pays in whole units. */
function firstPlay(words: Vocabulary, game: string, wager: string): Play {
  const step = words.stake_steps[game] ?? 1, base = Math.ceil(FIRST_BASE / step) * step;
  return { ...FIRST, system: words.systems[0]?.system ?? "", wager, base, bankroll: FIRST_BANKROLL * base };
}

function ends(result: JobResult): string {
  const last = (share: string) => signedFixed(result.curves.quantiles[share]?.at(-1) ?? 0, 0);
  return odds.ends({ sessions: fixed(result.sessions, 0), low: last("0.05"), middle: last("0.5"), high: last("0.95") });
}

function Chart({ result }: { result: JobResult }) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 600, height: 260 });
  useEffect(() => {
    const watched = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: Math.max(240, Math.round(entry.contentRect.width)), height: Math.max(200, Math.round(entry.contentRect.height)) });
    });
    if (box.current) watched.observe(box.current);
    return () => watched.disconnect();
  }, []);
  const { rounds, quantiles, sessions } = result.curves;
  const of = (share: string) => quantiles[share] ?? [];
  const all = [...Object.values(quantiles), ...sessions].flat();
  const frame = { ...size, left: 52, right: 6, top: 10, bottom: 26 };
  const scale = scaleOf(frame, result.rounds, Math.min(...all), Math.max(...all));
  return (
    <div class="chartbox" ref={box}>
      <svg width={size.width} height={size.height} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={odds.chart({ summary: ends(result) })}>
        {scale.money.map((money) => (
          <g key={money}>
            <path class="gl" d={`M${frame.left - 4} ${scale.y(money)}H${size.width - frame.right}`} />
            <text class="ax" x={frame.left - 10} y={scale.y(money) + 5} text-anchor="end">{signedFixed(money, 0)}</text>
          </g>
        ))}
        {scale.rounds.map((round) => <text class="ax" key={round} x={Math.min(scale.x(round), size.width - 14)} y={size.height - 4} text-anchor="middle">{fixed(round, 0)}</text>)}
        <path class="b90" d={band(scale, rounds, of("0.05"), of("0.95"))} />
        <path class="b50" d={band(scale, rounds, of("0.25"), of("0.75"))} />
        {sessions.map((session, place) => <path class="s" key={place} d={line(scale, rounds, session)} />)}
        <path class="m" d={line(scale, rounds, of("0.5"))} />
      </svg>
    </div>
  );
}

function Legend({ result }: { result: JobResult }) {
  const { ruin, share_of_sessions_won: won } = result.results;
  return (
    <p class="legend label">
      <span><i class="k90" />{odds.bandWide()}</span><span><i class="k50" />{odds.bandNarrow()}</span>
      <span><i class="km" />{odds.median()}</span><span><i class="ks" />{odds.single()}</span>
      <span class="last">{odds.ruined({ won: percent(won), share: percent(ruin.probability) })}</span>
    </p>
  );
}

interface FormProps { play: Play; words: Vocabulary; step: number; change: (play: Play) => void; start: () => void; isBusy: boolean }

function Form({ play, words, step, change, start, isBusy }: FormProps) {
  const number = (name: "base" | "rounds" | "sessions" | "bankroll" | "seed", most: number, by = 1) => (
    <label class="label">{odds[name]()}
      <input
        type="number" inputMode="numeric" required min={name === "seed" ? 0 : by} max={most} step={by} value={play[name]}
        onInput={(event) => change({ ...play, [name]: Math.trunc(Number(event.currentTarget.value)) || 0 })}
      />
    </label>
  );
  const system = words.systems.find((each) => each.system === play.system);
  return (
    <form class="playform" onSubmit={(event) => (event.preventDefault(), start())}>
      <label class="label sys">{odds.system()}
        <select value={play.system} onChange={(event) => change({ ...play, system: event.currentTarget.value })}>
          {words.systems.map((each) => <option value={each.system} key={each.system}>{said(each.name)}</option>)}
        </select>
      </label>
      {number("base", 1_000_000_000, step)}
      {number("bankroll", 1_000_000_000)}
      {number("rounds", words.jobs.rounds)}
      {number("sessions", words.jobs.sessions)}
      {number("seed", 1_000_000_000)}
      <p class="label desc">{system && said(system.description)} {odds.sessionsHint()}</p>
      <button type="submit" class="btn solid" disabled={isBusy}>{odds.playSessions()}</button>
    </form>
  );
}

export function SessionsPanel({ lab }: { lab: Lab }) {
  const words = lab.vocabulary.value, game = lab.game.value?.game, decks = lab.decksNow.value, wager = shownWager(lab);
  const [wanted, setWanted] = useState<Play | null>(lab.play.value);
  const [job, setJob] = useState<JobSaid | null>(null);
  const [result, setResult] = useState<JobResult | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isIdle, setIdle] = useState(true);
  const current = useRef<string | null>(null);

  // Whoever is known here sees what becomes of the first wager; nobody is made a guest for looking at odds.
  const first = lab.game.value?.wagers[0], isAsked = lab.play.value !== null;
  const played = lab.play.value ?? (words && game && first && isKnown.value && isIdle ? firstPlay(words, game, first) : null);
  const key = played && game ? JSON.stringify([game, decks, played]) : null;
  useEffect(() => {
    if (!key || !played) return;
    let isOver = false;
    const run = async () => {
      setRefusal(null);
      setJob(null);
      try {
        await come();
        let now = await post<JobSaid>("/api/jobs", { game, decks, ...played });
        current.current = now.id;
        while (!isOver && (now.state === "waiting" || now.state === "running")) {
          setJob(now);
          await new Promise((wake) => setTimeout(wake, LOOK_MILLISECONDS));
          now = await get<JobSaid>(`/api/jobs/${now.id}`);
        }
        current.current = null;
        if (isOver) return;
        setJob(null);
        if (now.result) {
          setResult(now.result);
          if (isAsked) announce(ends(now.result));
        } else if (now.problem) setRefusal(new Refusal("failed", null, now.problem));
      } catch (error) {
        if (!isOver && error instanceof Refusal) {
          setJob(null);
          if (isAsked) setRefusal(error);
        }
      }
    };
    void run();
    return () => {
      isOver = true;
      if (current.current) void remove(`/api/jobs/${current.current}`).catch(() => undefined);
      current.current = null;
    };
  }, [key]);

  if (!words || !game || !wager) return null;
  const step = words.stake_steps[game] ?? 1;
  const play = { ...(wanted ?? firstPlay(words, game, wager)), wager };
  const isShown = result && result.game === game;
  const system = words.systems.find((each) => each.system === result?.system);
  const stakedOn = system?.follows_road ? odds.byRoad() : wagerName(result?.wager ?? wager, lab.card.value, lab);
  const values = { system: said(system?.name ?? ""), base: fixed(result?.base ?? 0, 0), wager: stakedOn, rounds: fixed(result?.rounds ?? 0, 0) };
  return (
    <section class="panel bnk" aria-labelledby="sessions-title">
      <div class="rhead">
        <h2 id="sessions-title">
          {isShown ? (result.system === words.systems[0]?.system ? odds.sessionsTitle : odds.systemTitle)(values) : odds.sessionsEmpty()}
        </h2>
        {isShown && <button type="button" class="btn small quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{odds.settings()}</button>}
      </div>
      {isShown && <p class="label ends">{ends(result)}</p>}
      {lab.wager.value === OWN_ID && <p class="label">{odds.ownNotPlayed()}</p>}
      {(!isShown || isOpen) && !job && (
        <Form play={play} words={words} step={step} isBusy={job !== null} change={setWanted} start={() => ((lab.play.value = play), setOpen(false))} />
      )}
      {job && (
        <p class="running">
          <progress max={job.sessions} value={job.done} aria-label={odds.playSessions()} />
          <span class="num">{job.state === "waiting" ? odds.waiting() : odds.playing({ done: fixed(job.done, 0), sessions: fixed(job.sessions, 0) })}</span>
          <button type="button" class="btn small" onClick={() => ((lab.play.value = null), setIdle(false), setJob(null))}>{odds.end()}</button>
        </p>
      )}
      {refusal && <p class="refused">{refusal.sentence}</p>}
      {isShown && !job && <><Chart result={result} /><Legend result={result} /></>}
    </section>
  );
}
