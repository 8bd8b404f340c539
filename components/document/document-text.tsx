import { useCallback, useEffect } from "react";
import type { Unreadable } from "@/components/editor/binding/content-guard";
import { tellFileArrival } from "@/components/editor/files/arrivals";
import type { LiveText } from "@/components/editor/binding/live-text";
import { StaticText } from "@/components/editor/static-text";
import { TextEditor } from "@/components/editor/text-editor";
import type { MadeEditor } from "@/components/editor/text-editor";
import { setAnalysis } from "@/components/history/analysis/model/analysis-state";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { DocumentSnapshot } from "./document-snapshot";
import styles from "./document.module.css";
import { focusTitle } from "./heading/title";
import { usePersonOf } from "./use-person-of";
import { useReadable } from "./use-readable";

const showPassage = () => setAnalysis({ view: "passage" });

type Props = {
  snapshot: Pick<DocumentSnapshot, "html" | "whole" | "row">;
  live: LiveDocument | null;
  /** The text of the editor. Null until it is open, and if the editor cannot represent it. */
  text: LiveText | null;
  editable: boolean;
  /** The reason why the editor cannot represent the text, which is then read-only. */
  unreadable: Unreadable | null;
  onUnreadable: (why: Unreadable) => void;
  /** Comments on the selection, or null if commenting is not possible. */
  onComment: (() => void) | null;
  /** Called with the id of a clicked passage. */
  onPick: (id: string) => void;
  onEditor: (made: MadeEditor | null) => void;
  onReady: () => void;
};

/**
 * Shows the text of a document as the server rendered it, then in the editor. If the editor cannot
 * represent the text, it is shown as HTML.
 */
export function DocumentText({
  snapshot,
  live,
  text,
  editable,
  unreadable,
  onUnreadable,
  onComment,
  onPick,
  onEditor,
  onReady,
}: Props) {
  const { me, people, documentCommands, mayDocument } = useWorkspace(
    "me",
    "people",
    "documentCommands",
    "mayDocument",
  );
  const mayBegin = mayDocument("document.created", null);
  const begin = useCallback(
    (title: string) => (mayBegin ? documentCommands.create({ title }).id : null),
    [mayBegin, documentCommands],
  );
  const personOf = usePersonOf(live, people);
  const toast = useToast();
  const refuse = useCallback((words: string) => toast({ text: words }), [toast]);
  useEffect(
    () =>
      live?.onRows((rows) => {
        for (const { type, subject } of rows)
          if (type === "file.attached") tellFileArrival(subject.id);
      }),
    [live],
  );
  const readable = useReadable(unreadable === null ? null : live);
  return (
    <>
      {unreadable !== null ? (
        <StaticText html={readable ?? snapshot.html} />
      ) : (
        <TextEditor
          documentId={snapshot.row.id}
          userId={me.userId}
          html={snapshot.html}
          live={text}
          editable={editable}
          personOf={personOf}
          onRefuse={refuse}
          onUnreadable={onUnreadable}
          onComment={onComment}
          onNewDocument={begin}
          onPassage={showPassage}
          onPick={onPick}
          onEditor={onEditor}
          onReady={onReady}
          onUp={focusTitle}
        />
      )}
      {!snapshot.whole && text === null && readable === null && (
        <p className={styles.byline} role="status">
          This is a large document. The rest of it is being loaded.
        </p>
      )}
    </>
  );
}
