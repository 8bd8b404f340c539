"use client";

import { useRouter } from "next/navigation";
import { lazy, useEffect } from "react";
import { seesEverything } from "@/machines/history-grade";
import { Announcer } from "@/components/ui/announcer";
import { insisted } from "@/components/loading/retrying-import";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { WorkspaceRoom } from "@/components/workspace-state/workspace-shell";
import type { WorkspaceSnapshot } from "@/components/workspace-state/workspace-snapshot";
import { DocumentPage } from "./document-page";
import type { DocumentSnapshot } from "./document-snapshot";
import type { GradedSnapshot } from "./restricted-page";
// The server's HTML has the graded page before its code is fetched, and needs its looks by then.
import "./restricted-versions.module.css";

const StoppedPage = lazy(() =>
  insisted(() => import("./stopped-page")).then((module) => ({ default: module.StoppedPage })),
);

const GradedPage = lazy(() =>
  insisted(() => import("./restricted-page")).then((module) => ({ default: module.GradedPage })),
);

type Props = { workspace: WorkspaceSnapshot; document: DocumentSnapshot | GradedSnapshot };

/** A document's page with everything live around it. */
export function DocumentRoom({ workspace, document }: Props) {
  const graded = "graded" in document;
  return (
    <Announcer>
      <WorkspaceRoom initial={workspace} here={document.row.id}>
        <GradeWatch graded={graded} />
        <Page document={document} />
      </WorkspaceRoom>
    </Announcer>
  );
}

function Page({ document }: { document: DocumentSnapshot | GradedSnapshot }) {
  if ("graded" in document) return <GradedPage key={document.row.id} snapshot={document} />;
  if (document.stoppedAt !== null)
    return <StoppedPage key={document.row.id} snapshot={document} stoppedAt={document.stoppedAt} />;
  return <DocumentPage key={document.row.id} snapshot={document} />;
}

/** Asks the server for the other kind of page when the reader comes to see more of the history, or less. */
function GradeWatch({ graded }: { graded: boolean }) {
  const { role, history } = useWorkspace();
  const router = useRouter();
  const wrong = role !== null && seesEverything(role, history) === graded;
  useEffect(() => {
    if (wrong) router.refresh();
  }, [wrong, router]);
  return null;
}
