"use client";

import { useRouter } from "next/navigation";
import { useActionState } from "react";
import { authSentence } from "@/events/auth/auth";
import { Button, buttonClass } from "@/components/ui/button";
import { PasswordField } from "@/components/ui/forms/password-field";
import { useSession, useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { formSecret } from "@/components/ui/forms/form-text";
import styles from "../account-form.module.css";

type State = { error: string | null; problem: string | null; stamp: number };

const start: State = { error: null, problem: null, stamp: 0 };

/** Sets a new password after a recovery link was followed, and signs out all other devices. */
export function ResetForm() {
  const { open } = useTab();
  const { phase, session } = useSession();
  const router = useRouter();

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const password = formSecret(form, "password");
      const stamp = before.stamp + 1;
      if (password.length < 8) return { ...start, error: "Use at least 8 characters.", stamp };
      const [tab, { goal }] = await Promise.all([
        open(),
        import("@/components/session/sign-in-destination"),
      ]);
      const { auth } = tab.backend;
      const answer = await auth.change({ password });
      if (!answer.ok) return { ...start, problem: authSentence(answer.refusal), stamp };
      await auth.signOut("others");
      router.replace(await goal(tab, "/"));
      return { ...start, stamp };
    },
    start,
  );

  if (phase === "signedOut") {
    return (
      <div className={styles.form}>
        <h1>This link has expired</h1>
        <p className={styles.lead}>
          A link to set a new password works once, for an hour. Your old password still holds.
        </p>
        <Link className={buttonClass({ look: "primary", wide: true })} href="/forgot-password">
          Ask for a new link
        </Link>
      </div>
    );
  }

  return (
    <form className={styles.form} action={submit} noValidate>
      <h1>Set a new password</h1>
      <p className={styles.lead}>
        {session ? `For ${session.email}. ` : ""}Your other devices will be signed out.
      </p>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <input
        type="hidden"
        name="username"
        autoComplete="username"
        value={session?.email ?? ""}
        readOnly
      />
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        maxLength={72}
        error={state.error}
        help="At least 8 characters. A short sentence is good."
      />
      <Button type="submit" look="primary" wide busy={busy}>
        Set password
      </Button>
    </form>
  );
}
