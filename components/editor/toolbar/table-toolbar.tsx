"use client";

import type { Editor } from "@tiptap/core";
import {
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  PanelTop,
  TableColumnsSplit,
  TableRowsSplit,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useEditorState } from "./editor-state";
import { Floating } from "./floating";
import type { Anchor } from "./floating";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { tableCommands } from "../tables/table-editing";
import { Toolbar } from "./toolbar";
import type { Tool } from "./toolbar";
import styles from "./toolbar.module.css";

function tableAnchor(editor: Editor): Anchor | null {
  const { node } = editor.view.domAtPos(editor.state.selection.from);
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest(".table")?.getBoundingClientRect() ?? null;
}

function readTable(editor: Editor) {
  return {
    inside: editor.isEditable && editor.isActive("table"),
    focused: editor.isFocused,
    words: !editor.state.selection.empty,
    heading: editor.isActive("tableHeader"),
  };
}

function tableTools(editor: Editor, heading: boolean): Tool[] {
  const run = (name: keyof typeof tableCommands) => () => {
    editor.view.focus();
    tableCommands[name](editor.state, editor.view.dispatch, editor.view);
  };
  return [
    {
      id: "row-above",
      label: "Add row above",
      icon: BetweenHorizontalStart,
      disabled: heading,
      run: run("addRowBefore"),
    },
    {
      id: "row-below",
      label: "Add row below",
      icon: BetweenHorizontalEnd,
      run: run("addRowAfter"),
    },
    {
      id: "column-before",
      label: "Add column before",
      icon: BetweenVerticalStart,
      run: run("addColumnBefore"),
    },
    {
      id: "column-after",
      label: "Add column after",
      icon: BetweenVerticalEnd,
      run: run("addColumnAfter"),
    },
    {
      id: "header",
      label: "Header row",
      icon: PanelTop,
      pressed: heading,
      apart: true,
      run: run("toggleHeaderRow"),
    },
    {
      id: "delete-row",
      label: "Delete row",
      icon: TableRowsSplit,
      apart: true,
      run: run("deleteRow"),
    },
    {
      id: "delete-column",
      label: "Delete column",
      icon: TableColumnsSplit,
      run: run("deleteColumn"),
    },
    { id: "delete-table", label: "Delete table", icon: Trash2, run: run("deleteTable") },
  ];
}

/**
 * The toolbar above the table around the caret. On a narrow screen, the docked toolbar shows its
 * controls while no text is selected.
 */
export function TableToolbar({ editor }: { editor: Editor }) {
  const table = useEditorState(editor, readTable);
  const narrow = useNarrow();
  const [within, setWithin] = useState(false);
  if (!table.inside || !(table.focused || within) || table.words || narrow) return null;
  return (
    <Floating
      editor={editor}
      anchor={tableAnchor}
      side="above"
      className={styles.layer}
      data-toolbar="table"
      onFocus={() => setWithin(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setWithin(false)}
    >
      <Toolbar
        label="Table"
        tools={tableTools(editor, table.heading)}
        onLeave={() => editor.commands.focus()}
      />
    </Floating>
  );
}
