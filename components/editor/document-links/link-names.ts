import {
  linkElement,
  type LinkedDocument,
  type LinkName,
  nameOfLinked,
  targetOf,
  unnamed,
} from "@/events/content/document-link";

/** Reads documents as far as the reader may see them; null where nobody can be asked now. */
type Ask = (ids: readonly string[]) => Promise<readonly LinkedDocument[] | null>;

/** Of which attributes a link's element is made anew when its name changes. */
const renderedAttributes = ["data-state", "data-icon", "href"] as const;

/**
 * What documents are called for the reader of this page, for everything in it that shows a link:
 * those of the workspace that the page shows, and others as far as the reader may see them.
 */
class LinkNames {
  private workspace: ReadonlyMap<string, LinkedDocument> = new Map();
  private others = new Map<string, LinkedDocument | null>();
  private readonly wanted = new Set<string>();
  private ask: Ask | null = null;
  private asking = false;

  /** What a document is called; one that nobody knows yet is asked for. */
  readonly nameOf = (id: string): LinkName => {
    const row = this.workspace.get(id) ?? this.others.get(id);
    if (row !== undefined) return nameOfLinked(row);
    this.wanted.add(id);
    // What a part of the page wants to know in one go is asked for together.
    queueMicrotask(() => void this.askNow());
    return unnamed;
  };

  /** The documents of the workspace that can be opened, last changed first. */
  get documents(): readonly LinkedDocument[] {
    return [...this.workspace.values()].filter(({ phase }) => phase === "live");
  }

  /** Whether the workspace has such a document. */
  holds(id: string): boolean {
    return this.workspace.has(id);
  }

  /**
   * Takes in all documents of the workspace, last changed first, and what was found out of others;
   * names the links in the page anew.
   */
  know(
    rows: readonly LinkedDocument[],
    others: Readonly<Record<string, LinkedDocument | null>> = {},
  ): void {
    this.workspace = new Map(rows.map((row) => [row.id, row]));
    for (const [id, row] of Object.entries(others)) this.others.set(id, row);
    this.showIn(document);
  }

  /** Whom documents of other workspaces are asked of from now on; answers the end of it. */
  askOf(ask: Ask): () => void {
    this.ask = ask;
    void this.askNow();
    return () => {
      // Whoever reads next may be somebody else.
      this.ask = null;
      this.others = new Map();
    };
  }

  /** Gives every link in a part of the page its name. */
  showIn(root: ParentNode): void {
    for (const link of root.querySelectorAll<HTMLElement>("a[data-document]")) {
      const target = targetOf({ ...link.dataset });
      if (target === null) continue;
      const [, attributes, words] = linkElement(target, this.nameOf(target.document));
      if (link.textContent !== words) link.textContent = words;
      for (const name of renderedAttributes) {
        const value = attributes[name];
        if (value === undefined) link.removeAttribute(name);
        else if (link.getAttribute(name) !== value) link.setAttribute(name, value);
      }
    }
  }

  private async askNow(): Promise<void> {
    if (this.asking || this.ask === null || this.wanted.size === 0) return;
    this.asking = true;
    const ids = [...this.wanted];
    this.wanted.clear();
    const rows = await this.ask(ids).finally(() => (this.asking = false));
    // Where nobody could be asked, whatever is shown next asks again.
    if (rows === null) return;
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) this.others.set(id, found.get(id) ?? null);
    this.showIn(document);
    await this.askNow();
  }
}

/** Those of this page; a server, which answers many readers, asks none of it. */
export const linkNames = new LinkNames();
