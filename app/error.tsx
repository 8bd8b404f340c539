"use client";

import { useEffect } from "react";
import { reportError } from "@/events/core/error-report";
import { Button } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/screen/notice-page";

export default function RouteError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  // React already logs the error.
  useEffect(() => reportError(error, { during: "rendering a page", kind: "uncaught" }), [error]);
  return (
    <NoticePage
      title="This page couldn’t be shown"
      actions={
        <>
          <Button look="primary" onClick={reset}>
            Try again
          </Button>
          <Button look="edge" onClick={() => location.assign("/")}>
            Go to your workspaces
          </Button>
        </>
      }
      details={
        error.digest && (
          <details>
            <summary>Details</summary>
            <code>{error.digest}</code>
          </details>
        )
      }
    >
      Something went wrong on our side. Nothing you wrote is lost: it is in the log, or kept on this
      device until it is.
    </NoticePage>
  );
}
