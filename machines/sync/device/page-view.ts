import type { Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";
import type { Range } from "@/events/crdt/updates/yjs-update";

/**
 * A Y.Doc that replaces the previous one. `find` maps a range of the previous document to its
 * ranges in `doc`, without deleted items.
 */
export type Replacement = {
  doc: Y.Doc;
  fragment: Y.XmlFragment;
  awareness: Awareness;
  find(range: Range): Range[];
};

/** The letters that an input method has not committed yet. Each composition is a new object. */
export type Composition = {
  /** Whether the input method may still add letters. */
  readonly isOpen: boolean;
  /** Resolves once the input method has finished and the editor has read the letters. */
  readonly ended: Promise<void>;
  /** Returns the block that contains the composition, or null if the editor cannot tell. */
  block(): Y.XmlElement | null;
  /** Commits the current letters. */
  finish(): void;
};

/**
 * The view that shows the text and receives input. It switches to a replacement in the same turn,
 * so that no input reaches a replaced page.
 */
export type PageView = {
  /** Returns the open composition, or null. */
  composition(): Composition | null;
  /**
   * Reads all typed input. While a composition is open, returns a promise that resolves when the
   * caller should call again.
   */
  settle(): Promise<void> | null;
  /**
   * Switches to another Y.Doc. The previous Y.Doc still exists during the call and is destroyed
   * afterwards.
   */
  rebind(to: Replacement): void;
};
