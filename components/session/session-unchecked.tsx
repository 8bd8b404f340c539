"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/screen/notice-page";

const retryAfter = 15_000;

/** Replaces a page while the server cannot check the session, and reloads after `retryAfter`. */
export function SessionUnchecked() {
  useEffect(() => {
    const timer = setTimeout(() => location.reload(), retryAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <NoticePage
      title="Your session can’t be checked right now"
      actions={
        <Button look="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      }
    >
      The service that signs people in doesn’t answer. You’re still signed in, and nothing you wrote
      is lost: it is in the log, or kept on this device until it is. This page opens by itself once
      the service answers.
    </NoticePage>
  );
}
