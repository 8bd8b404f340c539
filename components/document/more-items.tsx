"use client";

import {
  Bookmark,
  Download,
  FileText,
  GitFork,
  Link2,
  ShieldCheck,
  SmilePlus,
  Trash2,
  UserRoundPlus,
} from "lucide-react";
import type { LiveDocument } from "@/machines/sync/live-document";
import { AnalysisMenuItems } from "@/components/history/analysis/analysis-menu-items";
import { MenuItem, MenuRule } from "@/components/ui/menu";
import type { DocumentDialog } from "./document-dialogs";
import { useDocumentActions } from "./use-document-actions";

export type MoreProps = {
  documentId: string;
  title: string;
  icon: string | null;
  live: LiveDocument | null;
  /** The newest version that the page knows. */
  version: number;
  mayEdit: boolean;
  maySetIcon: boolean;
  mayTrash: boolean;
  onDialog: (dialog: DocumentDialog) => void;
};

/** What the menu of a document holds; fetched when it is opened. */
export function MoreItems({ mayEdit, maySetIcon, mayTrash, onDialog, ...document }: MoreProps) {
  const { copyLink, copyMarkdown, fork, trash } = useDocumentActions(document);
  return (
    <>
      <MenuItem icon={UserRoundPlus} onSelect={() => onDialog("share")}>
        Share…
      </MenuItem>
      <MenuItem icon={Link2} onSelect={copyLink}>
        Copy link
      </MenuItem>
      <MenuItem icon={FileText} onSelect={copyMarkdown}>
        Copy as Markdown
      </MenuItem>
      {maySetIcon && (
        <MenuItem icon={SmilePlus} onSelect={() => onDialog("icon")}>
          {document.icon === null ? "Add icon…" : "Change icon…"}
        </MenuItem>
      )}
      <MenuRule />
      <AnalysisMenuItems />
      <MenuRule />
      <MenuItem icon={Bookmark} onSelect={() => onDialog("versions")}>
        {mayEdit ? "Name this version…" : "Versions…"}
      </MenuItem>
      {mayEdit && (
        <MenuItem icon={GitFork} onSelect={fork}>
          Fork this document
        </MenuItem>
      )}
      <MenuItem icon={ShieldCheck} onSelect={() => onDialog("verify")}>
        Verify history…
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => onDialog("export")}>
        Export…
      </MenuItem>
      {mayTrash && (
        <>
          <MenuRule />
          <MenuItem icon={Trash2} onSelect={trash}>
            Move to trash
          </MenuItem>
        </>
      )}
    </>
  );
}
