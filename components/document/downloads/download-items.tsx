"use client";

import { FileCode, FileText, FileType, Globe, History } from "lucide-react";
import { MenuItem, MenuRule } from "@/components/ui/menu";
import { useDownload } from "./use-download";

type Props = {
  documentId: string;
  title: string;
  /** Opens the export of the whole history. Null for a reader who may not see the history. */
  onHistory: (() => void) | null;
};

/** Lists the formats in which a document can be downloaded. */
export function DownloadItems({ documentId, title, onHistory }: Props) {
  const download = useDownload(documentId, title);
  return (
    <>
      <MenuItem icon={FileCode} detail=".md, plain text" onSelect={() => download("md")}>
        Markdown
      </MenuItem>
      <MenuItem icon={FileType} detail=".docx" onSelect={() => download("docx")}>
        Word
      </MenuItem>
      <MenuItem icon={FileText} detail="For printing and sharing" onSelect={() => download("pdf")}>
        PDF
      </MenuItem>
      <MenuItem
        icon={Globe}
        detail="One page that opens in any browser"
        onSelect={() => download("html")}
      >
        HTML
      </MenuItem>
      {onHistory && (
        <>
          <MenuRule />
          <MenuItem
            icon={History}
            detail="Every edit and comment. Can be imported again."
            onSelect={onHistory}
          >
            With its history
          </MenuItem>
        </>
      )}
    </>
  );
}
