import "./styles/tokens.css";
import "./styles/base.css";
import { signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { followNetwork, keepApp } from "./offline.ts";
import { matched, path } from "./router.tsx";
import { look } from "./session.ts";
import { Shell } from "./shell.tsx";
import { Nothing, Unloaded } from "./pages/nothing.tsx";
import { PAGES, type Page } from "./pages/index.ts";

interface Loaded { page: Page; Component: ComponentType<Record<string, string>> }
const loaded = signal<Loaded | null>(null);

function App() {
  const at = path.value;
  for (const page of PAGES) {
    const parts = matched(page.path, at);
    if (!parts) continue;
    const now = loaded.value;
    if (now?.page !== page) {
      void page.load().then(
        (found) => (loaded.value = { page, Component: found.default }),
        // Its file is neither kept here nor to be had: the network is gone, or the build is another one.
        () => (loaded.value = { page, Component: Unloaded }),
      );
      return <Shell bare={page.bare}><main id="content" aria-busy="true" /></Shell>;
    }
    // A page of other parts is another page: nothing of the one before stays.
    return <Shell bare={page.bare}><now.Component key={JSON.stringify(parts)} {...parts} /></Shell>;
  }
  return <Shell><Nothing /></Shell>;
}

followNetwork();
keepApp();
void look().catch(() => undefined);
render(<App />, document.getElementById("app") as HTMLElement);
