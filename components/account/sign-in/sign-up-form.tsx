"use client";

import { useRouter } from "next/navigation";
import { useActionState } from "react";
import { longestPersonName } from "@/events/core/text/text-lengths";
import { authSentence } from "@/events/auth/auth";
import { Button, buttonClass } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { PasswordField } from "@/components/ui/forms/password-field";
import { useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { CaughtMailHint } from "./code-form";
import { EmailField } from "./email-field";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { emailProblem, formSecret, formText } from "@/components/ui/forms/form-text";
import styles from "../account-form.module.css";

type State = {
  name: string;
  email: string;
  nameError: string | null;
  emailError: string | null;
  passwordError: string | null;
  problem: string | null;
  confirm: boolean;
  stamp: number;
};

const start: State = {
  name: "",
  email: "",
  nameError: null,
  emailError: null,
  passwordError: null,
  problem: null,
  confirm: false,
  stamp: 0,
};

/** Creates an account with its first workspace, then navigates to `next`. */
export function SignUpForm({ next }: { next: string }) {
  const { open, mailPage } = useTab();
  const router = useRouter();

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const name = formText(form, "name");
      const email = formText(form, "email");
      const password = formSecret(form, "password");
      const given = { ...start, name, email, stamp: before.stamp + 1 };
      const nameError = name ? null : "Enter the name that others will see.";
      const emailError = emailProblem(email);
      const passwordError = password.length < 8 ? "Use at least 8 characters." : null;
      if (nameError || emailError || passwordError)
        return { ...given, nameError, emailError, passwordError };
      const [tab, { attempt }, { goal }] = await Promise.all([
        open(),
        import("@/components/session/tab"),
        import("@/components/session/sign-in-destination"),
      ]);
      const result = await attempt(tab, { kind: "sign-up", name, email, password });
      if (!result.ok) {
        const sentence = authSentence(result.refusal);
        return result.refusal.name === "weak-password" || result.refusal.name === "long-password"
          ? { ...given, passwordError: sentence }
          : { ...given, problem: sentence };
      }
      if (result.confirm) return { ...given, confirm: true };
      router.replace(await goal(tab, next));
      return given;
    },
    start,
  );

  const signIn = next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`;
  if (state.confirm) {
    return (
      <div className={styles.form}>
        <h1>Check your email</h1>
        <p className={styles.lead} role="status">
          We sent an email to {state.email}. Open the link in it, in this browser, to continue. If
          you already have an account, sign in or{" "}
          <Link className="link" href="/forgot-password">
            reset your password
          </Link>
          . {mailPage && <CaughtMailHint />}
        </p>
        <Link className={buttonClass({ look: "primary", wide: true })} href={signIn}>
          Sign in
        </Link>
      </div>
    );
  }

  return (
    <form className={styles.form} action={submit} noValidate>
      <h1>Create an account</h1>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={longestPersonName}
        defaultValue={state.name}
        error={state.nameError}
        help="Shown beside what you write."
      />
      <EmailField value={state.email} error={state.emailError} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        maxLength={72}
        error={state.passwordError}
        help="At least 8 characters. A short sentence is good."
      />
      <Button type="submit" look="primary" wide busy={busy}>
        Create account
      </Button>
      <p className={styles.other}>
        Have an account?{" "}
        <Link className="link" href={signIn}>
          Sign in
        </Link>
      </p>
    </form>
  );
}
