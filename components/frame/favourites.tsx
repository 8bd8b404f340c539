"use client";

import { FileText } from "lucide-react";
import { useId } from "react";
import type { KeyboardEvent } from "react";
import { useAnnounce } from "@/components/ui/screen/announcer";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./favourites.module.css";
import { useRowDrag } from "./rows/row-drag";
import { UnreadDot } from "./rows/unread-dot";

type Props = {
  /** The id of the document that the page shows. */
  shown?: string | undefined;
  onNavigate?: (() => void) | undefined;
};

const steps: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Lists the reader's favourites, or nothing if there are none. Dragging, or Alt+Shift with the
 * arrow keys, reorders them.
 */
export function Favourites({ shown, onNavigate }: Props) {
  const { favourites, documents, personal } = useWorkspace("favourites", "documents", "personal");
  const announce = useAnnounce();
  const heading = useId();
  const rows = new Map(documents.map((row) => [row.id, row]));
  // A favourite in the trash is not listed but keeps its place.
  const listed = favourites.flatMap((id, place) => {
    const row = rows.get(id);
    return row ? [{ row, place }] : [];
  });
  const moveTo = (at: number, to: number) => {
    const [own, other] = [listed[at], listed[to]];
    if (!own || !other) return;
    personal.favour(own.row.id, true, other.place);
    announce(`${own.row.title || "Untitled"}: ${to + 1} of ${listed.length}`);
  };
  const order = listed.map(({ row }) => row.id);
  const dragged = useRowDrag(order, (id, onto) => moveTo(order.indexOf(id), order.indexOf(onto)));
  if (listed.length === 0) return null;
  const move = (event: KeyboardEvent, at: number) => {
    const step = steps[event.key];
    if (!step || !event.altKey || !event.shiftKey || !listed[at + step]) return;
    event.preventDefault();
    moveTo(at, at + step);
  };
  return (
    <>
      <h2 id={heading} className={styles.heading}>
        Favourites
      </h2>
      <ul aria-labelledby={heading} className={styles.list}>
        {listed.map(({ row: { id, title, icon } }, at) => (
          <li key={id} {...dragged(id)}>
            <Link
              className={styles.row}
              href={`/d/${id}`}
              aria-current={id === shown ? "page" : undefined}
              aria-keyshortcuts="Alt+Shift+ArrowUp Alt+Shift+ArrowDown"
              onClick={() => onNavigate?.()}
              onKeyDown={(event) => move(event, at)}
            >
              <span className={styles.mark} aria-hidden>
                {icon === null ? <Icon of={FileText} size={14} /> : <DocumentIcon emoji={icon} />}
              </span>
              <span className={styles.label}>{title || "Untitled"}</span>
              <UnreadDot document={id} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
