"use client";

import { UserX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useActionState, useState } from "react";
import { authSentence } from "@/events/auth/auth";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { PasswordField } from "@/components/ui/forms/password-field";
import { useTab } from "@/components/session/backend-provider";
import { Link } from "@/components/ui/link";
import { EmailField } from "./email-field";
import { CodeForm } from "./code-form";
import { DemoPeople } from "./demo-people";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { emailProblem, formSecret, formText } from "@/components/ui/forms/form-text";
import styles from "../account-form.module.css";

type State = {
  email: string;
  emailError: string | null;
  passwordError: string | null;
  problem: string | null;
  stamp: number;
  mailed: boolean;
};

const start: State = {
  email: "",
  emailError: null,
  passwordError: null,
  problem: null,
  stamp: 0,
  mailed: false,
};

/**
 * Signs in by password, or mails a link and a code. `next` is the destination, `demo` offers the
 * two demo people, and `isDeleted` is true after an account was deleted.
 */
export function SignInForm({
  next,
  demo,
  isDeleted,
}: {
  next: string;
  demo: boolean;
  isDeleted: boolean;
}) {
  const { open } = useTab();
  const router = useRouter();
  const [byPassword, setByPassword] = useState(true);

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const email = formText(form, "email");
      const password = formSecret(form, "password");
      const mail = form.get("way") === "mail";
      const stamp = before.stamp + 1;
      const emailError = emailProblem(email);
      const passwordError = mail || password ? null : "Enter your password.";
      if (emailError || passwordError) return { ...start, email, emailError, passwordError, stamp };
      const tab = await open();
      if (mail) {
        const answer = await tab.backend.auth.sendLink({ email, next });
        if (!answer.ok) return { ...start, email, problem: authSentence(answer.refusal), stamp };
        setByPassword(false);
        return { ...start, email, mailed: true, stamp };
      }
      const [{ attempt }, { goal }] = await Promise.all([
        import("@/components/session/tab"),
        import("@/components/session/sign-in-destination"),
      ]);
      const result = await attempt(tab, { kind: "password", email, password });
      if (!result.ok) return { ...start, email, problem: authSentence(result.refusal), stamp };
      router.replace(await goal(tab, next));
      return { ...start, email, stamp };
    },
    start,
  );

  if (state.mailed && !byPassword)
    return <CodeForm email={state.email} next={next} onBack={() => setByPassword(true)} />;

  return (
    <>
      <form className={styles.form} action={submit} noValidate>
        <h1>Sign in</h1>
        {isDeleted && (
          <Banner icon={UserX}>
            Your account was deleted. You are signed out on every device.
          </Banner>
        )}
        <FormNotice problem={state.problem} stamp={state.stamp} />
        <EmailField key={`email-${state.stamp}`} value={state.email} error={state.emailError} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          error={state.passwordError}
          aside={
            <Link className={`link ${styles.aside}`} href="/forgot-password">
              Forgot password?
            </Link>
          }
        />
        <Button type="submit" look="primary" wide busy={busy}>
          Sign in
        </Button>
        <Button type="submit" name="way" value="mail" look="edge" wide busy={busy}>
          Email me a sign-in link
        </Button>
        <p className={styles.other}>
          New here?{" "}
          <Link
            className="link"
            href={next === "/" ? "/sign-up" : `/sign-up?next=${encodeURIComponent(next)}`}
          >
            Create an account
          </Link>
        </p>
      </form>
      {demo && <DemoPeople next={next} />}
    </>
  );
}
