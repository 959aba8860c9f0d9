import "../styles/account.css";
import { useEffect } from "preact/hooks";
import { Disputes } from "../account/disputes.tsx";
import { History } from "../account/history.tsx";
import { Ledger } from "../account/ledger.tsx";
import { Limits } from "../account/limits.tsx";
import { Money } from "../account/money.tsx";
import { Password, Person, Register, SignIn } from "../account/who.tsx";
import { address, Link } from "../router.tsx";
import { isNobody, isStaff, me } from "../session.ts";
import { PreferenceControls } from "../shell.tsx";
import { account } from "../words/account.ts";
import { shell } from "../words/shell.ts";
import type { Me } from "../types/api.ts";

type View = "overview" | "history" | "ledger" | "limits" | "disputes" | "preferences" | "sign-in";

const NAMES: Record<View, () => string> = {
  overview: account.overview, history: account.history, ledger: account.ledger, limits: account.limits,
  disputes: account.disputes, preferences: shell.preferences, "sign-in": shell.signIn,
};

/** What there is to see: staff stake nothing, and who is nobody yet can only come. */
function viewsOf(known: Me | null): View[] {
  if (!known) return ["overview", "preferences"];
  if (isStaff.value) return ["overview", "preferences"];
  return ["overview", "history", "ledger", "limits", "disputes", "preferences", ...(known.role === "guest" ? ["sign-in" as const] : [])];
}

function Notices({ known }: { known: Me }) {
  if (!known.notices.length) return null;
  return (
    <section class="panel box mine" aria-labelledby="notices-title">
      <h2 id="notices-title">{account.noticesTitle()}</h2>
      <div><Link class="btn solid" href="/account?view=disputes">{account.toDisputes()}</Link></div>
    </section>
  );
}

function Overview({ known }: { known: Me }) {
  if (known.must_change_password) return <div class="list"><Password isFirst /></div>;
  return (
    <div class="list">
      <Notices known={known} />
      <Person known={known} />
      {!isStaff.value && <Money known={known} />}
      {known.role === "guest" ? <Register /> : <Password isFirst={false} />}
    </div>
  );
}

function Nobody() {
  return (
    <div class="list">
      <section class="panel box"><h2>{account.nobody()}</h2><p class="muted">{account.nobodySays()}</p><div><Link class="btn solid" href="/">{shell.toTables()}</Link></div></section>
      <SignIn />
    </div>
  );
}

function Shown({ view, known }: { view: View; known: Me | null }) {
  if (view === "preferences") return <section class="panel box list" aria-labelledby="likes-title"><h2 id="likes-title">{shell.preferences()}</h2><PreferenceControls at="page" /></section>;
  if (!known) return isNobody.value ? <Nobody /> : <p class="muted">{account.loading()}</p>;
  switch (view) {
    case "history": return <History known={known} />;
    case "ledger": return <Ledger known={known} />;
    case "limits": return <Limits known={known} />;
    case "disputes": return <Disputes known={known} />;
    case "sign-in": return <div class="list"><SignIn /></div>;
    default: return <Overview known={known} />;
  }
}

export default function Account() {
  const known = me.value, views = viewsOf(known), asked = address.value.searchParams.get("view");
  const view = views.find((each) => each === asked) ?? "overview";
  useEffect(() => {
    document.title = `${view === "overview" ? account.title() : NAMES[view]()} · Punto Banco`;
  });
  return (
    <main id="content" class="account page">
      <h1>{account.title()}</h1>
      <nav class="views" aria-label={account.views()}>
        {views.map((each) => (
          <Link key={each} href={each === "overview" ? "/account" : `/account?view=${each}`} aria-current={each === view ? "page" : undefined}>
            {NAMES[each]()}{each === "disputes" && known?.notices.length ? <b class="count">{known.notices.length}</b> : null}
          </Link>
        ))}
      </nav>
      <Shown key={`${view} ${known?.patron ?? ""}`} view={view} known={known} />
    </main>
  );
}
