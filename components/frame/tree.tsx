"use client";

import { Activity, Inbox, Plus, Trash2, Users } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { memo } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { AccountMenu } from "./account-menu";
import { DocumentsTree } from "./rows/documents-tree";
import { Favourites } from "./favourites";
import { PlaceMenu } from "./place-menu";
import { SearchButton } from "./search-button";
import styles from "./tree.module.css";

const TemplateMenu = onDemand(() =>
  import("./template-menu").then((module) => module.TemplateMenu),
);

/** The workspace's own pages. */
export type Place = "documents" | "members" | "activity" | "trash" | "search";

export type TreeProps = {
  /** The current page if it is one of the workspace's own. */
  page?: Place;
  /** The id of the document if the current page is a document. */
  document?: string;
  /** Creates and opens a document. Absent if not allowed, or if the bar has the button. */
  onNewDocument?: (() => void) | undefined;
  onCreateWorkspace?: (() => void) | undefined;
};

type Props = TreeProps & { inSheet?: boolean; onNavigate?: (() => void) | undefined };

/** Lists the pages of a workspace, and the people who are on each page. */
export const Tree = memo(function Tree({
  page: shownPage,
  document: shownDocument,
  onNewDocument,
  onCreateWorkspace,
  inSheet,
  onNavigate,
}: Props) {
  const { id: workspaceId, mayDocument } = useWorkspace("id", "mayDocument");
  const hasTemplates =
    useWorkspaceValue(({ documents }) => documents.some(({ template }) => template)) &&
    mayDocument("document.created", null);
  const page = (place: Place, href: string, icon: LucideIcon, label: string) => (
    <Link
      className={styles.row}
      href={href}
      aria-current={place === shownPage ? "page" : undefined}
      onClick={() => onNavigate?.()}
    >
      <Icon of={icon} size={14} />
      <span className={styles.label}>{label}</span>
    </Link>
  );
  return (
    <>
      {!inSheet && <PlaceMenu onCreateWorkspace={onCreateWorkspace} />}
      <SearchButton onOpen={onNavigate} />
      {page("documents", `/w/${workspaceId}`, Inbox, "All documents")}
      <div className={styles.places}>
        <Favourites shown={shownDocument} onNavigate={onNavigate} />
        <p className={styles.heading}>Documents</p>
        <DocumentsTree shown={shownDocument} onNavigate={onNavigate} />
        {onNewDocument && (
          <button type="button" className={styles.row} onClick={onNewDocument}>
            <Icon of={Plus} size={14} />
            <span className={styles.label}>New document</span>
          </button>
        )}
        {hasTemplates && <TemplateMenu />}
      </div>
      <div className={styles.feet}>
        {page("activity", `/w/${workspaceId}/activity`, Activity, "Activity")}
        {page("members", `/w/${workspaceId}/members`, Users, "Members")}
        {page("trash", `/w/${workspaceId}/trash`, Trash2, "Trash")}
        <AccountMenu />
        {inSheet && <PlaceMenu named={false} onCreateWorkspace={onCreateWorkspace} />}
      </div>
    </>
  );
});
