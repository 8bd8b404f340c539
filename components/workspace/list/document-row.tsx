"use client";

import { FileText, Play } from "lucide-react";
import { memo, useRef } from "react";
import type { DocumentRow as Row } from "@/events/read-models/document-rows";
import { dayOrTimeOf } from "@/components/ui/time/day-words";
import { Avatar } from "@/components/ui/pictures/avatar";
import { buttonClass } from "@/components/ui/button";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { TitleField } from "@/components/frame/rows/title-field";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { lastPhrase } from "@/components/workspace/changes/event-phrases";
import { largestLine, unreadWords } from "@/components/workspace/changes/line-words";
import { Sentence } from "@/components/workspace/changes/sentence";
import { ActivityStrip } from "./activity-strip";
import { DocumentMenu } from "./document-menu";
import { newestLine } from "./newest-line";
import styles from "./document-list.module.css";

type Props = {
  document: Row;
  renaming: boolean;
  onRename: (id: string | null) => void;
};

/** The duration of a playback that starts from the row, in seconds. */
const seconds = 20;

/**
 * Shows a document: its title, the people in it, and its last change with author and time. Unread
 * changes have a link.
 */
export const DocumentRow = memo(function DocumentRow({ document, renaming, onRename }: Props) {
  const { me, clock, documentCommands } = useWorkspace("me", "clock", "documentCommands");
  const menu = useRef<HTMLButtonElement>(null);
  const { id, title, icon, version, updatedBy, updatedAt } = document;
  const here = useWorkspaceValue(({ inDocument }) => inDocument.get(id)) ?? [];
  const change = useWorkspaceValue(({ changes }) => changes[id]);
  const lines = useWorkspaceValue((view) => view.lines[id]) ?? [];
  const seen = useWorkspaceValue(({ unread }) => unread.get(id)) ?? null;
  const news =
    seen === null ? [] : lines.filter(({ to, actorId }) => to > seen && actorId !== me.userId);
  const line = largestLine(news) ?? newestLine(lines, version, updatedBy, change);
  const link = unreadWords(news);
  const done = (name: string | null, replaces: string) => {
    if (name !== null) void documentCommands.rename(id, name, replaces);
    onRename(null);
    requestAnimationFrame(() => menu.current?.focus());
  };
  return (
    <div className={styles.row} data-document={id}>
      {seen !== null && (
        <span className={styles.dot}>
          <span className="sr">Unread</span>
        </span>
      )}
      <span className={styles.icon} aria-hidden>
        {icon === null ? <Icon of={FileText} /> : <DocumentIcon emoji={icon} />}
      </span>
      <div className={styles.words}>
        <div className={styles.name}>
          {renaming ? (
            <TitleField title={title} className={styles.field} onDone={done} />
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
        <p className={styles.what}>
          <Sentence
            actorId={line?.actorId ?? updatedBy}
            line={line}
            instead={lastPhrase(change)}
            most={1}
          />
          {seen !== null && seen > 0 && (
            <>
              {". "}
              <Link
                className={styles.see}
                href={link.isTalk ? `/d/${id}` : `/d/${id}?compare=${seen}&with=${version}`}
              >
                {link.text}
              </Link>
            </>
          )}
        </p>
      </div>
      <span className={styles.film}>
        {change !== undefined && version > 1 && (
          <Link
            className={buttonClass({ look: "quiet", icon: true, className: styles.play })}
            href={`/d/${id}?from=1&to=${version}&play=1&within=${seconds}`}
            aria-label={`Play the history of ${title || "Untitled"}`}
          >
            <Icon of={Play} />
          </Link>
        )}
        <ActivityStrip bars={change?.bars ?? []} versions={change?.versions ?? []} seen={seen} />
      </span>
      <time className={styles.time} dateTime={updatedAt}>
        {dayOrTimeOf(updatedAt, clock)}
      </time>
      <DocumentMenu document={document} buttonRef={menu} onRename={() => onRename(id)} />
    </div>
  );
});
