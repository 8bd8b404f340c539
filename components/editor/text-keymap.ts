import { type Editor, Extension } from "@tiptap/core";
import { Plugin, Selection, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { safeAddress } from "@/events/content/safe-address";
import { duplicateBlock, moveBlock, toggleTask } from "./blocks/block-moves";
import { othersWriteIn } from "./remote-carets";

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

/** Whether a list is open that takes the arrows and Escape, of which the text names the chosen option. */
const hasList = ({ dom }: EditorView) => dom.hasAttribute("aria-activedescendant");

/** Whether the caret stands on the first line of the text, and no list that takes the arrows is open. */
function isAtTop({ view }: Editor): boolean {
  const { selection, doc } = view.state;
  if (!selection.empty || hasList(view)) return false;
  return selection.$from.sameParent(Selection.atStart(doc).$from) && view.endOfTextblock("up");
}

/** What the page does for keys that leave the text. */
export type TextKeymapOptions = { onLink: () => void; onToolbar: () => void; onUp: () => void };

/** The keys of the text beside those the blocks and marks bring, and the way out of it: Esc, then Tab. */
export const TextKeymap = Extension.create<TextKeymapOptions>({
  name: "textKeymap",
  priority: 1100,

  addOptions() {
    return { onLink: () => undefined, onToolbar: () => undefined, onUp: () => undefined };
  },

  addKeyboardShortcuts() {
    const { editor } = this;
    const inList = () => editor.isActive("listItem") || editor.isActive("taskItem");
    const sink = () =>
      editor.commands.sinkListItem("listItem") ||
      editor.commands.sinkListItem("taskItem") ||
      inList();
    const lift = () =>
      editor.commands.liftListItem("listItem") || editor.commands.liftListItem("taskItem");
    return {
      "Mod-k": () => {
        if (editor.state.selection.empty && !editor.isActive("link")) return false;
        this.options.onLink();
        return true;
      },
      "Alt-Enter": () => openLink(editor),
      "Mod-Enter": () => dispatched(editor, toggleTask(editor.state)),
      // The key that other editors have for it, beside Tiptap's own.
      "Mod-Shift-x": () => editor.commands.toggleMark("strike"),
      "Mod-]": sink,
      "Mod-[": lift,
      // In a table Tab goes to the next cell, which the table sees to.
      Tab: () => !editor.isActive("table") && inList() && sink(),
      "Shift-Tab": () => !editor.isActive("table") && inList() && lift(),
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
            // True keeps ProseMirror from the event and leaves it to the browser.
            keydown: (view, event) => {
              // AltGr arrives as Ctrl+Alt on Windows: what it types must reach the text.
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
