/** All rows of the house as files. */
import { Icon } from "../icons.tsx";
import { pit } from "../words/pit.ts";
import { Head } from "./view.tsx";

const EXPORTS = [
  ["rounds", pit.exportRounds, pit.exportRoundsSays], ["wagers", pit.exportWagers, pit.exportWagersSays], ["postings", pit.exportPostings, pit.exportPostingsSays],
  ["changes", pit.exportChanges, pit.exportChangesSays], ["win", pit.exportWin, pit.exportWinSays],
] as const;

export function Exports() {
  return (
    <>
      <Head title={pit.exportsTitle()} says={pit.exportsSays()} />
      <ul class="panel exports">
        {EXPORTS.map(([name, title, says]) => (
          <li key={name}>
            <div><h2>{title()}</h2><p class="muted">{says()}</p></div>
            {(["csv", "json"] as const).map((kind) => <a key={kind} class="btn" href={`/api/exports/${name}.${kind}`} download={`${name}.${kind}`} aria-label={`${kind.toUpperCase()}: ${title()}`}><Icon name="save" size={18} />{kind.toUpperCase()}</a>)}
          </li>
        ))}
      </ul>
    </>
  );
}
