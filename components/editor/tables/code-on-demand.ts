import type { Editor } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { Node } from "@tiptap/pm/model";

/** Whether a text contains a node whose type name passes the test. */
function holds(text: Node, isMeant: (name: string) => boolean): boolean {
  let found = false;
  text.descendants((node) => {
    found ||= isMeant(node.type.name);
    return !found && !node.isTextblock;
  });
  return found;
}

/**
 * Loads code when the text contains a matching node for the first time. Enables the code while no
 * composition is open.
 */
export function onceHeld(
  editor: Editor,
  isMeant: (name: string) => boolean,
  fetchCode: () => Promise<(editor: Editor) => void>,
): Plugin {
  let requested = false;
  const enable = async () => {
    const run = await fetchCode();
    // Redrawing the text would cancel an open composition.
    if (!editor.isDestroyed && editor.view.composing)
      await new Promise((ended) =>
        editor.view.dom.addEventListener("compositionend", () => setTimeout(ended), {
          once: true,
        }),
      );
    if (!editor.isDestroyed) run(editor);
  };
  const look = () => {
    if (requested || editor.isDestroyed || !holds(editor.state.doc, isMeant)) return;
    requested = true;
    void enable();
  };
  return new Plugin({
    view: () => {
      // The binding fills in the text while the editor is being created.
      setTimeout(look);
      return {
        update: (view, before) => {
          if (before.doc !== view.state.doc) look();
        },
      };
    },
  });
}
