/** The rule cards: a list of games, and the card of one, of its own or as a table plays it. */
import "../styles/rules.css";
import { useEffect } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { address, Link } from "../router.tsx";
import { documentLine, packLine, Suits, WholeCard } from "../rules/rule-card.tsx";
import { useAsked } from "../rules/asked.ts";
import type { GameList, RuleCard, TableRules } from "../types/api.ts";
import { cards } from "../words/cards.ts";
import { rules } from "../words/rules.ts";
import { said } from "../words/said.ts";
import { shell } from "../words/shell.ts";
import { Nothing } from "./nothing.tsx";

function Games() {
  const { answer, refusal } = useAsked<GameList>("/api/games");
  useEffect(() => {
    document.title = `${rules.title()} · Punto Banco`;
  });
  return (
    <main id="content" class="page rules" aria-busy={!answer && !refusal}>
      <header class="lead"><div><h1 class="serif">{rules.title()}</h1><p class="muted">{rules.intro()}</p></div><div class="ways"><Link class="btn" href="/cards"><Icon name="cards" />{cards.title()}</Link></div></header>
      {refusal && <p>{refusal.sentence}</p>}
      <ul class="games">
        {answer?.games.map((game) => (
          <li class="panel" key={game.game}>
            <Suits pack={game.pack} />
            <h2 class="serif"><Link href={`/rules/${game.game}`}>{said(game.name)}</Link></h2>
            <p class="muted">{documentLine(game.document)}</p>
            <p class="muted">{packLine(game)} · {rules.wagers({ count: game.wagers.length })}</p>
            <div class="ways">
              <Link class="btn small" href={`/learn/${game.game}`}>{rules.train()}<span class="vh">: {said(game.name)}</span></Link>
              <Link class="btn small" href={`/odds/${game.game}`}>{rules.odds()}<span class="vh">: {said(game.name)}</span></Link>
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Shown({ card, table }: { card: RuleCard; table: TableRules | null }) {
  useEffect(() => {
    document.title = `${said(card.name)} · Punto Banco`;
  });
  return (
    <main id="content" class="page rules">
      <header class="lead">
        <div>
          <Link class="back label" href="/rules"><Icon name="back" size={18} />{rules.all()}</Link>
          <h1 class="serif">{said(card.name)}</h1>
          <p class="muted">{documentLine(card.document)}</p>
          <p class="muted packline"><Suits pack={card.pack} /> {packLine(card)}</p>
          {table && <p>{rules.atTable({ table: table.table })} · <Link href={`/tables/${encodeURIComponent(table.table)}`}>{rules.toTable()}</Link></p>}
        </div>
        <div class="ways">
          <Link class="btn" href={`/learn/${card.game}`}><Icon name="cards" />{rules.train()}</Link>
          <Link class="btn" href={`/odds/${card.game}`}><Icon name="chart" />{rules.odds()}</Link>
          <button type="button" class="btn" onClick={() => print()}><Icon name="print" />{rules.print()}</button>
        </div>
      </header>
      <div class="card-parts"><WholeCard card={card} table={table} /></div>
    </main>
  );
}

function OneCard({ game }: { game: string }) {
  const table = address.value.searchParams.get("table");
  const of = useAsked<RuleCard>(table === null ? `/api/games/${encodeURIComponent(game)}` : null);
  const at = useAsked<TableRules>(table === null ? null : `/api/tables/${encodeURIComponent(table)}/rules`);
  const refusal = of.refusal ?? at.refusal, card = table === null ? of.answer : at.answer?.card;
  if (refusal?.status === 404) return <Nothing />;
  if (refusal) return <main id="content" class="empty"><h1 class="serif">{rules.title()}</h1><p>{refusal.sentence}</p></main>;
  if (!card) return <main id="content" class="empty" aria-busy="true"><h1 class="serif">{rules.title()}</h1><p class="muted">{shell.loading()}</p></main>;
  return <Shown card={card} table={table === null ? null : at.answer} />;
}

export default function Rules({ game }: { game?: string }) {
  return game === undefined ? <Games /> : <OneCard game={game} />;
}
