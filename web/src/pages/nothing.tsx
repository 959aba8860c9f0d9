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
