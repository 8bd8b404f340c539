import { Editor, Extension } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list/keymap";
import { Plugin } from "@tiptap/pm/state";
import { guardContent, inspectContent } from "./content-guard";
import type { Unreadable } from "./content-guard";
import { DocumentLinks } from "../document-links/document-links";
import type { DocumentLinksOptions } from "../document-links/document-links";
import { linkNames } from "../document-links/link-names";
import { FilesLeftOut } from "../paste/files-left-out";
import { Files } from "../files/files";
import { FittingContent } from "./fitting-content";
import { LateCursors } from "../carets/late-cursors";
import { LateLayout } from "../layout/late-layout";
import { LineEndClick } from "../carets/line-end-click";
import { LongBlocks } from "../layout/long-blocks";
import { OwnSelection } from "../carets/own-selection";
import { OwnUndo } from "../undo/own-undo";
import { Passages } from "../carets/passages";
import type { PassagesOptions } from "../carets/passages";
import type { LiveText } from "./live-text";
import { Paste } from "../paste/paste";
import { PasteBounds } from "../paste/paste-bounds";
import { pageViewOf } from "./rebinding";
import { RemoteCarets } from "../carets/remote-carets";
import type { RemoteCaretsOptions } from "../carets/remote-carets";
import { DocumentLink } from "@/events/content/document-link";
import { documentExtensions } from "@/events/content/schema";
import { SharedText } from "./shared-text";
import { Slash } from "../slash/slash";
import { TablesOnDemand } from "../tables/tables-on-demand";
import { TextTints } from "../carets/tints";
import { TabStays, TextKeymap } from "./text-keymap";
import type { TextKeymapOptions } from "./text-keymap";
import { TurningKeys } from "../turning/turning-keys";
import { TypedChanges } from "../typing/typed-changes";
import { WholeLetters } from "../typing/whole-letters";

/** The id of the help text on how to reach blocks and the toolbar by keyboard. */
export const textHelpId = "text-help";

type Options = Pick<RemoteCaretsOptions, "personOf"> &
  PassagesOptions &
  DocumentLinksOptions &
  TextKeymapOptions & {
    /** The element that already shows the text. The editor takes it over in place. */
    element: HTMLElement;
    /** The id of the document whose text is shown. */
    documentId: string;
    live: LiveText;
    onRefuse: (sentence: string) => void;
    /**
     * Called once when a remote change brings unreadable content, after the editor is destroyed.
     */
    onUnreadable: (why: Unreadable) => void;
  };

/**
 * Exposes to assistive technology whether the text is editable. A read-only text can still be
 * reached with Tab and translated.
 */
const WritingAttributes = Extension.create({
  name: "writingAttributes",
  addProseMirrorPlugins() {
    const { editor } = this;
    const attributes = (): Record<string, string> =>
      editor.isEditable ? { translate: "no" } : { "aria-readonly": "true", tabindex: "0" };
    return [new Plugin({ props: { attributes } })];
  },
});

/**
 * Binds an editor to the shared text inside the element that shows it. Returns null if this build
 * cannot represent the content, which then stays as the server rendered it.
 */
export function createTextEditor(options: Options): Editor | null {
  const { element, live, onRefuse, onUnreadable, personOf, onLink, onToolbar, onUp, onPick } =
    options;
  const { onNewDocument, documentId } = options;
  const { fragment, userId } = live;
  const unreadable = inspectContent(fragment);
  if (unreadable !== null) {
    onUnreadable(unreadable);
    return null;
  }
  delete element.dataset.readonly;
  element.removeAttribute("tabindex");
  element.removeAttribute("translate");
  const editor = new Editor({
    element: { mount: element },
    // The caller sets whether the text is editable, and updates it on every change.
    editable: false,
    injectCSS: false,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": "Document text",
        "aria-describedby": textHelpId,
      },
      scrollMargin: 96,
      scrollThreshold: 64,
    },
    extensions: [
      ...documentExtensions.map((extension) =>
        extension === DocumentLink
          ? DocumentLink.configure({ nameOf: linkNames.nameOf })
          : extension,
      ),
      DocumentLinks.configure({ onNewDocument }),
      WritingAttributes,
      FittingContent.configure({ onRefuse }),
      OwnSelection,
      TypedChanges,
      WholeLetters,
      SharedText.configure({ fragment }),
      OwnUndo,
      LineEndClick,
      LongBlocks,
      LateLayout,
      RemoteCarets.configure({ awareness: () => live.awareness, userId, personOf }),
      Passages.configure({ onPick }),
      Slash,
      TablesOnDemand,
      TextTints,
      TextKeymap.configure({ onLink, onToolbar, onUp }),
      TurningKeys,
      TabStays,
      Files.configure({ documentId, userId, onRefuse }),
      FilesLeftOut.configure({ onRefuse }),
      Paste.configure({ onRefuse }),
      PasteBounds.configure({ onRefuse }),
      ListKeymap,
      LateCursors,
    ],
  });
  const giveUp = (why: Unreadable) => {
    editor.destroy();
    onUnreadable(why);
  };
  let stopGuarding = guardContent(fragment, giveUp);
  const stopShowing = live.show(
    pageViewOf(editor, {
      mayShow: (to) => {
        const why = inspectContent(to.fragment);
        if (why !== null) giveUp(why);
        return why === null;
      },
      shown: (to) => {
        stopGuarding();
        stopGuarding = guardContent(to.fragment, giveUp);
      },
    }),
  );
  editor.on("destroy", () => {
    stopGuarding();
    stopShowing();
  });
  return editor;
}
