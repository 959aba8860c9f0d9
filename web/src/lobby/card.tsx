/** A table as the lobby shows it. Its name leads to the table; the eye shows it without leaving. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { amount, signed } from "../money.ts";
import { MiniBigRoad } from "../roads/mini.tsx";
import { Link } from "../router.tsx";
import { sealOf } from "../seals.ts";
import { lobby } from "../words/lobby.ts";
import { said } from "../words/said.ts";
import { clauseOf, counted, widest } from "./floor.ts";
import type { OwnStake } from "./own.ts";
import { Bar, When } from "./state.tsx";
import type { TableListed } from "../types/api.ts";

/** So wide is a cell of the road on a card, about. */
const CELL = 14;

/** As many columns as there is room for, so that cells are as large on a phone as on a wide screen. */
export function Road({ results }: { results: string }) {
  const box = useRef<HTMLDivElement>(null), [columns, fit] = useState(25);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => entry && fit(Math.max(6, Math.round(entry.contentRect.width / CELL))));
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return <div class="mini" ref={box}><MiniBigRoad results={results} columns={columns} /></div>;
}

const HANDS = [["B", lobby.banker], ["P", lobby.player], ["T", lobby.tie]] as const;

export function ResultCounts({ results }: { results: string }) {
  const counts = counted(results);
  return (
    <>
      {HANDS.map(([letter, name]) => (
        <span class="k" key={letter}><span class={`tag ${letter}`} aria-hidden="true">{letter}</span><span class="vh">{name()} </span>{counts[letter]}</span>
      ))}
    </>
  );
}

/** What is played here; where the table has no name but its game's, how it is dealt. */
export function subtitle(table: TableListed, game: string | undefined): string {
  if (game !== undefined && game !== table.name) return said(game);
  return `${lobby.decks({ decks: table.decks })} · ${table.dealing === "virtual" ? lobby.virtual() : lobby.dealer()}`;
}

function Yours({ stake, currency }: { stake: OwnStake | undefined; currency: string }) {
  const staked = stake?.staked ? amount(stake.staked, currency) : null;
  const says = staked
    ? stake?.spots === 1 ? lobby.stakedOne({ amount: staked }) : lobby.stakedOn({ amount: staked, spots: stake?.spots ?? 0 })
    : stake?.net != null ? lobby.lastNet({ amount: signed(stake.net, currency) }) : lobby.wasHere();
  return <p class="yours"><b>{lobby.yourTable()}</b> {says}</p>;
}

function Waits({ reason, word }: { reason: string; word: string }) {
  const { clause, text } = clauseOf(said(reason));
  return <p class="yours paused"><b>{clause ?? word}</b> <span dir="auto">{text}</span></p>;
}

interface CardProperties {
  table: TableListed;
  game: string | undefined;
  opensFor: number | undefined;
  isYours: boolean;
  stake: OwnStake | undefined;
  look: () => void;
}

export function TableCard({ table, game, opensFor, isYours, stake, look }: CardProperties) {
  const range = widest(table.limits), waits = table.trouble ?? table.paused, name = said(table.name);
  return (
    <article class={`tcard panel ${isYours ? "here" : ""} ${waits === null ? "" : "pause"}`}>
      <div class="top">
        <span class="seal" lang="zh-Hant" aria-hidden="true">{sealOf(table.id)}</span>
        <div class="nm">
          <h2><Link class="open" href={`/tables/${encodeURIComponent(table.id)}`} dir="auto">{name}</Link></h2>
          <p>{subtitle(table, game)}</p>
        </div>
        <When table={table} />
      </div>
      <Bar table={table} opensFor={opensFor} />
      <Road results={table.results} />
      {waits !== null && <Waits reason={waits} word={table.trouble === null ? lobby.paused() : lobby.stopped()} />}
      {waits === null && isYours && <Yours stake={stake} currency={table.currency} />}
      <div class="foot">
        <ResultCounts results={table.results} />
        <span class="k pat"><Icon name="people" size={18} />{table.patrons}<span class="vh"> {lobby.patrons()}</span></span>
        {range && <span class="lim num"><span class="vh">{lobby.limits()} </span>{amount(range.minimum, table.currency)} – {amount(range.maximum, table.currency)} <small>{table.currency}</small></span>}
        <button type="button" class="iconbtn peek" aria-label={lobby.look({ table: name })} title={lobby.look({ table: name })} aria-haspopup="dialog" onClick={look}><Icon name="eye" size={20} /></button>
      </div>
    </article>
  );
}
