"use client";

import { useRouter } from "next/navigation";
import { lazy, useEffect } from "react";
import { seesEverything } from "@/machines/history-visibility";
import { PaletteLayer } from "@/components/palette/palette-on-demand";
import { Announcer } from "@/components/ui/screen/announcer";
import { onDemand } from "@/components/loading/on-demand";
import { importWithRetry } from "@/components/loading/retrying-import";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { WorkspaceShell } from "@/components/workspace-state/workspace-shell";
import type { WorkspaceSnapshot } from "@/components/workspace-state/workspace-snapshot";
import { DocumentPage } from "./document-page";
import type { DocumentSnapshot } from "./document-snapshot";
import type { RestrictedSnapshot } from "./restricted/restricted-page";
// The server renders the restricted page before its code loads, so its styles must not be lazy.
import "./restricted/restricted-versions.module.css";

const StoppedPage = lazy(() =>
  importWithRetry(() => import("./stopped-page")).then((module) => ({
    default: module.StoppedPage,
  })),
);

const PurgedPage = onDemand(() => import("./purged-page").then((module) => module.PurgedPage));

const RestrictedPage = lazy(() =>
  importWithRetry(() => import("./restricted/restricted-page")).then((module) => ({
    default: module.RestrictedPage,
  })),
);

type Props = { workspace: WorkspaceSnapshot; document: DocumentSnapshot | RestrictedSnapshot };

/** Renders the page of a document with its live providers. */
export function DocumentShell({ workspace, document }: Props) {
  const restricted = "restricted" in document;
  return (
    <Announcer>
      <WorkspaceShell initial={workspace} here={document.row.id}>
        <VisibilityWatch restricted={restricted} />
        <Page document={document} />
        <PaletteLayer here={document.row.id} />
      </WorkspaceShell>
    </Announcer>
  );
}

function Page({ document }: { document: DocumentSnapshot | RestrictedSnapshot }) {
  const isPurged = useWorkspaceValue(({ purged }) => purged.includes(document.row.id));
  if (isPurged) return <PurgedPage />;
  if ("restricted" in document) return <RestrictedPage key={document.row.id} snapshot={document} />;
  if (document.stoppedAt !== null)
    return <StoppedPage key={document.row.id} snapshot={document} stoppedAt={document.stoppedAt} />;
  return <DocumentPage key={document.row.id} snapshot={document} />;
}

/** Requests the other kind of page when the reader's history visibility changes. */
function VisibilityWatch({ restricted }: { restricted: boolean }) {
  const { role, history } = useWorkspace("role", "history");
  const router = useRouter();
  const wrong = role !== null && seesEverything(role, history) === restricted;
  useEffect(() => {
    if (wrong) router.refresh();
  }, [wrong, router]);
  return null;
}
