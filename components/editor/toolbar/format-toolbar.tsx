"use client";

import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import {
  Bold,
  Code,
  Footprints,
  Heading1,
  Heading2,
  Italic,
  Link as LinkIcon,
  List,
  ListChecks,
  MessageSquarePlus,
  Redo2,
  Strikethrough,
  TextQuote,
  Underline,
  Undo2,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useEditorState } from "./editor-state";
import { Floating } from "./floating";
import type { Anchor } from "./floating";
import { Toolbar } from "./toolbar";
import type { Tool } from "./toolbar";
import type { BlockKindId } from "../turning/block-turning";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import styles from "./toolbar.module.css";

function selectionAnchor(editor: Editor): Anchor | null {
  const { from, to } = editor.state.selection;
  const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to, -1)];
  const left = end.top > start.bottom ? Math.min(start.left, end.left) : start.left;
  return { left: left - 12, right: end.right, top: start.top, bottom: end.bottom };
}

function readFormats(editor: Editor) {
  const { selection } = editor.state;
  const words = selection instanceof TextSelection && !selection.empty;
  return {
    offered:
      editor.isEditable &&
      words &&
      editor.state.doc.textBetween(selection.from, selection.to, " ").trim() !== "" &&
      !editor.isActive("codeBlock"),
    focused: editor.isFocused && editor.isEditable,
    bold: editor.isActive("bold"),
    italic: editor.isActive("italic"),
    underline: editor.isActive("underline"),
    strike: editor.isActive("strike"),
    code: editor.isActive("code"),
    link: editor.isActive("link"),
    heading1: editor.isActive("heading", { level: 1 }),
    heading2: editor.isActive("heading", { level: 2 }),
    quote: editor.isActive("blockquote"),
    bullets: editor.isActive("bulletList"),
    tasks: editor.isActive("taskList"),
  };
}

type Formats = ReturnType<typeof readFormats>;

function formatTools(
  editor: Editor,
  on: Formats,
  onLink: () => void,
  onComment: (() => void) | null,
  onPassage: () => void,
): Tool[] {
  const chain = () => editor.chain().focus();
  const toggle = (kind: BlockKindId) => () => {
    editor.view.focus();
    editor.storage.turningKeys.commands?.toggleBlocks(editor, kind);
  };
  return [
    {
      id: "bold",
      label: "Bold",
      keys: "Mod+B",
      icon: Bold,
      pressed: on.bold,
      run: () => chain().toggleMark("bold").run(),
    },
    {
      id: "italic",
      label: "Italic",
      keys: "Mod+I",
      icon: Italic,
      pressed: on.italic,
      run: () => chain().toggleMark("italic").run(),
    },
    {
      id: "underline",
      label: "Underline",
      keys: "Mod+U",
      icon: Underline,
      pressed: on.underline,
      run: () => chain().toggleMark("underline").run(),
    },
    {
      id: "strike",
      label: "Strikethrough",
      keys: "Mod+Shift+X",
      icon: Strikethrough,
      pressed: on.strike,
      run: () => chain().toggleMark("strike").run(),
    },
    {
      id: "code",
      label: "Code",
      keys: "Mod+E",
      icon: Code,
      pressed: on.code,
      run: () => chain().toggleMark("code").run(),
    },
    { id: "link", label: "Link", keys: "Mod+K", icon: LinkIcon, pressed: on.link, run: onLink },
    {
      id: "heading-1",
      label: "Heading",
      keys: "Mod+Alt+1",
      icon: Heading1,
      pressed: on.heading1,
      apart: true,
      run: toggle("heading-1"),
    },
    {
      id: "heading-2",
      label: "Subheading",
      keys: "Mod+Alt+2",
      icon: Heading2,
      pressed: on.heading2,
      run: toggle("heading-2"),
    },
    {
      id: "quote",
      label: "Quotation",
      keys: "Mod+Shift+B",
      icon: TextQuote,
      pressed: on.quote,
      run: toggle("quote"),
    },
    {
      id: "bullets",
      label: "Bulleted list",
      keys: "Mod+Shift+8",
      icon: List,
      pressed: on.bullets,
      run: toggle("bullets"),
    },
    {
      id: "tasks",
      label: "To-do list",
      keys: "Mod+Shift+9",
      icon: ListChecks,
      pressed: on.tasks,
      run: toggle("tasks"),
    },
    ...(onComment === null
      ? []
      : [
          {
            id: "comment",
            label: "Comment",
            keys: "Mod+Shift+M",
            icon: MessageSquarePlus,
            apart: true,
            run: onComment,
          },
        ]),
    {
      id: "life",
      label: "Passage history",
      icon: Footprints,
      apart: true,
      run: onPassage,
    },
  ];
}

function historyTools(editor: Editor): Tool[] {
  return [
    {
      id: "undo",
      label: "Undo",
      keys: "Mod+Z",
      icon: Undo2,
      run: () => editor.chain().focus().undo().run(),
    },
    {
      id: "redo",
      label: "Redo",
      keys: "Mod+Shift+Z",
      icon: Redo2,
      run: () => editor.chain().focus().redo().run(),
    },
  ];
}

/** Whether the pointer is pressed in the text. A toolbar must not cover a selection in progress. */
function useSelecting(editor: Editor): boolean {
  const [selecting, setSelecting] = useState(false);
  useEffect(() => {
    const down = () => setSelecting(true);
    const up = () => setSelecting(false);
    const { dom } = editor.view;
    dom.addEventListener("pointerdown", down);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", up);
    return () => {
      dom.removeEventListener("pointerdown", down);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", up);
    };
  }, [editor]);
  return selecting;
}

type Props = {
  editor: Editor;
  requested: boolean;
  onLink: () => void;
  onComment: (() => void) | null;
  onPassage: () => void;
  onLeave: () => void;
};

/**
 * The toolbar over a selection, or at the caret after Alt+F10. On a narrow screen the toolbar docks
 * above the keyboard while the text has focus, and adds undo and redo, for which phones have no
 * keys.
 */
export function FormatToolbar({ editor, requested, onLink, onComment, onPassage, onLeave }: Props) {
  const formats = useEditorState(editor, readFormats);
  const selecting = useSelecting(editor);
  const narrow = useNarrow();
  const [within, setWithin] = useState(false);
  const shown = narrow
    ? formats.focused || within
    : requested || ((formats.focused || within) && formats.offered && !selecting);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (requested) layer.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus();
  }, [requested]);
  if (!shown) return null;
  const tools = formatTools(editor, formats, onLink, onComment, onPassage);
  return (
    <Floating
      editor={editor}
      anchor={selectionAnchor}
      side="above"
      className={styles.layer}
      onFocus={() => setWithin(true)}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setWithin(false);
        if (requested) onLeave();
      }}
    >
      <div ref={layer}>
        <Toolbar
          label="Formatting"
          tools={narrow ? [...historyTools(editor), ...tools] : tools}
          onLeave={() => {
            onLeave();
            editor.commands.focus();
          }}
        />
      </div>
    </Floating>
  );
}
