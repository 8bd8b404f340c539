import type * as Y from "yjs";
import { remoteOrigin } from "@/events/realtime/document-provider";
import type { Provisional } from "@/events/crdt/validation/provisional-updates";
import type { Composition } from "../device/page-view";
import type { PendingEdits } from "./pending-edits";

type Input = {
  mayWrite(): boolean;
  /** Others' updates that the log lacks and that typed text may depend on. */
  unlogged(): readonly Provisional[];
  /** Called on each local edit. Returns the composition that the edit belongs to. */
  typed(): Composition | null;
};

/**
 * The first stage of a keystroke: captures the editor's writes to the page's Y.Doc, one transaction
 * at a time. Before there is a connection, a draft document does the same.
 */
export class LocalEdits {
  private readonly input: Input;
  private readonly next: Pick<PendingEdits, "add">;
  private ended = false;

  constructor(input: Input, next: Pick<PendingEdits, "add">) {
    this.input = input;
    this.next = next;
  }

  /** Passes local edits of this document on until the document is destroyed. */
  listen(doc: Y.Doc): void {
    doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== remoteOrigin && this.input.mayWrite() && !this.ended)
        this.next.add(update, () => this.input.unlogged(), this.input.typed());
    });
  }

  /** Stops recording edits. */
  end(): void {
    this.ended = true;
  }
}
