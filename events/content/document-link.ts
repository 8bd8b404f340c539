import { Node } from "@tiptap/core";
import { isBlockName, isDocumentId, pathOfTarget } from "./document-address";
import type { DocumentTarget } from "./document-address";

/** The fields of a linked document that a reader with access to it knows. */
export type LinkedDocument = {
  id: string;
  title: string;
  icon: string | null;
  phase: string;
  /** The parent document, for a document of the page's workspace. */
  parent?: string | null;
};

/** The display of a document link: the document's title, and its icon if it has one. */
export type LinkName = {
  words: string;
  icon: string | null;
  /**
   * The state that decides the look of a link. Links to documents in the trash, or to documents
   * that the reader cannot open, look different from `open` ones.
   */
  state: "open" | "trashed" | "closed" | "unknown";
};

/** Shown while the document's title is unknown. */
export const unnamed: LinkName = { words: "Linked document", icon: null, state: "unknown" };
/** Shown alike for a document that the reader may not see and for one that does not exist. */
export const closedLink: LinkName = {
  words: "Document you can’t open",
  icon: null,
  state: "closed",
};

/** Returns the display of a link to a document. `row` is null if the reader may not see it. */
export function nameOfLinked(row: LinkedDocument | null): LinkName {
  const words = row?.title.trim() === "" ? "Untitled" : row?.title;
  if (row === null || words === undefined) return closedLink;
  const { icon, phase } = row;
  if (phase === "live") return { words, icon, state: "open" };
  return phase === "trashed" ? { words, icon, state: "trashed" } : closedLink;
}

/** Returns the target in a node's attributes, which may hold any value. */
export function targetOf({ document, block }: Record<string, unknown>): DocumentTarget | null {
  return isDocumentId(document) ? { document, block: isBlockName(block) ? block : null } : null;
}

/**
 * Returns the element of a link: its attributes and its words. The element has an `href` only if
 * the reader can open the document.
 */
export function linkElement(
  target: DocumentTarget | null,
  { words, icon, state }: LinkName,
): [tag: "a", attributes: Record<string, string>, words: string] {
  const attributes: Record<string, string> = { class: "document-link", "data-state": state };
  if (target !== null) {
    attributes["data-document"] = target.document;
    if (target.block !== null) attributes["data-block"] = target.block;
    if (state === "open" || state === "trashed") attributes.href = pathOfTarget(target);
  }
  if (icon !== null) attributes["data-icon"] = icon;
  return ["a", attributes, state === "trashed" ? `${words} (in the trash)` : words];
}

function documentIn(element: HTMLElement): string | null {
  const id = element.getAttribute("data-document");
  return isDocumentId(id) ? id : null;
}

function blockIn(element: HTMLElement): string | null {
  const name = element.getAttribute("data-block");
  return isBlockName(name) ? name : null;
}

/**
 * An inline link to a document, which counts as one letter of its line. The node stores no title:
 * `nameOf` returns the document's current title for each reader, so links follow renames and reveal
 * no titles.
 */
export const DocumentLink = Node.create<{ nameOf: (document: string) => LinkName }>({
  name: "documentLink",
  // Takes precedence over the link mark, which accepts every other address.
  priority: 1_100,
  group: "inline",
  inline: true,
  atom: true,
  selectable: true,
  draggable: false,
  addOptions: () => ({ nameOf: () => unnamed }),
  addAttributes: () => ({
    document: { default: null, parseHTML: documentIn },
    block: { default: null, parseHTML: blockIn },
  }),
  parseHTML() {
    return [
      {
        tag: "a[data-document]",
        priority: 100,
        getAttrs: (element: HTMLElement) => (documentIn(element) === null ? false : null),
      },
    ];
  },
  renderHTML({ node }) {
    const target = targetOf(node.attrs);
    return linkElement(target, target === null ? closedLink : this.options.nameOf(target.document));
  },
  renderText({ node }) {
    const target = targetOf(node.attrs);
    return (target === null ? closedLink : this.options.nameOf(target.document)).words;
  },
});
