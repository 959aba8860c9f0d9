import "../styles/odds.css";
import { useEffect, useMemo, useState } from "preact/hooks";
import { announce } from "../announced.tsx";
import { Icon } from "../icons.tsx";
import { EffectsPanel } from "../odds/effects.tsx";
import { HandsOnTable } from "../odds/hands.tsx";
import { Lab } from "../odds/lab.ts";
import { OwnEditor } from "../odds/own_editor.tsx";
import { SessionsPanel } from "../odds/sessions.tsx";
import { Controls, From, Grid } from "../odds/shoe.tsx";
import { Wagers } from "../odds/wagers.tsx";
import { Link } from "../router.tsx";
import { MoneyLine, SiteMenu } from "../shell.tsx";
import { odds } from "../words/odds.ts";
import { shell } from "../words/shell.ts";

async function copyAddress(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    announce(odds.copied());
  } catch {
    announce(odds.notCopied());
  }
}

function CopyButton({ isIcon = false }: { isIcon?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void copyAddress().then(() => {
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  });
  const icon = <Icon name={isCopied ? "check" : "link"} size={isIcon ? 22 : 18} />;
  return isIcon
    ? <button type="button" class="iconbtn narrow" aria-label={odds.copy()} onClick={copy}>{icon}</button>
    : <button type="button" class="btn small quiet wide" onClick={copy}>{icon}{odds.copy()}</button>;
}

function WagersPanel({ lab }: { lab: Lab }) {
  const [isOpen, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  return (
    <section class={`panel wag ${isOpen ? "open" : ""}`} aria-labelledby="wagers-title">
      <button type="button" class="handle narrow" aria-expanded={isOpen} aria-label={odds.showAll()} onClick={() => setOpen(!isOpen)}><i /></button>
      <div class="rhead">
        <h2 id="wagers-title">{odds.every()}</h2>
        <span class="acts">
          <CopyButton />
          <button type="button" class="btn small quiet" aria-pressed={lab.isExact.value} onClick={() => (lab.isExact.value = !lab.isExact.value)}>{odds.exact()}</button>
          <button type="button" class="btn small" onClick={() => setEditing(true)}><Icon name="plus" size={18} />{odds.ownWager()}</button>
        </span>
      </div>
      <div class="sheet"><Wagers lab={lab} /></div>
      <div class="narrow last"><MoneyLine /></div>
      {isEditing && lab.pack.value && <OwnEditor lab={lab} close={() => setEditing(false)} />}
    </section>
  );
}

/** The odds lab: any game, any shoe, every wager exactly, at an address of its own. */
export default function Odds({ game }: { game?: string }) {
  const lab = useMemo(() => new Lab(game ?? null), []);
  useEffect(() => {
    void lab.start();
    return () => lab.stop();
  }, []);
  useEffect(() => {
    document.title = `${odds.title()} · Punto Banco`;
  });
  const failure = lab.failure.value, table = lab.table.value;
  return (
    <main id="content" class="lab" data-own-bar aria-busy={!lab.hasPosition.value}>
      <div class="tbar2">
        <Link class="iconbtn narrow" href={table ? `/tables/${table.id}` : "/"} aria-label={shell.toTables()}><Icon name="back" /></Link>
        <h1>{odds.title()}</h1>
        <CopyButton isIcon />
        <SiteMenu class="narrow" />
      </div>
      {failure && <p class="refused">{failure.sentence}</p>}
      {lab.hasPosition.value && (
        <>
          <section class="panel shoe" aria-label={odds.grid()}>
            <Controls lab={lab} />
            <From lab={lab} />
            <Grid lab={lab} />
            <HandsOnTable lab={lab} />
          </section>
          <WagersPanel lab={lab} />
          <EffectsPanel lab={lab} />
          <SessionsPanel lab={lab} />
        </>
      )}
    </main>
  );
}
