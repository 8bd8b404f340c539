"use client";

import { useEffect, useState, useTransition } from "react";
import type { RefusedAuthEvent } from "@/events/device/auth-event-queue";
import { useSession, useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { LocalTime } from "@/components/ui/time/local-time";
import { authEventWords } from "./auth-history";
import styles from "../account-page.module.css";

/**
 * Lists the auth events of this browser that the log refused, and offers a retry. Renders nothing
 * if there are none.
 */
export function RefusedAuthEvents({ userId }: { userId: string }) {
  const { tab } = useTab();
  const { phase } = useSession();
  const [refused, setRefused] = useState<RefusedAuthEvent[]>([]);
  const [busy, startTransition] = useTransition();

  useEffect(() => {
    if (!tab || phase !== "signedIn") return;
    let shown = true;
    void import("@/components/session/tab")
      .then(({ prepared }) => prepared(tab))
      .then(() => {
        if (shown) setRefused(tab.queue.refused(userId));
      });
    return () => {
      shown = false;
    };
  }, [tab, phase, userId]);

  if (!tab || refused.length === 0) return null;
  const retry = () =>
    startTransition(async () => {
      const { retryAuthEvents } = await import("@/components/session/tab");
      setRefused(await retryAuthEvents(tab, userId));
    });
  return (
    <div className={styles.refused} role="status">
      <p>These entries couldn’t be added to your sign-in history. They are kept on this device:</p>
      <ul>
        {refused.map(({ authEvent }) => (
          <li key={authEvent.id}>
            {authEventWords(authEvent)}, <LocalTime iso={authEvent.clientTime} />
          </li>
        ))}
      </ul>
      <Button look="edge" busy={busy} onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
