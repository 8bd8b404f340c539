"use client";

import { updateYFragment, yXmlFragmentToProseMirrorRootNode } from "@tiptap/y-tiptap";
import { useEffect, useRef, useState } from "react";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { fromBase64 } from "@/events/core/bytes/base64";
import type { ThreadRow } from "@/events/read-models/thread-rows";
import { inspectContent } from "@/components/editor/binding/content-guard";
import { documentSchema } from "@/events/content/schema";
import { ShownText } from "@/components/editor/binding/live-text";
import type { LiveText } from "@/components/editor/binding/live-text";
import { anchored } from "@/machines/restricted-comments";
import type { RestrictedComments } from "@/machines/restricted-comments";

/** A plain text that an editor can show, with comments anchored in it. */
export type PlainText = {
  text: LiveText;
  restrictedComments: RestrictedComments;
  threads: readonly ThreadRow[];
};

function begin(state: Uint8Array, userId: string): LiveText {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  return new ShownText(
    { fragment: doc.getXmlFragment("default"), awareness: new Awareness(doc) },
    userId,
  );
}

/** Turns a text into `other` by its differences, so that selections and anchors elsewhere stay. */
function become({ fragment }: LiveText, other: Y.XmlFragment): void {
  const { doc } = fragment;
  if (doc === null) throw new Error("The fragment is not in a Y.Doc");
  const node = yXmlFragmentToProseMirrorRootNode(other, documentSchema);
  doc.transact(
    () => void updateYFragment(doc, fragment, node, { mapping: new Map(), isOMark: new Map() }),
  );
}

/**
 * Keeps one copy of a plain text and applies the server's updates to it. Returns null until the
 * text is loaded, and if no editor can represent the text.
 */
export function usePlainText(
  restrictedComments: RestrictedComments | null,
  userId: string,
): PlainText | null {
  const [plain, setPlain] = useState<PlainText | null>(null);
  const shown = useRef<{ text: LiveText; state: string } | null>(null);
  useEffect(
    () => () => {
      shown.current?.text.awareness.destroy();
      shown.current = null;
    },
    [],
  );
  useEffect(() => {
    const show = () => {
      if (restrictedComments === null) return null;
      const state = fromBase64(restrictedComments.state);
      const fresh = new Y.Doc();
      Y.applyUpdate(fresh, state);
      const source = fresh.getXmlFragment("default");
      if (inspectContent(source) !== null) return null;
      const text = shown.current?.text ?? begin(state, userId);
      if (shown.current !== null && shown.current.state !== restrictedComments.state)
        become(text, source);
      shown.current = { text, state: restrictedComments.state };
      return {
        text,
        restrictedComments,
        threads: anchored(restrictedComments.threads, text.fragment),
      };
    };
    setPlain(show());
  }, [restrictedComments, userId]);
  return restrictedComments === null ? null : plain;
}
