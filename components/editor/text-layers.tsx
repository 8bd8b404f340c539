"use client";

import type { Editor } from "@tiptap/core";
import { useCallback } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { useEditorState } from "./editor-state";
import { FormatToolbar } from "./format-toolbar";
import { useKeyboardInset } from "@/components/ui/narrow-screen";
import { slashState } from "./slash";
import { SlashMenu } from "./slash-menu";

const TableToolbar = onDemand(() =>
  import("./table-toolbar").then((module) => module.TableToolbar),
);
const LinkForm = onDemand(() => import("./link-form").then((module) => module.LinkForm));

/** What has been asked for by its keys: the form of a link, or the toolbar. */
export type Layer = "link" | "toolbar" | null;

type Props = {
  editor: Editor;
  layer: Layer;
  setLayer: (layer: Layer) => void;
  onComment: (() => void) | null;
  onPassage: () => void;
};

/** What stands over a text that is being written: the list of blocks, the toolbars, the form of a link. */
export function TextLayers({ editor, layer, setLayer, onComment, onPassage }: Props) {
  const slash = useEditorState(editor, readSlash);
  const inTable = useEditorState(editor, readInTable);
  const close = useCallback(() => setLayer(null), [setLayer]);
  useKeyboardInset();
  return (
    <>
      {slash !== null && <SlashMenu editor={editor} open={slash} />}
      {layer === "link" ? (
        <LinkForm editor={editor} onClose={close} />
      ) : (
        <FormatToolbar
          editor={editor}
          asked={layer === "toolbar"}
          onLink={() => setLayer("link")}
          onComment={onComment}
          onPassage={onPassage}
          onLeave={close}
        />
      )}
      {inTable && <TableToolbar editor={editor} />}
    </>
  );
}

function readInTable(editor: Editor) {
  return editor.isActive("table");
}

function readSlash(editor: Editor) {
  return editor.isFocused ? slashState(editor.state) : null;
}
