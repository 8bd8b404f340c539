"use client";

import { useEffect } from "react";
import {
  Bookmark,
  Copy,
  Download,
  FilePlus2,
  FileText,
  FolderInput,
  GitFork,
  Link2,
  Search,
  ShieldCheck,
  SmilePlus,
  TableOfContents,
  TextCursor,
  Trash2,
  UserRoundPlus,
  Users,
} from "lucide-react";
import type { LiveDocument } from "@/machines/sync/live-document";
import { AnalysisMenuItems } from "@/components/history/analysis/analysis-menu-items";
import { FavouriteItem } from "@/components/frame/rows/favourite-item";
import { MenuItem, MenuRule } from "@/components/ui/menu";
import { MenuCheck, MenuHeading, MenuSub } from "@/components/ui/menu-parts";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { setCarets, useCaretSettings } from "@/components/presence/caret-settings";
import type { OfferedType } from "@/components/workspace-state/workspace-snapshot";
import { DownloadItems } from "../downloads/download-items";
import type { DocumentDialog } from "./document-dialogs";
import { fetchCopying, useDocumentActions } from "./use-document-actions";

export type MoreProps = {
  documentId: string;
  title: string;
  icon: string | null;
  live: LiveDocument | null;
  /** The newest version that the page has seen. */
  version: number;
  /** Whether the law lets the reader emit this event on the document now. */
  may: (type: OfferedType) => boolean;
  /** Opens the find bar. Null without an editor. */
  onFind: ((what: "find") => void) | null;
  onDialog: (dialog: DocumentDialog) => void;
};

/** Renders the contents of a document's menu, which load when the menu opens. */
export function MoreItems({ may, onFind, onDialog, ...document }: MoreProps) {
  const mayEdit = may("document.edited");
  const carets = useCaretSettings();
  const { copyLink, copyMarkdown, fork, duplicate, beginInside, trash } =
    useDocumentActions(document);
  useEffect(() => void fetchCopying(), []);
  const narrow = useNarrow();
  const downloads = (
    <DownloadItems
      documentId={document.documentId}
      title={document.title}
      onHistory={() => onDialog("export")}
    />
  );
  return (
    <>
      <MenuItem icon={UserRoundPlus} onSelect={() => onDialog("share")}>
        Share…
      </MenuItem>
      <FavouriteItem document={document.documentId} />
      <MenuItem icon={Link2} onSelect={copyLink}>
        Copy link
      </MenuItem>
      <MenuItem icon={FileText} onSelect={copyMarkdown}>
        Copy as Markdown
      </MenuItem>
      {may("document.icon_set") && (
        <MenuItem icon={SmilePlus} onSelect={() => onDialog("icon")}>
          {document.icon === null ? "Add icon…" : "Change icon…"}
        </MenuItem>
      )}
      {onFind && (
        <MenuItem icon={Search} shortcut="Mod+F" onSelect={() => onFind("find")}>
          {mayEdit ? "Find and replace" : "Find"}
        </MenuItem>
      )}
      {onFind && (
        <MenuItem icon={TableOfContents} onSelect={() => onDialog("outline")}>
          Outline and word count…
        </MenuItem>
      )}
      {may("document.moved") && (
        <>
          <MenuItem icon={FilePlus2} onSelect={beginInside}>
            New document inside
          </MenuItem>
          <MenuItem icon={FolderInput} onSelect={() => onDialog("move")}>
            Move to…
          </MenuItem>
          <MenuItem icon={Copy} onSelect={duplicate}>
            Duplicate
          </MenuItem>
        </>
      )}
      <MenuRule />
      <AnalysisMenuItems />
      <MenuRule />
      <MenuCheck
        icon={Users}
        checked={carets.others}
        onChange={(shown) => setCarets("others", shown)}
      >
        Show carets
      </MenuCheck>
      {mayEdit && (
        <MenuCheck
          icon={TextCursor}
          checked={carets.own}
          onChange={(shown) => setCarets("own", shown)}
        >
          Show my caret
        </MenuCheck>
      )}
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
      {/* Phones have no room for a submenu. */}
      {narrow ? (
        <>
          <MenuRule />
          <MenuHeading>Download</MenuHeading>
          {downloads}
        </>
      ) : (
        <MenuSub icon={Download} label="Download">
          {downloads}
        </MenuSub>
      )}
      {may("document.trashed") && (
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
