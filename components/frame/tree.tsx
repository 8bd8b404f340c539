"use client";

import { Activity, Inbox, Plus, Trash2, Users } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { memo } from "react";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/avatar";
import { DocumentIcon } from "@/components/ui/document-icon";
import { Icon } from "@/components/ui/icon";
import { useLongList } from "@/components/ui/long-list";
import { Link } from "@/components/ui/link";
import { AccountMenu } from "./account-menu";
import { PlaceMenu } from "./place-menu";
import styles from "./tree.module.css";

/** Where the reader is: one of the workspace's own pages, or a document. */
export type Place = "documents" | "members" | "activity" | "trash" | { document: string };

export type TreeProps = {
  workspace: { id: string; name: string };
  /** All workspaces of the reader, for the menu at the top. */
  workspaces: readonly { id: string; name: string }[];
  documents: readonly { id: string; title: string; icon: string | null }[];
  /** Who else is in which document now. */
  people: ReadonlyMap<string, readonly Person[]>;
  me: Person;
  current: Place;
  /** Makes a document and opens it; absent where that is not allowed or stands in the bar already. */
  onNewDocument?: (() => void) | undefined;
  onCreateWorkspace?: (() => void) | undefined;
};

type Props = TreeProps & { inSheet?: boolean; onNavigate?: (() => void) | undefined };

/** The pages of a workspace, with who is in which. */
export const Tree = memo(function Tree({
  workspace,
  workspaces,
  documents,
  people,
  me,
  current,
  onNewDocument,
  onCreateWorkspace,
  inSheet,
  onNavigate,
}: Props) {
  const here = typeof current === "object" ? current.document : null;
  const { shown, showMore } = useLongList(documents, ({ id }) => id === here);
  const page = (place: Place, href: string, icon: LucideIcon, label: string) => (
    <Link
      className={styles.row}
      href={href}
      aria-current={current === place ? "page" : undefined}
      onClick={() => onNavigate?.()}
    >
      <Icon of={icon} size={14} />
      <span className={styles.label}>{label}</span>
    </Link>
  );
  return (
    <>
      {!inSheet && (
        <PlaceMenu
          workspace={workspace}
          workspaces={workspaces}
          onCreateWorkspace={onCreateWorkspace}
        />
      )}
      {page("documents", `/w/${workspace.id}`, Inbox, "All documents")}
      <div className={styles.gap} />
      <ul>
        {shown.map(({ id, title, icon }) => (
          <li key={id}>
            <Link
              className={styles.row}
              href={`/d/${id}`}
              aria-current={id === here ? "page" : undefined}
              onClick={() => onNavigate?.()}
            >
              <span className={styles.mark} aria-hidden>
                <DocumentIcon emoji={icon} />
              </span>
              <span className={styles.label}>{title || "Untitled"}</span>
              <Here people={people.get(id) ?? []} />
            </Link>
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
      {page("activity", `/w/${workspace.id}/activity`, Activity, "Activity")}
      {page("members", `/w/${workspace.id}/members`, Users, "Members")}
      {page("trash", `/w/${workspace.id}/trash`, Trash2, "Trash")}
      <div className={styles.gap} />
      {inSheet && (
        <PlaceMenu
          workspace={workspace}
          workspaces={workspaces}
          onCreateWorkspace={onCreateWorkspace}
        />
      )}
      <AccountMenu me={me} />
    </>
  );
});

function Here({ people }: { people: readonly Person[] }) {
  if (people.length === 0) return null;
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
