"use client";

import { Button } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/notice-page";
import "./tokens.css";
import "./globals.css";

export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
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
