"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { authSentence } from "@/events/auth/auth";
import { buttonClass } from "@/components/ui/button";
import { nextPath } from "@/components/session/next-path";
import { useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { emailedLink } from "./emailed-link";
import styles from "./account-form.module.css";

/**
 * Follows an emailed link. It is spent by this script and not by the request, so that a mail
 * scanner that only looks spends nothing.
 */
export function ConfirmLink() {
  const { open } = useTab();
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [half, setHalf] = useState(false);

  useEffect(() => {
    const address = new URL(location.href);
    const { link, recovery } = emailedLink(address);
    const next = recovery
      ? "/reset-password"
      : nextPath(address.searchParams.get("next"), address.origin);
    // The tokens must not stay in the history of this browser.
    history.replaceState(history.state, "", "/auth/confirm");
    if (!link) return;
    void (async () => {
      const [tab, { attempt }, { goal }] = await Promise.all([
        open(),
        import("@/components/session/tab"),
        import("@/components/session/sign-in-destination"),
      ]);
      const result = await attempt(tab, { kind: "link", link });
      if (result.ok && result.confirm) setHalf(true);
      else if (result.ok) router.replace(await goal(tab, next));
      else setProblem(authSentence(result.refusal));
    })();
  }, [open, router]);

  if (half)
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
