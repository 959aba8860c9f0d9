import "../styles/dealer.css";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { Console } from "../dealer/console.tsx";
import { Icon } from "../icons.tsx";
import { Link } from "../router.tsx";
import { isNobody, isStaff, me } from "../session.ts";
import { Header } from "../shell.tsx";
import type { TableList } from "../types/api.ts";
import { dealer } from "../words/dealer.ts";

export default function Dealer({ table }: { table?: string }) {
  if (!isStaff.value) {
    return (
      <>
        <Header />
        <main id="content" class="empty">
          {(me.value || isNobody.value) && (
            <><h1 class="serif">{dealer.onlyStaff()}</h1><Link class="btn solid" href={`/account?then=${encodeURIComponent(location.pathname)}`}>{dealer.signIn()}</Link></>
          )}
        </main>
      </>
    );
  }
  return table ? <Console table={table} /> : <><Header /><Choose /></>;
}

function Choose() {
  const [tables, setTables] = useState<TableList["tables"] | null>(null);
  useEffect(() => {
    document.title = dealer.title();
    void get<TableList>("/api/tables").then((found) => setTables(found.tables.filter((each) => each.dealing === "dealer")), () => setTables([]));
  }, []);
  return (
    <main id="content" class="page">
      <h1 class="serif">{dealer.tables()}</h1>
      {tables?.length === 0 && <p class="muted">{dealer.noTables()}</p>}
      <div class="choose">
        {tables?.map((each) => (
          <Link class="panel" href={`/dealer/${each.id}`} key={each.id}><Icon name="cards" size={28} /><span><b>{each.name}</b><span class="muted">{dealer.round({ number: each.round })}</span></span></Link>
        ))}
      </div>
    </main>
  );
}
