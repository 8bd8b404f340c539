"use client";

import { useRouter } from "next/navigation";
import { useActionState } from "react";
import { authSentence } from "@/events/auth/auth";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { formText } from "@/components/ui/forms/form-text";
import styles from "../account-form.module.css";

type State = { error: string | null; problem: string | null; stamp: number };

const start: State = { error: null, problem: null, stamp: 0 };

/** Accepts the code of a sign-in mail, for people who read mail on another device. */
export function CodeForm({
  email,
  next,
  onBack,
}: {
  email: string;
  next: string;
  onBack: () => void;
}) {
  const { open, mailPage } = useTab();
  const router = useRouter();

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const code = formText(form, "code").replace(/\s/g, "");
      const stamp = before.stamp + 1;
      if (!/^\d{6,10}$/.test(code))
        return { ...start, error: "The code in the mail is six digits.", stamp };
      const [tab, { attempt }, { goal }] = await Promise.all([
        open(),
        import("@/components/session/tab"),
        import("@/components/session/sign-in-destination"),
      ]);
      const result = await attempt(tab, { kind: "code", email, code });
      if (!result.ok) return { ...start, problem: authSentence(result.refusal), stamp };
      router.replace(await goal(tab, next));
      return { ...start, stamp };
    },
    start,
  );

  return (
    <form className={styles.form} action={submit} noValidate>
      <h1>Check your email</h1>
      <p className={styles.lead} role="status">
        If {email} has an account, a link and a code are on their way. Open the link in this
        browser, or type the code here.
      </p>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        autoFocus
        error={state.error}
        {...(mailPage && { help: <CaughtMailHint /> })}
      />
      <Button type="submit" look="primary" wide busy={busy}>
        Sign in with code
      </Button>
      <Button look="quiet" wide onClick={onBack}>
        Use a password instead
      </Button>
    </form>
  );
}

/** Links to the mail that the embedded backend caught. */
export function CaughtMailHint() {
  return (
    <>
      This workspace sends no mail; it shows it under{" "}
      <Link className="link" href="/mail" target="_blank">
        outgoing mail
      </Link>
      .
    </>
  );
}
