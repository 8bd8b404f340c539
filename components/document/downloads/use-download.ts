"use client";

import { fileKinds } from "@/events/formats/file-kinds";
import type { FileKind } from "@/events/formats/file-kinds";
import { fileStem } from "@/events/formats/writing/file-stem";
import { StoreFault } from "@/events/log/store";
import { isolated } from "@/events/core/text/isolated";
import { messageOf } from "@/components/transfer/requests";
import { saveFile } from "@/components/transfer/save-file";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";

/** The names of slow formats for the message that is shown during their download. */
const slow: Partial<Record<FileKind, string>> = { pdf: "PDF", docx: "Word file" };
/** The delay before the message is shown, in ms. */
const patience = 1_200;

/** Returns a function that downloads the current text of a document in a format. */
export function useDownload(documentId: string, title: string): (kind: FileKind) => void {
  const toast = useToast();
  const download = async (kind: FileKind) => {
    const waiting = setTimeout(() => {
      const what = slow[kind];
      if (what) toast({ text: `Making the ${what} of “${isolated(title)}”…` });
    }, patience);
    try {
      const answer = await fetch(`/d/${documentId}/download?as=${kind}`).catch(() => null);
      const type = answer?.headers.get("content-type") ?? "";
      if (answer?.ok && type === fileKinds[kind])
        return saveFile(await answer.blob(), `${fileStem(title)}.${kind}`);
      const isRefused = answer !== null && !answer.ok && answer.status < 500;
      const reason = isRefused ? await messageOf(answer) : null;
      if (reason !== null) return toast({ text: `${reason} Nothing was saved.` });
      throw new StoreFault(
        "the file could not be downloaded",
        answer?.ok === false ? answer.status : 0,
      );
    } catch (fault) {
      reportUnexpected(fault);
      toast({ text: failureWords(fault, "Nothing was saved", navigator.onLine) });
    } finally {
      clearTimeout(waiting);
    }
  };
  return (kind) => void download(kind);
}
