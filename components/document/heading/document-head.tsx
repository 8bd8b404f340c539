import { useCallback } from "react";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { takeTypedTitle } from "@/components/frame/documents/begun-document";
import { bylineOf } from "./byline";
import styles from "../document.module.css";
import { Title } from "./title";

type Props = {
  row: DocumentRow;
  /** The user ids of the document's authors. */
  writers: readonly string[];
  lastChange: { at: string; by: string };
  editable: boolean;
  /** Opens the icon dialog. Null if the reader may not set an icon. */
  onIcon: (() => void) | null;
  /** Moves the focus to the beginning of the text. */
  onText: () => void;
};

/** Shows the head of a document: its icon, its title and the byline. */
export function DocumentHead({ row, writers, lastChange, editable, onIcon, onText }: Props) {
  const { people, clock, documentCommands } = useWorkspace("people", "clock", "documentCommands");
  const takeTyped = useCallback(() => takeTypedTitle(row.id), [row.id]);
  const byline = {
    writers: writers.map((id) => people.get(id)).filter((person) => person !== undefined),
    createdAt: row.createdAt,
    changedAt: lastChange.at,
    changedBy: people.get(lastChange.by) ?? null,
  };
  return (
    <>
      <PageIcon emoji={row.icon} onChange={onIcon} />
      <Title
        title={row.title}
        editable={editable}
        takeTyped={takeTyped}
        onText={onText}
        onRename={({ title, replaces }) => documentCommands.rename(row.id, title, replaces)}
      />
      <p className={styles.byline} suppressHydrationWarning>
        {bylineOf(byline, clock)}
      </p>
    </>
  );
}
