import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { safeAddress } from "@/events/content/safe-address";
import { duplicateBlock, moveBlock, toggleTask } from "../blocks/block-moves";
import { othersWriteIn } from "../carets/remote-carets";

function dispatched(editor: Editor, transaction: Transaction | null): boolean {
  if (transaction === null || !editor.isEditable) return false;
  editor.view.dispatch(transaction);
  return true;
}

const moved = (editor: Editor, direction: -1 | 1) =>
  dispatched(editor, moveBlock(editor.state, direction, othersWriteIn(editor.state)));

function openLink(editor: Editor): boolean {
  const href = safeAddress(editor.getAttributes("link").href);
  if (href === null) return false;
  window.open(href, "_blank", "noopener,noreferrer");
  return true;
}

function boxPosition(target: EventTarget | null): Element | null {
  if (!(target instanceof HTMLInputElement) || target.type !== "checkbox") return null;
  return target.closest('li[data-type="taskItem"] > label');
}

/** Whether a suggestion list is open. The list handles the arrow keys and Escape. */
const hasList = ({ dom }: EditorView) => dom.hasAttribute("aria-activedescendant");

/** Whether the caret is on the first line of the text and no suggestion list is open. */
function isAtTop({ view }: Editor): boolean {
  const { selection, doc } = view.state;
  if (!selection.empty || hasList(view)) return false;
  return selection.$from.sameParent(Selection.atStart(doc).$from) && view.endOfTextblock("up");
}

/** Returns the type of the innermost list item around the selection, within its table cell. */
function itemsAround({ selection }: EditorState): "listItem" | "taskItem" | null {
  const { $from, $to } = selection;
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1) {
    const { name, spec } = $from.node(depth).type;
    if (spec.isolating === true) return null;
    if (name === "listItem" || name === "taskItem") return name;
    if (name === "taskList") return "taskItem";
    if (name === "bulletList" || name === "orderedList") return "listItem";
  }
  return null;
}

/** Whether the caret is at the end of a cell, where Delete must not join the next cell. */
function endsCell({ selection }: EditorState): boolean {
  const { $from, empty } = selection;
  if (!empty || $from.parentOffset < $from.parent.content.size) return false;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if ($from.node(depth).type.spec.isolating === true) return true;
    if ($from.index(depth - 1) < $from.node(depth - 1).childCount - 1) return false;
  }
  return false;
}

/** Indents code at the caret, or indents and outdents the selected lines. False outside code. */
function changeCode(editor: Editor, out: boolean): boolean {
  const { selection, tr } = editor.state;
  if (selection.$from.parent.type.spec.code !== true || !editor.isEditable) return false;
  if (selection.empty && !out) return dispatched(editor, tr.insertText("  "));
  editor.storage.turningKeys.commands?.moveCode(editor, out);
  return true;
}

/** Whether a plugin already moves between cells on Tab. */
const walksCells = ({ plugins }: EditorState) =>
  plugins.some(({ spec }) => spec.walksCells === true);

/** The page's handlers for keys that move focus out of the text. */
export type TextKeymapOptions = { onLink: () => void; onToolbar: () => void; onUp: () => void };

/**
 * The keys of the text, except those of blocks and marks. Escape and then Tab moves focus out of
 * the text.
 */
export const TextKeymap = Extension.create<TextKeymapOptions>({
  name: "textKeymap",
  priority: 1100,

  addOptions() {
    return { onLink: () => undefined, onToolbar: () => undefined, onUp: () => undefined };
  },

  addKeyboardShortcuts() {
    const { editor } = this;
    const inItems = (run: (item: "listItem" | "taskItem") => boolean) => () => {
      const item = itemsAround(editor.state);
      if (item !== null) run(item);
      return item !== null;
    };
    const sink = inItems((item) => editor.commands.sinkListItem(item));
    const lift = inItems((item) => editor.commands.liftListItem(item));
    const moveBy = (move: () => unknown, out: boolean) => () => {
      if (changeCode(editor, out)) return true;
      // The loaded table plugin handles Tab itself.
      return editor.isActive("table") ? !walksCells(editor.state) : move() === true;
    };
    return {
      "Mod-k": () => {
        if (editor.state.selection.empty && !editor.isActive("link")) return false;
        this.options.onLink();
        return true;
      },
      "Alt-Enter": () => openLink(editor),
      "Mod-Enter": () => dispatched(editor, toggleTask(editor.state)),
      // The shortcut of other editors, in addition to Tiptap's own.
      "Mod-Shift-x": () => editor.commands.toggleMark("strike"),
      "Mod-]": sink,
      "Mod-[": lift,
      Tab: moveBy(sink, false),
      "Shift-Tab": moveBy(() => lift() || (isAtTop(editor) && this.options.onUp()), true),
      // A selection across blocks is deleted first. Tiptap's Enter then splits the block at the
      // caret.
      Enter: () => {
        const { selection, tr } = editor.state;
        if (selection instanceof TextSelection && !selection.$from.sameParent(selection.$to))
          dispatched(editor, tr.deleteSelection());
        return false;
      },
      Delete: () => endsCell(editor.state),
      "Mod-Delete": () => endsCell(editor.state),
      "Alt-Shift-ArrowUp": () => moved(editor, -1),
      "Alt-Shift-ArrowDown": () => moved(editor, 1),
      ArrowUp: () => {
        if (!isAtTop(editor)) return false;
        this.options.onUp();
        return true;
      },
      "Mod-d": () => dispatched(editor, duplicateBlock(editor.state)),
      "Alt-F10": () => {
        this.options.onToolbar();
        return true;
      },
    };
  },

  addProseMirrorPlugins() {
    const { editor } = this;
    let leaving = false;
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            // Returning true makes ProseMirror ignore the event, so the browser handles it.
            keydown: (view, event) => {
              // AltGr is reported as Ctrl+Alt on Windows, and its character must reach the text.
              if (event.getModifierState("AltGraph")) return true;
              if (event.isComposing) return false;
              if (event.key === "Tab" && leaving) return true;
              if (event.key !== "Shift") leaving = event.key === "Escape" && !hasList(view);
              return false;
            },
            blur: () => {
              leaving = false;
              return false;
            },
            mousedown: (_view, event) => {
              if (boxPosition(event.target) !== null) event.preventDefault();
              return false;
            },
            click: (view, event) => {
              const label = boxPosition(event.target);
              if (label === null) return false;
              event.preventDefault();
              const inside = label.nextElementSibling;
              if (inside !== null)
                dispatched(
                  editor,
                  toggleTask(view.state, view.state.doc.resolve(view.posAtDOM(inside, 0))),
                );
              return true;
            },
          },
        },
      }),
    ];
  },
});

/**
 * Keeps focus in the text when no other handler processes Tab or Shift+Tab. Escape and then Tab
 * moves focus out of the text.
 */
export const TabStays = Extension.create({
  name: "tabStays",
  priority: 1,
  addKeyboardShortcuts() {
    const stays = () => !this.editor.isActive("table");
    return { Tab: stays, "Shift-Tab": stays };
  },
});
