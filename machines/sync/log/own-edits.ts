import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { Remade } from "@/events/crdt/updates/rebase/client-rebase";
import type { Composition } from "../device/page-view";
import type { Range } from "@/events/crdt/updates/yjs-update";

/**
 * The page's interface to the pending edits, which it shows on top of the log. The page
 * acknowledges edits that the log has brought, and replaces edits that were rebased.
 */
export type OwnEdits = {
  /** The unacknowledged edits in order. Edits in batches precede the others. */
  readonly unacknowledged: readonly PendingEdit[];
  readonly count: number;
  /** The edits that wait for a composition to end. */
  readonly waitingForComposition: readonly PendingEdit[];
  /**
   * Joins a composition's edits into one edit that may be sent. Without a composition, does so for
   * all held edits.
   */
  release(composition?: Composition): void;
  /**
   * Acknowledges an event that the log holds. Returns its batch, or null if no batch has this id.
   */
  acknowledge(id: string): object | null;
  /** Moves edits that the log has lost back to the waiting ones. */
  recall(missing: (id: string, index: number) => boolean): void;
  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean;
  /** Replaces edits that could not be appended with other updates. */
  replace(
    replaced: readonly PendingEdit[],
    by: readonly Remade[],
    deferred: readonly Range[],
    deferredUpdate: Uint8Array | null,
  ): void;
  /** Sets aside edits that cannot be placed. */
  orphan(edits: readonly PendingEdit[]): void;
  /** Returns the updates of orphaned edits that can be placed again. */
  recover(): Uint8Array[];
  /** Removes and returns the deferred deletions whose target is held. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[];
};
