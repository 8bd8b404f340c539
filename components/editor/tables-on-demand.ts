import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { importWithRetry } from "@/components/loading/retrying-import";
import { holdsTable } from "@/events/content/tables";

/** Fetches what edits tables when there is one in the text for the first time, whoever put it there. */
export const TablesOnDemand = Extension.create({
  name: "tablesOnDemand",
  addProseMirrorPlugins() {
    const { editor } = this;
    let asked = false;
    const enable = async () => {
      const { enableTables } = await importWithRetry(() => import("./table-editing"));
      // Drawing the text anew would break off what is being composed.
      if (!editor.isDestroyed && editor.view.composing)
        await new Promise((ended) =>
          editor.view.dom.addEventListener("compositionend", () => setTimeout(ended), {
            once: true,
          }),
        );
      if (!editor.isDestroyed) enableTables(editor);
    };
    const look = () => {
      if (asked || editor.isDestroyed || !holdsTable(editor.state.doc)) return;
      asked = true;
      void enable();
    };
    return [
      new Plugin({
        view: () => {
          // The binding fills in the text while the editor is being made.
          setTimeout(look);
          return {
            update: (view, before) => {
              if (before.doc !== view.state.doc) look();
            },
          };
        },
      }),
    ];
  },
});
