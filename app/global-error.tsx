"use client";

import { useEffect } from "react";
import { reportError } from "@/events/core/error-report";
import { Button } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/screen/notice-page";
import "./tokens.css";
import "./globals.css";

export default function GlobalError({ error, reset }: { error: Error; reset: () => void }) {
  // React already logs the error.
  useEffect(() => reportError(error, { during: "rendering", kind: "uncaught" }), [error]);
  return (
    <html lang="en">
      <body>
        <title>Palimpsest</title>
        <NoticePage
          title="Palimpsest couldn’t be shown"
          actions={
            <Button look="primary" onClick={reset}>
              Try again
            </Button>
          }
        >
          The server didn’t answer as it should. Nothing you wrote is lost: it is in the log, or
          kept on this device until it is.
        </NoticePage>
      </body>
    </html>
  );
}
