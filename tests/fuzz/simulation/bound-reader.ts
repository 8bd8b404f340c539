import { BoundText } from "@/components/editor/bound-text.fixture";
import { guardContent, inspectContent } from "@/components/editor/binding/content-guard";
import type { LiveDocument } from "@/machines/sync/live-document";

/**
 * An editor without input, bound to a page's text as the product binds it. It does not bind a text
 * that its schema cannot hold, because a binding deletes unknown content for all.
 */
export class BoundReader {
  private bound: BoundText | null = null;
  private unguard = () => {};

  constructor(live: LiveDocument) {
    live.show({
      composition: () => null,
      settle: () => null,
      rebind: ({ doc, fragment }) => this.bind(doc, fragment),
    });
    this.bind(live.doc, live.fragment);
  }

  /** Shows the text without an editor from now on. */
  end(): void {
    this.unguard();
    this.bound?.destroy();
    this.bound = null;
  }

  private bind(doc: LiveDocument["doc"], fragment: LiveDocument["fragment"]): void {
    this.end();
    if (inspectContent(fragment) !== null) return;
    this.bound = new BoundText(doc);
    this.unguard = guardContent(fragment, () => this.end());
  }
}
