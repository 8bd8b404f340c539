"use client";

import { useRouter } from "next/navigation";
import { useActionState } from "react";
import { authSentence } from "@/events/auth/auth";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { PasswordField } from "@/components/ui/forms/password-field";
import { useToast } from "@/components/ui/toast";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { formSecret } from "@/components/ui/forms/form-text";
import styles from "./account-page.module.css";

type State = { error: string | null; problem: string | null; stamp: number };

const start: State = { error: null, problem: null, stamp: 0 };

/** Sets a new password and signs out all other devices, in case another person knew the old one. */
export function PasswordForm({ email }: { email: string }) {
  const { open } = useTab();
  const router = useRouter();
  const toast = useToast();
  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const password = formSecret(form, "password");
      const given = { ...start, stamp: before.stamp + 1 };
      if (password.length < 8) return { ...given, error: "Use at least 8 characters." };
      const { backend } = await open();
      const answer = await backend.auth.change({ password });
      if (!answer.ok) return { ...given, problem: authSentence(answer.refusal) };
      const others = await backend.auth.signOut("others");
      toast({
        text: others.ok
          ? "Password changed. Your other devices are signed out."
          : "Password changed. Your other devices could not be signed out; try again below.",
      });
      router.refresh();
      return given;
    },
    start,
  );

  return (
    <form className={styles.form} action={submit} noValidate>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        maxLength={72}
        error={state.error}
        help="At least 8 characters. Your other devices will be signed out."
      />
      <div>
        <Button type="submit" look="edge" busy={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}
