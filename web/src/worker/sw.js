/** The worker that keeps the app in the browser, so that it opens at once and without a network too. The build puts its
 * number and its files in. What the service says is never kept: under /api everything is asked for anew. */
/* global BUILD_NUMBER, BUILD_FILES, BUILD_ENTRY */
const BUILD = BUILD_NUMBER;
const FILES = BUILD_FILES;
const ENTRY = BUILD_ENTRY;
const OURS = "puntobanco-";
const DOCUMENT = "/";
/** Not pages of the app. */
const OF_THE_SERVICE = /^\/(?:api\/|healthz$|readyz$|metrics$)/;

async function keepAll() {
  // In the making of a house of several processes, one may still be of the older build: then another time.
  const document = await fetch(DOCUMENT, { cache: "no-cache" });
  if (!document.ok || !(await document.clone().text()).includes(ENTRY)) throw new Error("The page is of another build.");
  const cache = await caches.open(OURS + BUILD);
  await Promise.all([cache.put(DOCUMENT, document), cache.addAll(FILES)]);
}

/** Pages of the build before are still open, and may yet ask for a file of theirs: its copy stays until the next. */
async function forgetOlder() {
  const kept = (await caches.keys()).filter((name) => name.startsWith(OURS));
  const before = kept.filter((name) => name !== OURS + BUILD);
  await Promise.all(before.slice(0, -1).map((name) => caches.delete(name)));
}

async function tellPages() {
  for (const page of await self.clients.matchAll({ type: "window" })) page.postMessage({ build: BUILD });
}

async function page() {
  const cache = await caches.open(OURS + BUILD);
  return (await cache.match(DOCUMENT)) ?? fetch(DOCUMENT);
}

async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOlder().then(() => self.clients.claim()).then(tellPages));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || OF_THE_SERVICE.test(pathname)) return;
  if (request.mode === "navigate") event.respondWith(page());
  else if (pathname !== "/sw.js") event.respondWith(file(request));
});
