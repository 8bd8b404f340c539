"use client";

import { useId } from "react";
import type { Repeating } from "@/events/crdt/payload/repeat-search";
import { mostAlong } from "@/events/crdt/payload/repeated-words";
import { counted } from "@/components/history/words/change-words";
import { quoteWords } from "@/components/comments/quote-words";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { Copy } from "./document-copies";
import type { Repeats } from "./use-repeats";
import styles from "./redact-dialog.module.css";

type Props = Repeats & {
  /** The versions for which the owner has inverted the proposal. */ inverted: ReadonlySet<number>;
  onInverted: (inverted: ReadonlySet<number>) => void;
};

const sorts: Readonly<Record<string, string>> = {
  "thread.opened": "a comment thread",
  "comment.added": "a comment",
  "comment.edited": "a comment",
  "document.created": "a title",
  "document.renamed": "a title",
  "version.named": "the name of a version",
  "version.renamed": "the name of a version",
  "document.edited": "an edit",
  "document.reverted": "a moment that was restored",
  "document.reworked": "a passage that was brought back",
  "document.forked": "what this fork began with",
  "document.merged": "a merge",
  "document.imported": "what was imported",
  "document.step_imported": "what was imported",
  "file.attached": "the name of a file",
};

const kinds: Readonly<Record<Copy["kind"], string>> = {
  fork: "a fork",
  merge: "where they were merged",
  import: "an import",
  source: "where they come from",
};

/** Whether an event with the same words will be redacted too. */
export function goesAlong({ version, surely }: Repeating, inverted: ReadonlySet<number>): boolean {
  return surely !== inverted.has(version);
}

/**
 * Shows the other occurrences of an edit's words: events that are redacted too if ticked, and
 * documents that this redaction does not change.
 */
export function RepeatedWords({ repeating, copies, inverted, onInverted }: Props) {
  const { people } = useWorkspace("people");
  const heading = useId();
  const invert = (version: number) => {
    const next = new Set(inverted);
    if (!next.delete(version)) next.add(version);
    onInverted(next);
  };
  const hasFiles = repeating.some(({ shown }) => shown !== null);
  const beyond = repeating.slice(mostAlong);
  return (
    <>
      {repeating.length > 0 && (
        <fieldset className={styles.repeats}>
          <legend>
            {repeating.every(({ shown }) => shown !== null)
              ? "The file is here. What is ticked is redacted with the edit"
              : "The same text is here too. What is ticked is redacted with it"}
          </legend>
          <div className={styles.events}>
            {repeating.slice(0, mostAlong).map((event) => (
              <label key={event.version}>
                <input
                  type="checkbox"
                  checked={goesAlong(event, inverted)}
                  onChange={() => invert(event.version)}
                />
                <span>
                  <q>{quoteWords(event.excerpt)}</q>,{" "}
                  {event.shown === null
                    ? `in ${sorts[event.type] ?? "another event"}`
                    : "the file itself, added"}{" "}
                  by <bdi>{people.get(event.actorId)?.name ?? "somebody"}</bdi>, version{" "}
                  {event.version}
                  {event.shown === true && (
                    <>
                      . <strong>It stands elsewhere in the text, too</strong>
                    </>
                  )}
                  {event.others > 0 && (
                    <>
                      . <strong>{counted(event.others, "other letter")} would go with it</strong>
                    </>
                  )}
                </span>
              </label>
            ))}
          </div>
          {beyond[0] && (
            <p>
              {counted(beyond.length, "more event")}, the first at version {beyond[0].version}, may
              hold them. Redact one of those at its own moment: the others are found from there.
            </p>
          )}
          <p>
            In what is not ticked the words stay. An event goes as a whole: with everything that it
            wrote.
            {hasFiles &&
              " With a file its bytes are destroyed, unless another document has it too."}
          </p>
        </fieldset>
      )}
      {copies.length > 0 && (
        <section className={styles.repeats} aria-labelledby={heading}>
          <h3 id={heading}>These documents contain the text too</h3>
          <ul>
            {copies.map(({ row, kind, sure }) => (
              <li key={row.id}>
                <Link className="link" href={`/d/${row.id}`}>
                  <bdi>{row.title || "Untitled"}</bdi>
                </Link>
                , {kinds[kind]}
                {sure ? "" : ", perhaps"}
                {row.phase === "trashed" ? ", in the trash" : ""}
              </li>
            ))}
          </ul>
          <p>
            A redaction here does not reach them. Redact there too, in their history, unless the
            words were deleted before they were carried there. What a fork began with, and what one
            merge brought, goes as a whole.
          </p>
        </section>
      )}
    </>
  );
}
