import { Extension } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import { onceHeld } from "./code-on-demand";

/** Loads table editing when the text contains a table for the first time. */
export const TablesOnDemand = Extension.create({
  name: "tablesOnDemand",
  addProseMirrorPlugins() {
    return [
      onceHeld(
        this.editor,
        (name) => name === "table",
        async () => (await importWithRetry(() => import("./table-editing"))).enableTables,
      ),
    ];
  },
});
