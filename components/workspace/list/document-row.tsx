"use client";

import { memo, useRef } from "react";
import type { DocumentRow as Row } from "@/events/read-models/document-rows";
import { whenOf } from "@/components/ui/day-words";
import { Avatar } from "@/components/ui/avatar";
import { classNames } from "@/components/ui/class-names";
import { DocumentIcon } from "@/components/ui/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { changeWords } from "./last-change-words";
import { DocumentMenu } from "./document-menu";
import { ActivityStrip } from "./activity-strip";
import { TitleField } from "./title-field";
import styles from "./document-list.module.css";

type Props = {
  document: Row;
  /** A hairline above. */ ruled: boolean;
  renaming: boolean;
  onRename: (id: string | null) => void;
};

/** One document: its title, who is in it, what happened last, by whom and when. */
export const DocumentRow = memo(function DocumentRow({
  document,
  ruled,
  renaming,
  onRename,
}: Props) {
  const { me, people, clock, documentCommands } = useWorkspace(
    "me",
    "people",
    "clock",
    "documentCommands",
  );
  const menu = useRef<HTMLButtonElement>(null);
  const { id, title, icon, updatedBy, updatedAt, edits } = document;
  const here = useWorkspaceValue(({ inDocument }) => inDocument.get(id)) ?? [];
  const change = useWorkspaceValue(({ changes }) => changes[id]);
  const author = updatedBy === me.userId ? "You" : (people.get(updatedBy)?.name ?? "Somebody");
  const done = (name: string | null) => {
    if (name !== null && name !== title) void documentCommands.rename(id, name);
    onRename(null);
    requestAnimationFrame(() => menu.current?.focus());
  };
  return (
    <div className={classNames(styles.row, ruled && styles.ruled)} data-document={id}>
      <div className={styles.words}>
        <div className={styles.name}>
          <DocumentIcon emoji={icon} />
          {renaming ? (
            <TitleField title={title} onDone={done} />
          ) : (
            <Link href={`/d/${id}`} className={styles.title}>
              {title || "Untitled"}
            </Link>
          )}
          {here.length > 0 && (
            <span className={styles.who}>
              {here.map((person) => (
                <Avatar
                  key={person.userId}
                  name={person.name}
                  color={person.color}
                  size="mini"
                  idle={person.idle}
                  labelled
                />
              ))}
            </span>
          )}
        </div>
        <p className={styles.what}>{changeWords(change, edits)}</p>
      </div>
      <ActivityStrip bars={change?.bars ?? []} />
      <p className={styles.by}>
        {author}
        <time dateTime={updatedAt}>{whenOf(updatedAt, clock)}</time>
      </p>
      <DocumentMenu document={document} buttonRef={menu} onRename={() => onRename(id)} />
    </div>
  );
});
