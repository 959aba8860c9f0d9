/** Who is offered what in the pit. The service decides anyway; here is only what it would not refuse for the role. Pure. */
import type { IconName } from "../icons.tsx";

export type Duty = "decide" | "lead" | "desk" | "disputes" | "tables" | "rates" | "staff" | "export";

const SUPERVISES: readonly Duty[] = ["decide", "lead", "desk", "disputes"];
const DUTIES: Readonly<Record<string, readonly Duty[]>> = {
  supervisor: SUPERVISES,
  auditor: ["export"],
  director: [...SUPERVISES, "tables", "rates", "staff", "export"],
};

/** Whether the pit is for this role at all. */
export const isInPit = (role: string | null): boolean => role !== null && role in DUTIES;
export const may = (role: string | null, duty: Duty): boolean => DUTIES[role ?? ""]?.includes(duty) ?? false;

export const VIEWS = ["floor", "approvals", "disputes", "changes", "rounds", "patrons", "win", "exports", "tables", "rates", "staff"] as const;
export type View = (typeof VIEWS)[number];

export const PICTURES: Readonly<Record<View, IconName>> = {
  floor: "eye", approvals: "check", disputes: "flag", changes: "undo", rounds: "search", patrons: "people",
  win: "chart", exports: "save", tables: "cards", rates: "double", staff: "person",
};

/** Views that are no use without the duty; the others are read by all of the pit. */
const NEEDS: Partial<Record<View, Duty>> = { exports: "export", staff: "staff" };

export function viewsOf(role: string | null): View[] {
  if (!isInPit(role)) return [];
  return VIEWS.filter((view) => {
    const needs = NEEDS[view];
    return needs === undefined || may(role, needs);
  });
}

export const ROLES = ["dealer", "supervisor", "auditor", "director"] as const;
export type StaffRole = (typeof ROLES)[number];
