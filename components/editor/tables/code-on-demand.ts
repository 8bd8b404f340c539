import type { Editor } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { Node } from "@tiptap/pm/model";

/** Whether a node for which this holds stands anywhere in a text. */
function holds(text: Node, isMeant: (name: string) => boolean): boolean {
  let found = false;
  text.descendants((node) => {
    found ||= isMeant(node.type.name);
    return !found && !node.isTextblock;
  });
  return found;
}

/**
 * Fetches code when there is a node that needs it in the text for the first time, whoever put it
 * there, and enables it between two things that are composed.
 */
export function onceHeld(
  editor: Editor,
  isMeant: (name: string) => boolean,
  fetchCode: () => Promise<(editor: Editor) => void>,
): Plugin {
  let requested = false;
  const enable = async () => {
    const run = await fetchCode();
    // Drawing the text anew would break off what is being composed.
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
      // The binding fills in the text while the editor is being made.
      setTimeout(look);
      return {
        update: (view, before) => {
          if (before.doc !== view.state.doc) look();
        },
      };
    },
  });
}
