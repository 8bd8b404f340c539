import type { Awareness } from "y-protocols/awareness";
import type { XmlFragment } from "yjs";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { Composition, PageView, Replacement } from "@/machines/sync/device/page-view";

/**
 * The live side of a text, which exists once the document is open in this browser. The object stays
 * the same when its Y.Doc is replaced.
 */
export type LiveText = {
  readonly fragment: XmlFragment;
  readonly awareness: Awareness;
  readonly userId: string;
  /** Resolves once the document is connected, to the methods that report on the text's edits. */
  readonly edits: Promise<Pick<LiveDocument, "stored" | "complete">>;
  /** Attaches the view that shows the text. Returns the function that detaches it. */
  show(view: PageView): () => void;
};

/**
 * A text that an editor shows. It is a draft's text first, and then the text of the document that
 * replaces the draft.
 */
export class ShownText implements LiveText, PageView {
  fragment: XmlFragment;
  awareness: Awareness;
  readonly userId: string;
  private view: PageView | null = null;
  private connected: (live: LiveDocument) => void = () => {};
  readonly edits = new Promise<LiveDocument>((resolve) => (this.connected = resolve));

  constructor({ fragment, awareness }: Pick<LiveText, "fragment" | "awareness">, userId: string) {
    this.fragment = fragment;
    this.awareness = awareness;
    this.userId = userId;
  }

  /** Shows the text of a connected document. Returns the function that stops showing it. */
  connect(live: LiveDocument): () => void {
    this.connected(live);
    return live.show(this);
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
