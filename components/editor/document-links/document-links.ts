import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { NodeSelection, Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { EditorView } from "@tiptap/pm/view";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { changeLinkMenu, linkMenuKey, linkMenuState } from "./link-menu-state";
import type { MenuPart } from "./link-menu-state";

export type DocumentLinksOptions = {
  /** Creates a document with this title. Returns its id, or null if the person may not. */
  onNewDocument: (title: string) => string | null;
};

const closed: MenuPart = { open: null, dismissed: null };

async function fetchMenu() {
  await afterCritical();
  return importWithRetry(() => import("./link-menu"));
}

/** Follows the selected link, as a click on it does. */
function followSelected(view: EditorView, event: KeyboardEvent): boolean {
  const { selection } = view.state;
  if (event.key !== "Enter" || !(selection instanceof NodeSelection)) return false;
  const link = view.nodeDOM(selection.from);
  if (selection.node.type.name !== "documentLink" || !(link instanceof HTMLElement)) return false;
  link.click();
  return true;
}

/**
 * Links to documents: the list behind `[[` or `@`, pasted or typed addresses of documents, and
 * Enter on a link. The code loads once the text can be edited. Focus stays in the text, and
 * link-list.tsx renders the list.
 */
export const DocumentLinks = Extension.create<DocumentLinksOptions>({
  name: "documentLinks",
  priority: 1_250,
  addOptions: () => ({ onNewDocument: () => null }),
  addProseMirrorPlugins() {
    const editor: Editor = this.editor;
    let menu: Awaited<ReturnType<typeof fetchMenu>> | null = null;
    return [
      new Plugin<MenuPart>({
        key: linkMenuKey,
        state: {
          init: () => closed,
          apply: (transaction, before, _state, state) =>
            (editor.isEditable &&
              menu?.nextPart(transaction, before, state, transaction.getMeta(linkMenuKey))) ||
            closed,
        },
        view(view) {
          void fetchMenu().then((fetched) => {
            menu = fetched;
            if (!view.isDestroyed && view.hasFocus() && !view.composing)
              changeLinkMenu(view, { begun: true });
          });
          return {};
        },
        props: {
          decorations: (state) => {
            const open = linkMenuState(state);
            return (
              open &&
              DecorationSet.create(state.doc, [
                Decoration.inline(open.from, open.to, { class: "typed-link" }),
              ])
            );
          },
          attributes: (state) => menu?.menuAttributes(linkMenuState(state)) ?? {},
          handleKeyDown: (view, event) =>
            followSelected(view, event) ||
            (menu?.handleKey(view, event, this.options.onNewDocument) ?? false),
          handleTextInput: (view, _from, _to, text) => menu?.handleLetter(view, text) ?? false,
          handlePaste: (view, event) =>
            menu?.handlePaste(view, event.clipboardData?.getData("text/plain")) ?? false,
        },
      }),
    ];
  },
});
