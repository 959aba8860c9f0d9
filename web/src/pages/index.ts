/** Every page of the app by its address. Each renders its own <main id="content">. */
import type { ComponentType } from "preact";

/** The parts of the address come as properties. */
type PageComponent = ComponentType<any>;

export interface Page {
  path: string;
  load: () => Promise<{ default: PageComponent }>;
  /** Without the header of the site: a dealer's tablet. */
  bare?: boolean;
}

export const PAGES: readonly Page[] = [
  { path: "/", load: () => import("./lobby.tsx") },
  { path: "/tables/:table", load: () => import("./table.tsx") },
  { path: "/tables/:table/rounds/:number", load: () => import("./round.tsx") },
  { path: "/tables/:table/shoes/:shoe", load: () => import("./shoe.tsx") },
  { path: "/odds", load: () => import("./odds.tsx") },
  { path: "/odds/:game", load: () => import("./odds.tsx") },
  { path: "/rules", load: () => import("./rules.tsx") },
  { path: "/rules/:game", load: () => import("./rules.tsx") },
  { path: "/learn", load: () => import("./learn.tsx") },
  { path: "/learn/:game", load: () => import("./learn.tsx") },
  { path: "/cards", load: () => import("./cards.tsx") },
  { path: "/account", load: () => import("./account.tsx") },
  { path: "/dealer", load: () => import("./dealer.tsx"), bare: true },
  { path: "/dealer/:table", load: () => import("./dealer.tsx"), bare: true },
  { path: "/pit", load: () => import("./pit.tsx") },
  { path: "/pit/:view", load: () => import("./pit.tsx") },
];
