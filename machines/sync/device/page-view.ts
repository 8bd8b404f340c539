import { type Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";
import { type Range } from "@/events/crdt/updates/yjs-update";

/**
 * Another Y.Doc in the place of the one before; `find` tells what ticks that stood there are called
 * in it, without those that are gone.
 */
export type Replacement = {
  doc: Y.Doc;
  fragment: Y.XmlFragment;
  awareness: Awareness;
  find(range: Range): Range[];
};

/** The letters that an input method has not committed yet; a new object for each of its compositions. */
export type Composition = {
  /** Whether more letters of it may come. */
  readonly isOpen: boolean;
  /** Resolves once the input method is done with it and the editor has read its letters. */
  readonly ended: Promise<void>;
  /** The block that it stands in; null where the editor cannot tell. */
  block(): Y.XmlElement | null;
  /** Commits what stands there now. */
  finish(): void;
};

/**
 * What shows the text and takes the keys. Nothing is typed into a page that has been replaced,
 * because it goes over in the same turn.
 */
export type PageView = {
  /** What is being composed; null where nothing is. */
  composition(): Composition | null;
  /** Takes in what has been typed until now; while something is being composed, resolves when it may be asked again. */
  settle(): Promise<void> | null;
  /** Goes over to another Y.Doc; the one before still stands, and is gone afterwards. */
  rebind(to: Replacement): void;
};
