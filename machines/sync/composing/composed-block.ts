import * as Y from "yjs";
import { touchesBlock } from "@/events/crdt/updates/composing/touched-block";
import { dependsOnMore } from "@/events/crdt/updates/pending-edit";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { Composition } from "../device/page-view";

type Input = {
  doc(): Y.Doc;
  /** Returns the open composition, or null. */
  composition(): Composition | null;
};

/**
 * Holds back others' changes to the block that contains a composition. A browser that renders
 * composed letters again loses track of them and duplicates some. Held changes keep their order,
 * together with the changes that depend on them. All other changes are shown.
 */
export class ComposedBlock {
  private readonly input: Input;
  private waiting: Uint8Array[] = [];

  constructor(input: Input) {
    this.input = input;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Returns the updates that may be shown now. */
  pass(updates: readonly Uint8Array[]): Uint8Array[] {
    const composition = this.input.composition();
    // Held updates precede the new ones.
    if (composition === null) return [...this.take(), ...updates];
    const block = composition.block();
    return updates.filter((update) => {
      const passes = block === null || !this.mustWait(update, block);
      if (!passes) this.waiting.push(update);
      return passes;
    });
  }

  /** Removes and returns the held updates, in order. */
  take(): Uint8Array[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  private mustWait(update: Uint8Array, block: Y.XmlElement): boolean {
    const doc = this.input.doc();
    const inspected = inspectUpdate(update);
    return (
      (!this.isEmpty && dependsOnMore(inspected, (client) => Y.getState(doc.store, client))) ||
      touchesBlock(doc, block, inspected.parts)
    );
  }
}
