"use client";

import { useActionState } from "react";
import { authSentence } from "@/events/auth/auth";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { CaughtMailHint } from "./sign-in/code-form";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { emailProblem, formText } from "@/components/ui/forms/form-text";
import styles from "./account-page.module.css";

type State = {
  email: string;
  error: string | null;
  problem: string | null;
  sent: boolean;
  stamp: number;
};

/**
 * Requests a new email address. The change takes effect after the person follows the links in both
 * mails, one to the old and one to the new address.
 */
export function EmailForm({ email }: { email: string }) {
  const { open, mailPage } = useTab();
  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const next = formText(form, "email");
      const given = {
        email: next,
        error: null,
        problem: null,
        sent: false,
        stamp: before.stamp + 1,
      };
      const error = next === email ? "This is your address already." : emailProblem(next);
      if (error) return { ...given, error };
      const { backend } = await open();
      const answer = await backend.auth.change({ email: next });
      return answer.ok
        ? { ...given, sent: true }
        : { ...given, problem: authSentence(answer.refusal) };
    },
    { email: "", error: null, problem: null, sent: false, stamp: 0 },
  );

  return (
    <form className={styles.form} action={submit} noValidate>
      <p className={styles.now}>
        Now: <b>{email}</b>
      </p>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      {state.sent && (
        <p role="status" className={styles.now}>
          Mail is on its way to {email} and to {state.email}. Open the link in both, in any order;
          until then your address stays {email}. {mailPage && <CaughtMailHint />}
        </p>
      )}
      <Field
        label="New email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={state.sent ? "" : state.email}
        error={state.error}
      />
      <div>
        <Button type="submit" look="edge" busy={busy}>
          Change email
        </Button>
      </div>
    </form>
  );
}
