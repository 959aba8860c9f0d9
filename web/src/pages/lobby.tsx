import "../styles/lobby.css";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../api.ts";
import { Icon } from "../icons.tsx";
import { keep, kept } from "../kept.ts";
import { Live } from "../live.ts";
import { TableCard } from "../lobby/card.tsx";
import { afterMessage, type Floor, gamesOf, ordered, shortened } from "../lobby/floor.ts";
import { useOwnStakes } from "../lobby/own.ts";
import type { QuickView } from "../lobby/quick.tsx";
import { isOffline } from "../offline.ts";
import { recentTables } from "../recent.ts";
import { address, go, Link } from "../router.tsx";
import { balanceIs, isStaff, look, me, sessions } from "../session.ts";
import { language } from "../words/language.ts";
import { lobby } from "../words/lobby.ts";
import { said } from "../words/said.ts";
import type { GameList, LobbyMessage } from "../types/api.ts";

/** Kept while the app is open, so that whoever comes back sees the tables at once. */
const floor = signal<Floor | null>(null);
const gameNames = signal<Readonly<Record<string, string>>>({});
/** With the drawings of the cards, and only where it is wanted. */
const quickView = signal<typeof QuickView | null>(null);
const isWelcomed = signal(kept("welcomed") !== null);

function useFloor(): void {
  useEffect(() => {
    const live = new Live<LobbyMessage>("/api/live", (message) => {
      floor.value = afterMessage(floor.value, message);
      hearOwn(message);
    }).start();
    return () => live.stop();
  }, [sessions.value]);
  useEffect(() => {
    if (Object.keys(gameNames.value).length) return;
    void get<GameList>("/api/games").then(
      ({ games }) => (gameNames.value = Object.fromEntries(games.map(({ game, name }) => [game, name]))),
      () => undefined,
    );
  }, []);
}

/** What the service tells this patron alone: what they have by now, and that there is something to read. */
function hearOwn(message: LobbyMessage): void {
  if ("balance" in message && "currency" in message && typeof message.balance === "number") balanceIs(String(message.currency), message.balance);
  if (String(message.type) === "dispute-decided") void look().catch(() => undefined);
}

/** The address with another game or another table in view. */
function addressWith(changes: Readonly<Record<string, string | null>>): string {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next.pathname + next.search;
}

function Filters({ of, chosen }: { of: Floor; chosen: string | null }) {
  const games = gamesOf(of.tables), names = games.map(({ game }) => said(gameNames.value[game] ?? game));
  const short = language.value === "en" ? shortened(names) : names;
  const choose = (game: string | null) => go(addressWith({ game }), { replace: true });
  return (
    <div class="filters" role="group" aria-label={lobby.games()}>
      <button type="button" class="fil" aria-pressed={chosen === null} onClick={() => choose(null)}>{lobby.all()} <span>{of.tables.length}</span></button>
      {games.map(({ game, count }, place) => (
        <button type="button" class="fil" key={game} aria-pressed={chosen === game} onClick={() => choose(chosen === game ? null : game)}>{short[place]} <span>{count}</span></button>
      ))}
    </div>
  );
}

function FirstVisit() {
  if (isWelcomed.value || me.value) return null;
  const understood = () => {
    isWelcomed.value = true;
    keep("welcomed", "yes");
  };
  return (
    <aside class="panel firstvisit" aria-labelledby="first-title">
      <div><h2 id="first-title">{lobby.first()}</h2><p class="muted">{lobby.firstSays()}</p></div>
      <button type="button" class="btn small" onClick={understood}>{lobby.understood()}</button>
    </aside>
  );
}

function Side({ of }: { of: Floor | null }) {
  return (
    <div class="lside">
      {isStaff.value && of !== null && of.waiting > 0 && (
        <section class="panel note"><h2>{lobby.waiting({ count: of.waiting })}</h2><Link class="btn" href="/pit">{lobby.toPit()}</Link></section>
      )}
      <section class="panel note">
        <h2>{lobby.never()}</h2>
        <p class="muted">{lobby.neverSays()}</p>
        <div class="two">
          <Link class="btn" href="/learn"><Icon name="cards" size={20} />{lobby.teach()}</Link>
          <Link class="btn quiet" href="/odds"><Icon name="chart" size={20} />{lobby.seeOdds()}</Link>
        </div>
      </section>
      {of?.tables.some(({ dealing }) => dealing === "virtual") && (
        <section class="panel note"><h2><Icon name="shield" size={22} />{lobby.fair()}</h2><p class="muted">{lobby.fairSays()}</p></section>
      )}
      {of !== null && of.tables.length > 0 && (
        <section class="panel note">
          <h2>{lobby.ruleCards()}</h2>
          <ul class="cardlist">
            {gamesOf(of.tables).map(({ game }) => <li key={game}><Link href={`/rules/${encodeURIComponent(game)}`}>{said(gameNames.value[game] ?? game)}<Icon name="next" size={18} /></Link></li>)}
          </ul>
        </section>
      )}
    </div>
  );
}

export default function Lobby() {
  useFloor();
  const now = floor.value, query = address.value.searchParams;
  const game = query.get("game"), looked = query.get("table");
  const stakes = useOwnStakes(now?.tables).value;
  useEffect(() => {
    document.title = `${lobby.title()} · Punto Banco`;
  });
  const isMine = (id: string) => me.value !== null && !isStaff.value && (recentTables.value[0] === id || (stakes[id]?.staked ?? 0) > 0);
  const own = recentTables.value.filter(isMine);
  const tables = ordered(now?.tables ?? [], own).filter((table) => game === null || table.game === game);
  const quick = now?.tables.find(({ id }) => id === looked), Quick = quickView.value;
  useEffect(() => {
    if (looked !== null) void import("../lobby/quick.tsx").then((found) => (quickView.value = found.QuickView), () => undefined);
  }, [looked]);
  return (
    <main id="content" class="lobby">
      <div class="head">
        <div><h1>{lobby.title()}</h1><p class="muted">{lobby.lead()}</p></div>
        {now && <Filters of={now} chosen={game} />}
      </div>
      <div class="floor">
        <FirstVisit />
        {!now && <p class="muted waits" aria-busy={!isOffline.value}>{isOffline.value ? lobby.away() : lobby.loading()}</p>}
        {now && !tables.length && <p class="muted waits">{now.tables.length ? lobby.noneOfGame() : lobby.none()}</p>}
        <div class="tables">
          {tables.map((table) => (
            <TableCard
              key={table.id} table={table} game={gameNames.value[table.game]} opensFor={now?.opensFor[table.id]} isYours={isMine(table.id)} stake={stakes[table.id]}
              look={() => go(addressWith({ table: table.id }))}
            />
          ))}
        </div>
      </div>
      <Side of={now} />
      {quick && Quick && (
        <Quick
          key={quick.id} table={quick} game={gameNames.value[quick.game]} opensFor={now?.opensFor[quick.id]}
          close={() => go(addressWith({ table: null }), { replace: true })}
        />
      )}
    </main>
  );
}
