"use client";

import { useState } from "react";
import { fileStem } from "@/events/formats/writing/file-stem";
import { DocumentTransfer } from "@/components/transfer/document-transfer";
import { saveFile } from "@/components/transfer/save-file";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { workspaceArchive } from "./workspace-archive";

/** Builds an archive of the workspace as it is at the request, shows progress, and saves it. */
export function WorkspaceDownload({ onEnd }: { onEnd: () => void }) {
  const { id, name, documents } = useWorkspace("id", "name", "documents");
  const toast = useToast();
  // Created once, because later changes of the workspace must not restart the work.
  const [work] = useState(() =>
    workspaceArchive({ workspace: { id, name }, documents, origin: location.origin }, (archive) =>
      saveFile(archive, `${fileStem(name)}.zip`),
    ),
  );
  const done = () => toast({ text: "The workspace is saved as one archive" });
  return <DocumentTransfer label="Gathering documents" work={work} onDone={done} onEnd={onEnd} />;
}
