import { Node } from "@tiptap/core";
import { type DocumentTarget, isBlockName, isDocumentId, pathOfTarget } from "./document-address";

/** What is known of a document that something links to, by whoever may see it. */
export type LinkedDocument = {
  id: string;
  title: string;
  icon: string | null;
  phase: string;
  /** What it stands in, of one in the workspace that the page shows. */
  parent?: string | null;
};

/** How a link to a document is shown to whoever reads: the document's title, and its icon if it has one. */
export type LinkName = {
  words: string;
  icon: string | null;
  /** `open` leads there; a document in the trash, and one that its reader cannot open, are told from it. */
  state: "open" | "trashed" | "closed" | "unknown";
};

/** What is shown where nobody has said yet, or can say, what the document is called. */
export const unnamed: LinkName = { words: "Linked document", icon: null, state: "unknown" };
/** What is shown of a document that the reader may not see, or that does not exist: the two look alike. */
export const closedLink: LinkName = {
  words: "Document you can’t open",
  icon: null,
  state: "closed",
};

/** How a link to a document is shown to somebody who may see it, or, for null, may not. */
export function nameOfLinked(row: LinkedDocument | null): LinkName {
  const words = row?.title.trim() === "" ? "Untitled" : row?.title;
  if (row === null || words === undefined) return closedLink;
  const { icon, phase } = row;
  if (phase === "live") return { words, icon, state: "open" };
  return phase === "trashed" ? { words, icon, state: "trashed" } : closedLink;
}

/** The link of a node as a schema has it, whatever somebody put into its attributes. */
export function targetOf({ document, block }: Record<string, unknown>): DocumentTarget | null {
  return isDocumentId(document) ? { document, block: isBlockName(block) ? block : null } : null;
}

/**
 * The element that shows a link: its attributes and its words. It leads somewhere only where its
 * reader can go there.
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
 * A link to a document, in a line of text, as one letter of it. It holds no title: whoever shows it
 * says by `nameOf` what the document is called for its reader now, so that a link follows renames
 * and tells nobody what they may not know.
 */
export const DocumentLink = Node.create<{ nameOf: (document: string) => LinkName }>({
  name: "documentLink",
  // Before the mark of links, which takes every other address.
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
