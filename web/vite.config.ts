import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** All that the app is made of: the same sources give the same number on every machine. */
function buildNumber(): string {
  const hash = createHash("sha256");
  for (const root of ["src", "public"]) {
    for (const name of readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()) {
      hash.update(name.replaceAll("\\", "/"));
      hash.update(readFileSync(name));
    }
  }
  for (const name of ["index.html", "package-lock.json"]) hash.update(readFileSync(name));
  return hash.digest("hex").slice(0, 12);
}

const build = buildNumber();

/** The service reads the number from beside the app, and tells it to every page. */
const writesBuildNumber: Plugin = {
  name: "build-number",
  generateBundle(_, bundle) {
    const assets = Object.keys(bundle).filter((name) => !name.endsWith(".html")).sort();
    this.emitFile({ type: "asset", fileName: "build.txt", source: `${build}\n` });
    this.emitFile({ type: "asset", fileName: "assets.json", source: `${JSON.stringify(assets)}\n` });
  },
};

/** The worker that keeps the app in the browser knows its build's number and files. */
const writesWorker: Plugin = {
  name: "worker",
  generateBundle(_, bundle) {
    const entry = Object.values(bundle).find((each) => each.type === "chunk" && each.isEntry);
    if (!entry) throw new Error("The app has no entry.");
    const built = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
    const files = [...built, ...readdirSync("public")].sort().map((name) => `/${name}`);
    const source = readFileSync("src/worker/sw.js", "utf8")
      .replace("= BUILD_NUMBER", () => `= ${JSON.stringify(build)}`)
      .replace("= BUILD_FILES", () => `= ${JSON.stringify(files)}`)
      .replace("= BUILD_ENTRY", () => `= ${JSON.stringify(entry.fileName)}`);
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

export default defineConfig({
  // Strict Content-Security-Policy: nothing inline, no polyfill in the page.
  build: {
    outDir: "../src/puntobanco/web_app",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  define: { BUILD: JSON.stringify(build) },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [writesBuildNumber, writesWorker],
});
