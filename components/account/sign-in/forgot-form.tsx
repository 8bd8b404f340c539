"use client";

import { useActionState } from "react";
import { authSentence } from "@/events/auth/auth";
import { Button } from "@/components/ui/button";
import { useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { EmailField } from "./email-field";
import { CaughtMailHint } from "./code-form";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { emailProblem, formText } from "@/components/ui/forms/form-text";
import styles from "../account-form.module.css";

type State = {
  email: string;
  error: string | null;
  problem: string | null;
  sent: boolean;
  stamp: number;
};

const start: State = { email: "", error: null, problem: null, sent: false, stamp: 0 };

/**
 * Mails a link to set a new password. The answer never reveals whether the address has an account.
 */
export function ForgotForm() {
  const { open, mailPage } = useTab();

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const email = formText(form, "email");
      const given = { ...start, email, stamp: before.stamp + 1 };
      const error = emailProblem(email);
      if (error) return { ...given, error };
      const { backend } = await open();
      const answer = await backend.auth.sendReset({ email });
      return answer.ok
        ? { ...given, sent: true }
        : { ...given, problem: authSentence(answer.refusal) };
    },
    start,
  );

  return (
    <form className={styles.form} action={submit} noValidate>
      <h1>Forgot your password?</h1>
      {state.sent ? (
        <p className={styles.lead} role="status">
          If {state.email} has an account, a link to set a new password is on its way. It works
          once, for an hour. {mailPage && <CaughtMailHint />}
        </p>
      ) : (
        <p className={styles.lead}>
          We’ll mail you a link to set a new one. What you wrote is not touched.
        </p>
      )}
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <EmailField value={state.email} error={state.error} />
      <Button type="submit" look={state.sent ? "edge" : "primary"} wide busy={busy}>
        Send reset link
      </Button>
      <p className={styles.other}>
        Remembered it?{" "}
        <Link className="link" href="/sign-in">
          Sign in
        </Link>
      </p>
    </form>
  );
}
