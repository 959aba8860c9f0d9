import "../styles/pit.css";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { Approvals } from "../pit/approvals.tsx";
import { Changes } from "../pit/changes.tsx";
import { Disputes } from "../pit/disputes.tsx";
import { isInPit, PICTURES, type View, viewsOf } from "../pit/duties.ts";
import { Exports } from "../pit/exports.tsx";
import { FloorView } from "../pit/floor.tsx";
import { lobby, openDisputes, useHouse } from "../pit/house.ts";
import { Patrons } from "../pit/patrons.tsx";
import { Rates } from "../pit/rates.tsx";
import { Rounds } from "../pit/rounds.tsx";
import { StaffView } from "../pit/staff.tsx";
import { Tables } from "../pit/tables.tsx";
import { Win } from "../pit/win.tsx";
import { Link } from "../router.tsx";
import { isNobody, me, role } from "../session.ts";
import { pit, viewNames } from "../words/pit.ts";
import { Nothing } from "./nothing.tsx";

const PARTS: Readonly<Record<View, ComponentType>> = {
  floor: FloorView, approvals: Approvals, disputes: Disputes, changes: Changes, rounds: Rounds, patrons: Patrons,
  win: Win, exports: Exports, tables: Tables, rates: Rates, staff: StaffView,
};

/** Whoever is nobody of the pit is told what to do about it. */
function Outside() {
  useEffect(() => {
    document.title = `${pit.title()} · Punto Banco`;
  });
  const mustChange = me.value?.must_change_password === true;
  return (
    <main id="content" class="empty">
      {(me.value || isNobody.value) && (
        <>
          <h1 class="serif">{mustChange ? pit.mustChange() : pit.onlyPit()}</h1>
          <Link class="btn solid" href={`/account?${mustChange ? "view=password&" : ""}then=${encodeURIComponent(location.pathname)}`}>{mustChange ? pit.changePassword() : pit.signIn()}</Link>
        </>
      )}
    </main>
  );
}

function Views({ chosen }: { chosen: View }) {
  const counts: Partial<Record<View, number>> = { approvals: lobby.value?.waiting ?? 0, disputes: openDisputes.value };
  const list = useRef<HTMLElement>(null);
  // On a phone the row of views is longer than the screen.
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]"), row = list.current;
    if (here && row) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  }, [chosen]);
  return (
    <nav class="views" ref={list} aria-label={pit.title()}>
      {viewsOf(role.value).map((view) => (
        <Link key={view} href={view === "floor" ? "/pit" : `/pit/${view}`} aria-current={view === chosen ? "page" : undefined}>
          <Icon name={PICTURES[view]} size={20} />{viewNames[view]()}
          {(counts[view] ?? 0) > 0 && <b class="count num">{counts[view]}<span class="vh"> {pit.waiting()}</span></b>}
        </Link>
      ))}
    </nav>
  );
}

function Inside({ view }: { view: View }) {
  useHouse();
  useEffect(() => {
    document.title = `${viewNames[view]()} · ${pit.title()} · Punto Banco`;
  });
  const Part = PARTS[view];
  return (
    <main id="content" class="pit">
      <Views chosen={view} />
      <div class="view"><Part /></div>
    </main>
  );
}

export default function Pit({ view = "floor" }: { view?: string }) {
  if (!isInPit(role.value) || me.value?.must_change_password) return <Outside />;
  if (!viewsOf(role.value).includes(view as View)) return <Nothing />;
  return <Inside view={view as View} />;
}
