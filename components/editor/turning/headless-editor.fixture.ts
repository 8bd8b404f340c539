import { Editor } from "@tiptap/core";
import type { Extensions } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list/keymap";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { documentExtensions } from "@/events/content/schema";
import { enableTables } from "../tables/table-editing";
import { TabStays, TextKeymap } from "../binding/text-keymap";
import { provideBlockCommands } from "./turn-blocks";
import { TurningKeys } from "./turning-keys";

/** A view without a page, limited to the members that keys and commands use. */
class View {
  state: EditorState;
  readonly composing = false;
  readonly editable = true;
  readonly isDestroyed = false;
  readonly dragging = null;
  readonly dom = { hasAttribute: () => false, blur: () => undefined, focus: () => undefined };

  constructor(state: EditorState) {
    this.state = state;
  }

  readonly dispatch = (transaction: Transaction): void => {
    this.state = this.state.apply(transaction);
  };
  readonly updateState = (state: EditorState): void => {
    this.state = state;
  };
  readonly hasFocus = () => true;
  readonly focus = () => undefined;
  readonly setProps = () => undefined;

  readonly endOfTextblock = (direction: string): boolean => {
    const { $head } = this.state.selection;
    const atStart = ["up", "backward", "left"].includes(direction);
    return $head.parentOffset === (atStart ? 0 : $head.parent.content.size);
  };
}

type Key = { key: string; shift?: boolean; ctrl?: boolean };

/** Deletes the letter beside the caret, as the browser does for a key that the editor ignores. */
function deleteLetter({ state, dispatch }: View, by: -1 | 1): void {
  const { $head, empty } = state.selection;
  const to = $head.parentOffset + by;
  if (empty && $head.parent.isTextblock && to >= 0 && to <= $head.parent.content.size)
    dispatch(
      state.tr.delete(Math.min($head.pos, $head.pos + by), Math.max($head.pos, $head.pos + by)),
    );
}

/** The editor of a document with its keys and commands, without a page around it. */
export class HeadlessEditor {
  readonly editor: Editor;
  private readonly view: View;
  /** The number of times that a key moved focus above the text. */
  left = 0;

  constructor(doc: Node, extensions: Extensions = []) {
    this.editor = new Editor({
      element: null,
      content: doc.toJSON(),
      extensions: [
        ...documentExtensions,
        TextKeymap.configure({ onUp: () => (this.left += 1) }),
        ListKeymap,
        TabStays,
        TurningKeys,
        ...extensions,
      ],
    });
    this.view = new View(
      this.editor.state.reconfigure({ plugins: this.editor.extensionManager.plugins }),
    );
    Reflect.set(this.editor, "editorView", this.view);
    enableTables(this.editor);
    provideBlockCommands(this.editor);
  }

  get state(): EditorState {
    return this.view.state;
  }

  readonly dispatch = (transaction: Transaction): void => this.view.dispatch(transaction);

  /** Presses a key. Returns false if neither the editor nor the browser changes the text. */
  press({ key, shift = false, ctrl = false }: Key): boolean {
    const event = {
      key,
      shiftKey: shift,
      ctrlKey: ctrl,
      altKey: false,
      metaKey: false,
      keyCode: 0,
    };
    for (const plugin of this.state.plugins) {
      const handler: unknown = plugin.props.handleKeyDown;
      if (typeof handler === "function" && Reflect.apply(handler, plugin, [this.view, event]))
        return true;
    }
    if (key === "Backspace") deleteLetter(this.view, -1);
    else if (key === "Delete") deleteLetter(this.view, 1);
    else return false;
    return true;
  }

  get selectsNode(): boolean {
    return this.state.selection instanceof NodeSelection;
  }
}
