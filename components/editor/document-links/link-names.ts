import { linkElement, nameOfLinked, targetOf, unnamed } from "@/events/content/document-link";
import type { LinkedDocument, LinkName } from "@/events/content/document-link";

/** Reads the documents that the reader may see. Resolves to null offline. */
type Ask = (ids: readonly string[]) => Promise<readonly LinkedDocument[] | null>;

/** The attributes of a link's element that depend on the name of its document. */
const renderedAttributes = ["data-state", "data-icon", "href"] as const;

/**
 * The names of documents as this page's reader sees them, for every link on the page. They cover
 * documents of the workspace, and others that the reader may see.
 */
class LinkNames {
  private workspace: ReadonlyMap<string, LinkedDocument> = new Map();
  private others = new Map<string, LinkedDocument | null>();
  private readonly wanted = new Set<string>();
  private ask: Ask | null = null;
  private asking = false;

  /** Returns the name of a document. Requests an unknown name. */
  readonly nameOf = (id: string): LinkName => {
    const row = this.workspace.get(id) ?? this.others.get(id);
    if (row !== undefined) return nameOfLinked(row);
    this.wanted.add(id);
    // Requests of one render are batched.
    queueMicrotask(() => void this.askNow());
    return unnamed;
  };

  /** The documents of the workspace that can be opened, most recently changed first. */
  get documents(): readonly LinkedDocument[] {
    return [...this.workspace.values()].filter(({ phase }) => phase === "live");
  }

  /** Whether the workspace has the document. */
  holds(id: string): boolean {
    return this.workspace.has(id);
  }

  /**
   * Sets all documents of the workspace, most recently changed first, and known documents of other
   * workspaces. Updates the links on the page.
   */
  know(
    rows: readonly LinkedDocument[],
    others: Readonly<Record<string, LinkedDocument | null>> = {},
  ): void {
    this.workspace = new Map(rows.map((row) => [row.id, row]));
    for (const [id, row] of Object.entries(others)) this.others.set(id, row);
    this.showIn(document);
  }

  /** Sets the function that reads documents of other workspaces. Returns the one that unsets it. */
  askOf(ask: Ask): () => void {
    this.ask = ask;
    void this.askNow();
    return () => {
      // The next reader may be another person.
      this.ask = null;
      this.others = new Map();
    };
  }

  /** Updates the name of every link below an element. */
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
    // When the request was not possible, the next render repeats it.
    if (rows === null) return;
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) this.others.set(id, found.get(id) ?? null);
    this.showIn(document);
    await this.askNow();
  }
}

/** The names of this page. A server serves many readers, so it never fills this object. */
export const linkNames = new LinkNames();
