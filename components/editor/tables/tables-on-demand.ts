import { Extension } from "@tiptap/core";
import { importWithRetry } from "@/components/loading/retrying-import";
import { onceHeld } from "./code-on-demand";

/** Fetches what edits tables when there is one in the text for the first time, whoever put it there. */
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
