"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import type { AccountSession } from "@/events/read-models/account-sessions";
import { StoreFault } from "@/events/log/store";
import { useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/time/local-time";
import { useToast } from "@/components/ui/toast";
import { deviceWords } from "./device-words";
import { FormNotice } from "@/components/ui/forms/form-notice";
import styles from "../account-page.module.css";

/** Lists the person's sessions, this browser first. Each other session can be signed out. */
export function SessionList({ sessions }: { sessions: AccountSession[] }) {
  const { open } = useTab();
  const router = useRouter();
  const toast = useToast();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, startTransition] = useTransition();

  const end = (session: AccountSession) =>
    startTransition(async () => {
      const [{ backend }, { endSession }] = await Promise.all([
        open(),
        import("@/events/read-models/account-sessions"),
      ]);
      try {
        await endSession(backend.rows, session.id);
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
        setProblem(
          "This session could not be ended, so it goes on. Try again in a moment, or sign out everywhere else.",
        );
        return;
      }
      setProblem(null);
      toast({
        text: `${deviceWords(session.userAgent)} is signed out, at the latest in ten minutes.`,
      });
      router.refresh();
    });

  return (
    <>
      <FormNotice problem={problem} stamp={0} />
      <ul className={styles.sessions} aria-label="Sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <span className={styles.device}>{deviceWords(session.userAgent)}</span>
              {session.current && <span className={styles.here}>This one</span>}
              <span className={styles.when}>
                Since <LocalTime iso={session.createdAt} />
                {!session.current && (
                  <>
                    . Last used <LocalTime iso={session.usedAt} />
                  </>
                )}
              </span>
            </div>
            {!session.current && (
              <Button look="edge" busy={busy} onClick={() => end(session)}>
                Sign out<span className="sr"> {deviceWords(session.userAgent)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
