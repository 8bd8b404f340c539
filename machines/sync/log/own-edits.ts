import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import type { Remade } from "@/events/crdt/updates/rebase/client-rebase";
import type { Composition } from "../device/page-view";
import type { Range } from "@/events/crdt/updates/yjs-update";

/**
 * The page's interface to the pending edits, which it shows on top of the log: it acknowledges what
 * the log has brought, and takes in what was rebased.
 */
export type OwnEdits = {
  /** In order; those in batches come first. */
  readonly unacknowledged: readonly PendingEdit[];
  readonly count: number;
  /** The ones that wait for a composition to end. */
  readonly waitingForComposition: readonly PendingEdit[];
  /**
   * Joins a composition's edits into one that may be sent; without a composition, does so for all
   * held edits.
   */
  release(composition?: Composition): void;
  /**
   * Acknowledges an event that the log holds; returns its batch, or null if it is not one of these.
   */
  acknowledge(id: string): object | null;
  /** Takes back edits that the log has lost. */
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
  /** Removes and returns the deferred deletions that can be made now. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[];
};
