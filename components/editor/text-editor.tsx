"use client";

import type { Editor } from "@tiptap/core";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { Unreadable } from "./binding/content-guard";
import { takeEarly } from "./early/early-loading";
import { afterCritical } from "@/components/loading/after-critical";
import { focusedBy } from "@/components/ui/keyboard/focus-history";
import { createTextEditor, textHelpId } from "./binding/editor-binding";
import type { LiveText } from "./binding/live-text";
import { refreshCarets } from "./carets/remote-carets";
import type { RemoteCaretsOptions } from "./carets/remote-carets";
import type { Layer } from "./text-layers";
import styles from "./text.module.css";

// The layers over the text load once the text can be edited.
const TextLayers = onDemand(() =>
  afterCritical()
    .then(() => import("./text-layers"))
    .then((module) => module.TextLayers),
);

/** An editor and the text that it was created for. */
export type MadeEditor = { editor: Editor; live: LiveText };

/**
 * Returns the editor of this text, or null until it is created. The editor of a replaced text is
 * destroyed, and throws when its DOM is measured.
 */
export function editorOf(made: MadeEditor | null, live: LiveText | null): Editor | null {
  return made !== null && made.live === live ? made.editor : null;
}

type Props = {
  /** The id of the document. */
  documentId: string;
  /** The id of the reader. */
  userId: string;
  /** The server-rendered text, shown until the editor takes it over in place. */
  html: string;
  live: LiveText | null;
  editable: boolean;
  /** Resolves a peer to a person. A new function redraws the carets. */
  personOf: RemoteCaretsOptions["personOf"];
  onRefuse: (sentence: string) => void;
  onUnreadable: (why: Unreadable) => void;
  /** Comments on the selection, or null where commenting is not possible. */
  onComment: (() => void) | null;
  /** Creates a document with this title. Returns its id, or null if the person may not. */
  onNewDocument: (title: string) => string | null;
  /** Opens the history of the selected passage. */
  onPassage: () => void;
  /** Called with the id of a marked passage that was clicked. */
  onPick: (id: string) => void;
  /** Called with the editor when it is created, and with null when it is destroyed. */
  onEditor: (made: MadeEditor | null) => void;
  /** Moves focus to the element above the text. */
  onUp: () => void;
  /** Called once the text can be edited, or read with a caret. */
  onReady: () => void;
};

/**
 * The text of a document, readable from the server's HTML and then editable in place. `live` and
 * all functions except `personOf` and `onNewDocument` must be stable.
 */
export function TextEditor({
  documentId,
  userId,
  html,
  live,
  editable,
  personOf,
  onRefuse,
  onUnreadable,
  onComment,
  onNewDocument,
  onPassage,
  onPick,
  onEditor,
  onReady,
  onUp,
}: Props) {
  const [made, setMade] = useState<MadeEditor | null>(null);
  const editor = editorOf(made, live);
  const [layer, setLayer] = useState<Layer>(null);
  // The editor outlives changes of these props, so it reads them through refs.
  const people = useRef(personOf);
  const begins = useRef(onNewDocument);
  const writes = useRef(editable);
  const attach = useCallback(
    (element: HTMLDivElement) => {
      // Until the text is live, the page captures input (early-capture.ts).
      if (live === null) return;
      const goOn = writes.current ? takeEarly(element, live) : null;
      const created = createTextEditor({
        live,
        element,
        documentId,
        personOf: (clientId, state) => people.current(clientId, state),
        onRefuse,
        onUnreadable,
        onPick,
        onUp,
        onNewDocument: (title) => begins.current(title),
        onLink: () => setLayer("link"),
        onToolbar: () => {
          const table = document.querySelector<HTMLElement>(
            ':is([data-toolbar="table"], [data-toolbar="image"]) button[tabindex="0"]',
          );
          if (table === null) setLayer("toolbar");
          else table.focus();
        },
      });
      // Focuses the editor's selection, because the browser would put the caret at the start.
      const stopFocusing = focusedBy(element, () =>
        created?.isEditable === true
          ? created.view.focus()
          : element.focus({ preventScroll: true }),
      );
      if (created !== null) goOn?.(created);
      const next = created && { editor: created, live };
      setMade(next);
      onEditor(next);
      return () => {
        stopFocusing();
        setMade(null);
        onEditor(null);
        created?.destroy();
      };
    },
    [documentId, live, onRefuse, onUnreadable, onPick, onEditor, onUp],
  );
  useEffect(() => {
    people.current = personOf;
    if (editor !== null && !editor.isDestroyed) refreshCarets(editor.view);
  }, [editor, personOf]);
  useEffect(() => {
    begins.current = onNewDocument;
  }, [onNewDocument]);
  useEffect(() => {
    writes.current = editable;
    if (editor === null || editor.isDestroyed) return;
    editor.setEditable(editable, false);
    onReady();
    const left = (editable && window.earlyWriting?.left(userId, documentId)) || [];
    if (left.length > 0 && live !== null)
      void importWithRetry(() => import("./early/left-writing")).then(({ writeLeft }) =>
        writeLeft(editor, live, left, onRefuse),
      );
  }, [editor, live, editable, onReady, onRefuse, userId, documentId]);
  // Leaving a text before its editor is ready stores the captured input on the device.
  useEffect(() => () => window.earlyWriting?.leave(), []);
  return (
    <>
      <Host
        html={html}
        attach={attach}
        readOnly={!editable}
        documentId={documentId}
        userId={userId}
      />
      {editor !== null && editable && (
        <TextLayers
          editor={editor}
          layer={layer}
          setLayer={setLayer}
          onComment={onComment}
          onPassage={onPassage}
          onNewDocument={onNewDocument}
        />
      )}
      {editable && (
        <p id={textHelpId} className="sr">
          Press / for blocks, Alt+F10 for the toolbar, Esc and then Tab to leave the text for the
          actions of the block.
        </p>
      )}
    </>
  );
}

type HostProps = {
  html: string;
  attach: (element: HTMLDivElement) => (() => void) | undefined;
  readOnly: boolean;
  documentId: string;
  userId: string;
};

/**
 * The element of the text, which becomes a textbox with its editor. It renders once, because the
 * editor owns its content.
 */
const Host = memo(
  function Host({ html, attach, readOnly, documentId, userId }: HostProps) {
    return (
      <div
        ref={attach}
        id="text"
        role="group"
        aria-label="Document text"
        data-readonly={readOnly ? "" : undefined}
        translate={readOnly ? undefined : "no"}
        data-blank={html === "<p><br></p>" ? "" : undefined}
        data-first-thing=""
        data-document={documentId}
        data-writer={userId}
        tabIndex={0}
        className={styles.text}
        dangerouslySetInnerHTML={{ __html: html }}
        suppressHydrationWarning
      />
    );
  },
  (before, after) => before.attach === after.attach,
);
