"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { authSentence } from "@/events/auth/auth";
import type { OpenedLink } from "@/events/auth/opened-link";
import { Button, buttonClass } from "@/components/ui/button";
import { nextPath } from "@/components/session/next-path";
import { useTab } from "@/components/session/backend-provider";
import type { Tab } from "@/components/session/tab";
import { Link } from "@/components/ui/link";
import { emailedLink } from "./emailed-link";
import { asksFirst } from "./link-consent";
import styles from "../account-form.module.css";

type Opened = Extract<OpenedLink, { ok: true }>;
type State =
  | { phase: "checking" }
  | { phase: "half" }
  | { phase: "failed"; problem: string }
  | { phase: "asking"; tab: Tab; opened: Opened; next: string; present: string | null };

/**
 * Follows an emailed link. The link is spent by this script and not by the request, so a mail
 * scanner that fetches the page spends nothing. `site` is the origin of the navigation. A link from
 * another site, or to an account other than the signed-in one, needs consent before it signs in.
 */
export function ConfirmLink({ site }: { site: string }) {
  const { open } = useTab();
  const router = useRouter();
  const [state, setState] = useState<State>({ phase: "checking" });

  useEffect(() => {
    const address = new URL(location.href);
    const { link, recovery } = emailedLink(address);
    const next = recovery
      ? "/reset-password"
      : nextPath(address.searchParams.get("next"), address.origin);
    const from = address.searchParams.has("stray") ? "" : site;
    // The tokens must not stay in the browser's history.
    history.replaceState(history.state, "", "/auth/confirm");
    if (!link) return;
    void (async () => {
      const [tab, { restored }] = await Promise.all([open(), import("@/components/session/tab")]);
      const [opened, found] = await Promise.all([tab.backend.openLink(link), restored(tab)]);
      if (!opened.ok) return setState({ phase: "failed", problem: authSentence(opened.refusal) });
      if (opened.link === null) return setState({ phase: "half" });
      const present = found.context.session;
      if (asksFirst({ site: from, account: opened.account, present }))
        return setState({ phase: "asking", tab, opened, next, present: present?.email ?? null });
      setState(await enter(tab, opened, next, (path) => router.replace(path)));
    })();
  }, [open, router, site]);

  if (state.phase === "asking") return <Question {...state} settle={setState} />;
  if (state.phase === "half")
    return (
      <div className={styles.form}>
        <h1>One of two links</h1>
        <p className={styles.lead} role="status">
          This address has confirmed the change. Now open the link in the mail to the other address;
          until then your address stays as it was.
        </p>
        <Link className={buttonClass({ look: "primary", wide: true })} href="/account">
          Go to your account
        </Link>
      </div>
    );
  const problem = state.phase === "failed" ? state.problem : null;
  return (
    <div className={styles.form}>
      <h1>{problem ? "This link doesn’t work" : "One moment…"}</h1>
      <p className={styles.lead} role="status">
        {problem ?? "Checking the link from your mail."}
      </p>
      {problem && (
        <Link className={buttonClass({ look: "primary", wide: true })} href="/sign-in">
          Back to sign in
        </Link>
      )}
    </div>
  );
}

/** Asks for consent before a link signs in. No button has focus, so a stray key answers nothing. */
function Question({
  tab,
  opened,
  next,
  present,
  settle,
}: Extract<State, { phase: "asking" }> & { settle: (state: State) => void }) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const email = opened.account?.email;
  const title = email ? `Sign in as ${email}?` : "Sign in with this link?";

  const accept = async () => {
    setBusy(true);
    // A full page load ends every script of the previous person's page.
    const go = (path: string) => (present ? location.assign(path) : router.replace(path));
    settle(await enter(tab, opened, next, go));
  };
  const decline = async () => {
    setBusy(true);
    await opened.drop();
    router.replace(present ? "/" : "/sign-in");
  };

  return (
    <div className={styles.form}>
      <h1>{title}</h1>
      <p className={styles.lead} role="status">
        {present ? `You’re signed in as ${present}. That session ends in this browser. ` : ""}
        Continue only if you asked for this link yourself.
      </p>
      <Button look="primary" wide busy={busy} onClick={() => void accept()}>
        {email ? `Sign in as ${email}` : "Sign in"}
      </Button>
      <Button look="quiet" wide busy={busy} onClick={() => void decline()}>
        {present ? `Stay signed in as ${present}` : "Don’t sign in"}
      </Button>
    </div>
  );
}

/** Signs in by an opened link, then navigates to `next`. */
async function enter(
  tab: Tab,
  { link }: Opened,
  next: string,
  go: (path: string) => void,
): Promise<State> {
  if (link === null) return { phase: "half" };
  const [{ attempt }, { goal }] = await Promise.all([
    import("@/components/session/tab"),
    import("@/components/session/sign-in-destination"),
  ]);
  const result = await attempt(tab, { kind: "link", link });
  if (!result.ok) return { phase: "failed", problem: authSentence(result.refusal) };
  if (result.confirm) return { phase: "half" };
  go(await goal(tab, next));
  return { phase: "checking" };
}
