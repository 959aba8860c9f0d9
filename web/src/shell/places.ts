/** Where one can go, and where one is. */
import type { IconName } from "../icons.tsx";
import { path } from "../router.tsx";
import { isStaff, role } from "../session.ts";

export type PlaceName = "tables" | "odds" | "rules" | "learn" | "dealer" | "pit";
export interface Place {
  href: string;
  name: PlaceName;
  picture: IconName;
}

const FOR_ALL: readonly Place[] = [
  { href: "/", name: "tables", picture: "cards" },
  { href: "/odds", name: "odds", picture: "chart" },
  { href: "/rules", name: "rules", picture: "book" },
  { href: "/learn", name: "learn", picture: "play" },
];
const DEALER: Place = { href: "/dealer", name: "dealer", picture: "scan" };
const PIT: Place = { href: "/pit", name: "pit", picture: "eye" };

/** A dealer deals, an auditor looks on, and who supervises does both. */
export function staffPlaces(): readonly Place[] {
  if (!isStaff.value) return [];
  return role.value === "dealer" ? [DEALER] : role.value === "auditor" ? [PIT] : [DEALER, PIT];
}

export const places = (): readonly Place[] => [...FOR_ALL, ...staffPlaces()];
export const tabs = (): readonly Place[] => FOR_ALL;

export function isAt(place: string): boolean {
  const here = path.value;
  if (place === "/") return here === "/" || here.startsWith("/tables");
  return here === place || here.startsWith(`${place}/`);
}
