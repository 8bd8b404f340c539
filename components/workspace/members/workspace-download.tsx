"use client";

import { useState } from "react";
import { fileStem } from "@/events/formats/writing/file-stem";
import { DocumentTransfer } from "@/components/transfer/document-transfer";
import { saveFile } from "@/components/transfer/save-file";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { workspaceArchive } from "./workspace-archive";

/** Makes the archive of a workspace as it was when this was asked for, shows how far it is, and saves it. */
export function WorkspaceDownload({ onEnd }: { onEnd: () => void }) {
  const { id, name, documents } = useWorkspace("id", "name", "documents");
  const toast = useToast();
  // Once: what is begun or renamed meanwhile must not begin all of it again.
  const [work] = useState(() =>
    workspaceArchive({ workspace: { id, name }, documents, origin: location.origin }, (archive) =>
      saveFile(archive, `${fileStem(name)}.zip`),
    ),
  );
  const done = () => toast({ text: "The workspace is saved as one archive" });
  return <DocumentTransfer label="Gathering documents" work={work} onDone={done} onEnd={onEnd} />;
}
