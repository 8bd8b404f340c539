import type { Awareness } from "y-protocols/awareness";
import type { XmlFragment } from "yjs";
import type { Composition, PageView, Replacement } from "@/machines/sync/device/page-view";

/**
 * The live side of a text, there once the document is open in this browser. It stays the same
 * object whatever Y.Doc it is of.
 */
export type LiveText = {
  readonly fragment: XmlFragment;
  readonly awareness: Awareness;
  readonly userId: string;
  /** Who shows it from now on; answers the function that ends it. */
  show(view: PageView): () => void;
};

/** A text that an editor shows: first of a draft, then of the document that takes the draft over. */
export class ShownText implements LiveText, PageView {
  fragment: XmlFragment;
  awareness: Awareness;
  readonly userId: string;
  private view: PageView | null = null;

  constructor({ fragment, awareness }: Pick<LiveText, "fragment" | "awareness">, userId: string) {
    this.fragment = fragment;
    this.awareness = awareness;
    this.userId = userId;
  }

  show(view: PageView): () => void {
    this.view = view;
    return () => {
      if (this.view === view) this.view = null;
    };
  }

  composition(): Composition | null {
    return this.view?.composition() ?? null;
  }

  settle(): Promise<void> | null {
    return this.view?.settle() ?? null;
  }

  rebind(to: Replacement): void {
    this.fragment = to.fragment;
    this.awareness = to.awareness;
    this.view?.rebind(to);
  }
}
