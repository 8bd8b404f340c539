"use client";

import { ChevronDown, ChevronRight, FileText } from "lucide-react";
import { memo, useId } from "react";
import type { ReactNode } from "react";
import { Avatar } from "@/components/ui/pictures/avatar";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { UnreadDot } from "./unread-dot";
import styles from "./documents-tree.module.css";

type Props = {
  id: string;
  title: string;
  icon: string | null;
  level: number;
  position: number;
  size: number;
  /** Whether the child documents are shown, or null without children. */
  open: boolean | null;
  current: boolean;
  /** Whether the row is the tab stop of the tree. */
  stop: boolean;
  onOpen: (id: string, open: boolean) => void;
  onNavigate: (() => void) | undefined;
  /** The tools of the row, shown on hover and focus. */
  tools: ReactNode;
  /** The field that replaces the title during a rename. */
  field: ReactNode;
};

/** Renders a row of the tree. Memoized: most changes of a document do not affect its row. */
export const TreeRow = memo(function TreeRow({ id, title, icon, level, ...row }: Props) {
  const { position, size, open, current, stop, onOpen, onNavigate, tools, field } = row;
  const name = title || "Untitled";
  const marks = useId();
  return (
    <li
      role="treeitem"
      className={styles.item}
      style={{ paddingInlineStart: 4 + 14 * (level - 1) }}
      data-document={id}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={open ?? undefined}
      aria-current={current ? "page" : undefined}
      aria-label={name}
      aria-describedby={marks}
      tabIndex={stop ? 0 : -1}
    >
      <span className={styles.arrow} aria-hidden onClick={() => onOpen(id, open === false)}>
        {open !== null && <Icon of={open ? ChevronDown : ChevronRight} size={12} />}
      </span>
      {field ?? (
        <Link
          className={styles.link}
          href={`/d/${id}`}
          tabIndex={-1}
          onClick={() => onNavigate?.()}
        >
          <span className={styles.icon} aria-hidden>
            {icon === null ? <Icon of={FileText} size={14} /> : <DocumentIcon emoji={icon} />}
          </span>
          <span className={styles.label}>{name}</span>
          <span id={marks} className={styles.marks}>
            <Here document={id} />
            <UnreadDot document={id} />
          </span>
        </Link>
      )}
      {tools}
    </li>
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
