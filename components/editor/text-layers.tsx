"use client";

import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { useCallback, useEffect } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { watchAddresses } from "./paste/auto-links";
import { BlockTools } from "./blocks/block-tools";
import { useEditorState } from "./toolbar/editor-state";
import { FormatToolbar } from "./toolbar/format-toolbar";
import { useKeyboardInset } from "@/components/ui/screen/narrow-screen";
import { linkMenuState } from "./document-links/link-menu-state";
import { slashState } from "./slash/slash";
import { SlashMenu } from "./slash/slash-menu";
import { provideBlockCommands } from "./turning/turn-blocks";

const TableToolbar = onDemand(() =>
  import("./toolbar/table-toolbar").then((module) => module.TableToolbar),
);
const ImageToolbar = onDemand(() =>
  import("./files/image-toolbar").then((module) => module.ImageToolbar),
);
const LinkList = onDemand(() =>
  import("./document-links/link-list").then((module) => module.LinkList),
);
const LinkForm = onDemand(() => import("./toolbar/link-form").then((module) => module.LinkForm));

/** The layer that its shortcut has opened: the link form or the toolbar. */
export type Layer = "link" | "toolbar" | null;

type Props = {
  editor: Editor;
  layer: Layer;
  setLayer: (layer: Layer) => void;
  onComment: (() => void) | null;
  onPassage: () => void;
  /** Creates a document with this title. Returns its id, or null if the person may not. */
  onNewDocument: (title: string) => string | null;
};

/** The layers over a text that is being edited: block menu, toolbars, link form. */
export function TextLayers({
  editor,
  layer,
  setLayer,
  onComment,
  onPassage,
  onNewDocument,
}: Props) {
  const slash = useEditorState(editor, readSlash);
  const links = useEditorState(editor, readLinks);
  const inTable = useEditorState(editor, readInTable);
  const image = useEditorState(editor, readImage);
  const close = useCallback(() => setLayer(null), [setLayer]);
  useKeyboardInset();
  useEffect(() => watchAddresses(editor), [editor]);
  useEffect(() => provideBlockCommands(editor), [editor]);
  return (
    <>
      {slash !== null && <SlashMenu editor={editor} open={slash} />}
      {links !== null && <LinkList editor={editor} open={links} onNewDocument={onNewDocument} />}
      {layer === "link" ? (
        <LinkForm editor={editor} onClose={close} />
      ) : (
        <FormatToolbar
          editor={editor}
          requested={layer === "toolbar"}
          onLink={() => setLayer("link")}
          onComment={onComment}
          onPassage={onPassage}
          onLeave={close}
        />
      )}
      <BlockTools editor={editor} onComment={onComment} />
      {image !== null && <ImageToolbar editor={editor} image={image} />}
      {inTable && <TableToolbar editor={editor} />}
    </>
  );
}

function readImage({ state, isEditable }: Editor) {
  const { selection } = state;
  const isImage = selection instanceof NodeSelection && selection.node.type.name === "image";
  return isImage && isEditable ? selection : null;
}

function readInTable(editor: Editor) {
  return editor.isActive("table");
}

function readLinks(editor: Editor) {
  return editor.isFocused ? linkMenuState(editor.state) : null;
}

function readSlash(editor: Editor) {
  return editor.isFocused ? slashState(editor.state) : null;
}
