"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { authSentence } from "@/events/auth/auth";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import { FormNotice } from "@/components/ui/forms/form-notice";
import styles from "../account-page.module.css";

/** Ends this session, all other sessions, or all sessions. */
export function SessionActions() {
  const { open } = useTab();
  const router = useRouter();
  const toast = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, startTransition] = useTransition();

  const leave = (scope: "local" | "global") =>
    startTransition(async () => {
      const { askToSignOut } = await import("@/components/session/sign-out/sign-out");
      const refusal = await askToSignOut(await open(), scope);
      setProblem(refusal && authSentence(refusal));
    });

  const endOthers = () =>
    startTransition(async () => {
      const { backend } = await open();
      const answer = await backend.auth.signOut("others");
      setProblem(answer.ok ? null : authSentence(answer.refusal));
      if (!answer.ok) return;
      toast({ text: "Every other device is signed out, at the latest in ten minutes." });
      router.refresh();
    });

  return (
    <>
      <FormNotice problem={problem} stamp={0} />
      <div className={styles.row}>
        <Button look="edge" busy={busy} onClick={() => leave("local")}>
          Sign out here
        </Button>
        <Button look="edge" busy={busy} onClick={endOthers}>
          Sign out everywhere else
        </Button>
        <Button look="danger" busy={busy} onClick={() => leave("global")}>
          Sign out everywhere
        </Button>
      </div>
    </>
  );
}
