/** The school: a coach for who has never played, and for every game the trainer of its dealers. */
import "../styles/learn.css";
import { useEffect } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { Coach } from "../learn/coach.tsx";
import { Trainer } from "../learn/trainer.tsx";
import { keptScore } from "../learn/score.ts";
import { address, go, Link } from "../router.tsx";
import { Suits } from "../rules/rule-card.tsx";
import { useAsked } from "../rules/asked.ts";
import type { GameList, GameListed, RuleCard, TableList } from "../types/api.ts";
import { learn } from "../words/learn.ts";
import { said } from "../words/said.ts";
import { shell } from "../words/shell.ts";
import { Nothing } from "./nothing.tsx";

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Punto Banco`;
  });
}

function Schools({ games }: { games: readonly GameListed[] }) {
  return (
    <section class="schools">
      <h2 class="serif">{learn.school()}</h2>
      <p class="muted">{learn.schoolText()} {learn.pickGame()}</p>
      <ul>
        {games.map((game) => {
          const { right, asked, best } = keptScore(game.game);
          return (
            <li key={game.game}>
              <Link class="panel" href={`/learn/${game.game}`}>
                <Suits pack={game.pack} size={18} /><b class="serif">{said(game.name)}</b>
                <span class="label num">{asked ? `${learn.score()} ${right}/${asked} · ${learn.best()} ${best}` : learn.trainer()}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Lessons() {
  const games = useAsked<GameList>("/api/games"), tables = useAsked<TableList>("/api/tables");
  const wished = address.value.searchParams.get("game");
  const list = games.answer?.games ?? [], of = list.find(({ game }) => game === wished) ?? list[0];
  const card = useAsked<RuleCard>(of ? `/api/games/${encodeURIComponent(of.game)}` : null);
  const table = tables.answer?.tables.find(({ game }) => game === of?.game)?.id ?? null;
  const refusal = games.refusal ?? card.refusal;
  useTitle(learn.coach());
  return (
    <main id="content" class="page learn" aria-busy={!card.answer && !refusal}>
      <header class="lead">
        <h1 class="serif">{learn.coach()}</h1>
        {of && (
          <label class="pick"><span class="label">{learn.game()}</span>
            <select value={of.game} onChange={(event) => {
              const to = new URL(address.value);
              to.searchParams.set("game", event.currentTarget.value);
              go(to.pathname + to.search, { replace: true });
            }}>{list.map(({ game, name }) => <option value={game} key={game}>{said(name)}</option>)}</select>
          </label>
        )}
      </header>
      {refusal && <p>{refusal.sentence}</p>}
      {card.answer && <Coach card={card.answer} table={table} />}
      {list.length > 0 && <Schools games={list} />}
    </main>
  );
}

function School({ game }: { game: string }) {
  const { answer: card, refusal } = useAsked<RuleCard>(`/api/games/${encodeURIComponent(game)}`);
  useTitle(card ? `${learn.trainer()}, ${said(card.name)}` : learn.trainer());
  if (refusal?.status === 404) return <Nothing />;
  return (
    <main id="content" class="page learn" aria-busy={!card && !refusal}>
      <header class="lead">
        <div>
          <Link class="back label" href="/learn"><Icon name="back" size={18} />{shell.learn()}</Link>
          <h1 class="serif">{learn.trainer()}{card && <span class="of">{said(card.name)}</span>}</h1>
        </div>
        <Link class="btn" href={`/rules/${encodeURIComponent(game)}`}><Icon name="book" />{learn.ruleCard()}</Link>
      </header>
      {refusal && <p>{refusal.sentence}</p>}
      {card && <Trainer card={card} />}
    </main>
  );
}

export default function Learn({ game }: { game?: string }) {
  return game === undefined ? <Lessons /> : <School game={game} />;
}
