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
import { refreshCarets, type RemoteCaretsOptions } from "./carets/remote-carets";
import type { Layer } from "./text-layers";
import styles from "./text.module.css";

// What stands over the text can wait until the text can be written.
const TextLayers = onDemand(() =>
  afterCritical()
    .then(() => import("./text-layers"))
    .then((module) => module.TextLayers),
);

/** An editor and the text that it was made for. */
export type MadeEditor = { editor: Editor; live: LiveText };

/**
 * The editor of this text; null until it is made. One that was made for a text since replaced is
 * gone, and throws when measured.
 */
export function editorOf(made: MadeEditor | null, live: LiveText | null): Editor | null {
  return made !== null && made.live === live ? made.editor : null;
}

type Props = {
  /** The document that the text is of. */
  documentId: string;
  /** Who reads it here. */
  userId: string;
  /** The text as the server rendered it, shown until the editor takes over in place. */
  html: string;
  live: LiveText | null;
  editable: boolean;
  /** Who a peer is; a new function redraws the carets. */
  personOf: RemoteCaretsOptions["personOf"];
  onRefuse: (sentence: string) => void;
  onUnreadable: (why: Unreadable) => void;
  /** Comments on what is selected; null where that cannot be. */
  onComment: (() => void) | null;
  /** Begins a document with this title; answers its id, or null where that may not be. */
  onNewDocument: (title: string) => string | null;
  /** Asks for the life of the passage that is selected. */
  onPassage: () => void;
  /** Called with the id of a marked passage that was clicked. */
  onPick: (id: string) => void;
  /** Hears of the editor when it is made and when it is gone. */
  onEditor: (made: MadeEditor | null) => void;
  /** Leads to what stands above the text. */
  onUp: () => void;
  /** Called once the text can be written, or read with a caret. */
  onReady: () => void;
};

/**
 * The text of a document: readable from the server's HTML, then written in place. `live` and the
 * functions but `personOf` and `onNewDocument` must stay the same.
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
  // The editor outlives a change of who people are, so it asks this each time.
  const people = useRef(personOf);
  const begins = useRef(onNewDocument);
  const writes = useRef(editable);
  const attach = useCallback(
    (element: HTMLDivElement) => {
      // Until then the page captures what is typed.
      if (live === null) return;
      const goOn = writes.current ? takeEarly(element) : null;
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
      // With the selection that the editor keeps: the browser would put the caret at the beginning.
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
    if (editable && window.earlyWriting?.left(userId, documentId) === true)
      void importWithRetry(() => import("./early/left-writing")).then(({ writeLeft }) =>
        writeLeft(editor, { userId, documentId }, onRefuse),
      );
  }, [editor, editable, onReady, onRefuse, userId, documentId]);
  // A text that is left before its editor came leaves what was typed on the device.
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
 * The element of the text, a textbox only once it is one. It is rendered once: what is inside
 * belongs to the editor as soon as there is one.
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
