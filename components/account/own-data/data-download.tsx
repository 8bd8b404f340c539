"use client";

import { useMemo } from "react";
import { DocumentTransfer } from "@/components/transfer/document-transfer";
import { saveFile } from "@/components/transfer/save-file";
import { useToast } from "@/components/ui/toast";
import { archiveName, dataArchive } from "./data-archive";

/** Builds the archive of a person's data, shows its progress, and saves it. */
export function DataDownload({ onEnd }: { onEnd: () => void }) {
  const toast = useToast();
  const work = useMemo(() => dataArchive((archive) => saveFile(archive, archiveName)), []);
  const done = () => toast({ text: "Your data is saved as one archive. Open “index.html” in it." });
  return <DocumentTransfer label="Gathering your data" work={work} onDone={done} onEnd={onEnd} />;
}
