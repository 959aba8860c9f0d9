import { reload } from "../offline.ts";
import { Link } from "../router.tsx";
import { shell } from "../words/shell.ts";

export function Nothing() {
  return (
    <main id="content" class="empty">
      <h1 class="serif">{shell.nothingHere()}</h1>
      <Link class="btn solid" href="/">{shell.toTables()}</Link>
    </main>
  );
}

/** A page whose files could not be fetched. */
export function Unloaded() {
  return (
    <main id="content" class="empty">
      <h1 class="serif">{shell.notLoaded()}</h1>
      <button type="button" class="btn solid" onClick={() => void reload()}>{shell.reload()}</button>
    </main>
  );
}
