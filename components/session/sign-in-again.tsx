"use client";

import { useActionState, useState } from "react";
import { authSentence } from "@/events/auth/auth";
import type { Session } from "@/events/auth/auth";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { emailProblem, formSecret, formText } from "@/components/ui/forms/form-text";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Interruption, InterruptionActions } from "@/components/ui/interruption/interruption";
import { PasswordField } from "@/components/ui/forms/password-field";
import { useTab } from "./backend-provider";
import { attempt } from "./tab";
import styles from "./sign-in-again.module.css";

type State = {
  email: string;
  emailError: string | null;
  error: string | null;
  problem: string | null;
  stamp: number;
};

/**
 * Shows the sign-in dialog over a page whose session has ended. The same person signs in by
 * password or by emailed code.
 */
export function SignInAgain({ ended }: { ended: Session | null }) {
  const { open } = useTab();
  const [byCode, setByCode] = useState(false);
  const start: State = {
    email: ended?.email ?? "",
    emailError: null,
    error: null,
    problem: null,
    stamp: 0,
  };

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const email = ended?.email || formText(form, "email");
      const given = { ...start, email, stamp: before.stamp + 1 };
      const emailError = emailProblem(email);
      if (emailError) return { ...given, emailError };
      const tab = await open();
      if (form.get("way") === "mail") {
        const answer = await tab.backend.auth.sendLink({
          email,
          next: location.pathname + location.search,
        });
        if (!answer.ok) return { ...given, problem: authSentence(answer.refusal) };
        setByCode(true);
        return given;
      }
      const secret = formSecret(form, "secret");
      if (!secret)
        return {
          ...given,
          error: byCode ? "Enter the code from the mail." : "Enter your password.",
        };
      const result = await attempt(
        tab,
        byCode
          ? { kind: "code", email, code: secret.replace(/\s/g, "") }
          : { kind: "password", email, password: secret },
      );
      return result.ok ? given : { ...given, problem: authSentence(result.refusal) };
    },
    start,
  );

  return (
    <Interruption
      title="Sign in to continue"
      description="You’ve been signed out. Your last changes are safe in this tab."
    >
      <form className={styles.form} action={submit} noValidate>
        <FormNotice problem={state.problem} stamp={state.stamp} />
        {ended ? (
          <p className={styles.who}>
            As <b>{ended.email}</b>
            <input
              type="hidden"
              name="username"
              autoComplete="username"
              value={ended.email}
              readOnly
            />
          </p>
        ) : (
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={state.email}
            error={state.emailError}
          />
        )}
        {byCode ? (
          <Field
            label="Code"
            name="secret"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={state.error}
            help="From the mail we just sent, if this address has an account. Its link works too."
          />
        ) : (
          <PasswordField
            label="Password"
            name="secret"
            autoComplete="current-password"
            error={state.error}
          />
        )}
        <InterruptionActions>
          {byCode ? (
            <Button look="quiet" onClick={() => setByCode(false)}>
              Use a password instead
            </Button>
          ) : (
            <Button type="submit" name="way" value="mail" look="quiet" busy={busy}>
              Email me a sign-in link
            </Button>
          )}
          <Button type="submit" look="primary" busy={busy}>
            Sign in
          </Button>
        </InterruptionActions>
        {/* A full page load leaves nothing of this page to the next person. */}
        <p className={styles.else}>
          Somebody else?{" "}
          <a className="link" href="/sign-in">
            Leave this page
          </a>{" "}
          and sign in there.
        </p>
      </form>
    </Interruption>
  );
}
