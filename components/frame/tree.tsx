"use client";

import { Activity, Inbox, Plus, Trash2, Users } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { memo } from "react";
import { Avatar } from "@/components/ui/avatar";
import { DocumentIcon } from "@/components/ui/document-icon";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/long-list";
import { Link } from "@/components/ui/link";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { AccountMenu } from "./account-menu";
import { PlaceMenu } from "./place-menu";
import styles from "./tree.module.css";

/** The workspace's own pages. */
export type Place = "documents" | "members" | "activity" | "trash";

export type TreeProps = {
  /** Where the reader is: on one of the workspace's own pages, */
  page?: Place;
  /** or in this document. */
  document?: string;
  /** Makes a document and opens it; absent where that is not allowed or stands in the bar already. */
  onNewDocument?: (() => void) | undefined;
  onCreateWorkspace?: (() => void) | undefined;
};

type Props = TreeProps & { inSheet?: boolean; onNavigate?: (() => void) | undefined };

/** The pages of a workspace, with who is in which. */
export const Tree = memo(function Tree({
  page: shownPage,
  document: shownDocument,
  onNewDocument,
  onCreateWorkspace,
  inSheet,
  onNavigate,
}: Props) {
  const { id: workspaceId, documents } = useWorkspace("id", "documents");
  const { shown, showMore, list } = useLongList(documents, {
    needed: ({ id }) => id === shownDocument,
  });
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
      {page("documents", `/w/${workspaceId}`, Inbox, "All documents")}
      <div className={styles.gap} />
      <ul ref={list}>
        {shown.map(({ id, title, icon }) => (
          <li key={id}>
            <TreeDocument
              id={id}
              title={title}
              icon={icon}
              shown={id === shownDocument}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
      {showMore && (
        <button
          type="button"
          className={styles.row}
          aria-label="Show more documents"
          onClick={showMore}
        >
          <span className={styles.mark} aria-hidden />
          <span className={styles.label}>Show more</span>
        </button>
      )}
      {onNewDocument && (
        <button type="button" className={styles.row} onClick={onNewDocument}>
          <Icon of={Plus} size={14} />
          <span className={styles.label}>New document</span>
        </button>
      )}
      <div className={styles.grow} />
      {page("activity", `/w/${workspaceId}/activity`, Activity, "Activity")}
      {page("members", `/w/${workspaceId}/members`, Users, "Members")}
      {page("trash", `/w/${workspaceId}/trash`, Trash2, "Trash")}
      <div className={styles.gap} />
      {inSheet && <PlaceMenu onCreateWorkspace={onCreateWorkspace} />}
      <AccountMenu />
    </>
  );
});

type TreeDocumentProps = {
  id: string;
  title: string;
  icon: string | null;
  shown: boolean;
  onNavigate: (() => void) | undefined;
};

/** Most changes of a document's row show nowhere in the tree. */
const TreeDocument = memo(function TreeDocument({
  id,
  title,
  icon,
  shown,
  onNavigate,
}: TreeDocumentProps) {
  return (
    <Link
      className={styles.row}
      href={`/d/${id}`}
      aria-current={shown ? "page" : undefined}
      onClick={() => onNavigate?.()}
    >
      <span className={styles.mark} aria-hidden>
        <DocumentIcon emoji={icon} />
      </span>
      <span className={styles.label}>{title || "Untitled"}</span>
      <Here document={id} />
    </Link>
  );
});

function Here({ document }: { document: string }) {
  const people = useWorkspaceValue(({ inDocument }) => inDocument.get(document));
  if (people === undefined) return null;
  const names = people.map(({ name }) => name).join(", ");
  return (
    <span className={styles.who} title={`${names} ${people.length === 1 ? "is" : "are"} here`}>
      {people.slice(0, 3).map((person) => (
        <Avatar key={person.userId} name={person.name} color={person.color} size="mini" />
      ))}
      <span className="sr">, with {names}</span>
    </span>
  );
}
