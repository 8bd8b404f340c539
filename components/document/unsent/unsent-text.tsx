"use client";

import { usePathname } from "next/navigation";
import { onDemand } from "@/components/loading/on-demand";
import { useSession } from "@/components/session/backend-provider";

const UnsentPanel = onDemand(() => import("./unsent-panel").then((module) => module.UnsentPanel));

/** Shows the signed-in person's unsaved text in the document of this URL, if there is any. */
export function UnsentText() {
  const { session } = useSession();
  const documentId = /^\/d\/([0-9a-f-]{36})$/.exec(usePathname())?.[1];
  return (
    session !== null &&
    documentId !== undefined && (
      <UnsentPanel
        key={`${session.userId} ${documentId}`}
        documentId={documentId}
        userId={session.userId}
      />
    )
  );
}
