import { type PendingEdit } from "@/events/crdt/updates/pending-edit";
import { type Remade } from "@/events/crdt/updates/rebase/client-rebase";
import { type Composition } from "../device/page-view";
import { type Range } from "@/events/crdt/updates/yjs-update";

/**
 * What the page asks of the pending edits, which it shows in addition to the log: to let go of what
 * the log has brought, and to take in what was made again.
 */
export type OwnEdits = {
  /** In order; those that were made into batches come first. */
  readonly unacknowledged: readonly PendingEdit[];
  readonly count: number;
  /** Those of them that wait for a composition to end. */
  readonly waitingForComposition: readonly PendingEdit[];
  /** What was composed becomes one edit that may be sent; without a composition, all that is held. */
  release(composition?: Composition): void;
  /** The log has this event; returns what it was made of if it was one of these. */
  acknowledge(id: string): object | null;
  /** Takes back what the log has lost. */
  recall(missing: (id: string, index: number) => boolean): void;
  /** Whether this tab has ever written under this Yjs client id. */
  speaksAs(client: number): boolean;
  /** Puts other updates in the place of edits that could not be appended. */
  replace(
    replaced: readonly PendingEdit[],
    by: readonly Remade[],
    deferred: readonly Range[],
    deferredUpdate: Uint8Array | null,
  ): void;
  /** Puts edits aside that nobody can place. */
  orphan(edits: readonly PendingEdit[]): void;
  /** Returns the updates of edits put aside that can be placed again. */
  recover(): Uint8Array[];
  /** Takes out the deferred deletions that can be made now. */
  takeDeferred(isHeld: (range: Range) => boolean): Range[];
};
