import * as Y from "yjs";
import { touchesBlock } from "@/events/crdt/updates/composing/touched-block";
import { dependsOnMore } from "@/events/crdt/updates/pending-edit";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { type Composition } from "../device/page-view";

type Input = {
  doc(): Y.Doc;
  /** What is being composed now. */
  composition(): Composition | null;
};

/**
 * Keeps others' changes away from the block in which something is composed: a browser that finds
 * its letters drawn again loses track of them, and leaves some of them twice. The changes wait in
 * the order in which they came, with what depends on them; all others are shown.
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

  /** Of some updates, those that may be shown now. */
  pass(updates: readonly Uint8Array[]): Uint8Array[] {
    const composition = this.input.composition();
    // What has waited until now goes first.
    if (composition === null) return [...this.take(), ...updates];
    const block = composition.block();
    return updates.filter((update) => {
      const passes = block === null || !this.mustWait(update, block);
      if (!passes) this.waiting.push(update);
      return passes;
    });
  }

  /** Takes out what has waited, in order. */
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
