import type { PendingEdit } from "@/events/crdt/updates/pending-edit";
import { composedUpdate } from "@/events/crdt/updates/composing/composed-update";
import type { UnbatchedEdits } from "../device/unbatched-edits";
import type { Composition } from "../device/page-view";

/**
 * The edits of open compositions. They are stored on the device like other edits but are not sent,
 * because the log must not record letters that an input method replaces before it commits. When a
 * composition ends, its edits are joined into one edit without the intermediate letters.
 */
export class HeldEdits {
  private readonly unbatched: UnbatchedEdits;
  private readonly compositions = new Map<PendingEdit, Composition>();

  constructor(unbatched: UnbatchedEdits) {
    this.unbatched = unbatched;
  }

  /** Whether no edit waits for a composition. */
  get isEmpty(): boolean {
    return this.compositions.size === 0;
  }

  /** Holds an edit that was just made. */
  hold(edit: PendingEdit, composition: Composition): void {
    this.compositions.set(edit, composition);
  }

  /** Returns the edits before the first held edit, which wait for no composition. */
  settled(): readonly PendingEdit[] {
    const { list } = this.unbatched;
    if (this.isEmpty) return list;
    const first = list.findIndex((edit) => this.compositions.has(edit));
    return first < 0 ? list : list.slice(0, first);
  }

  /** Returns the edits that wait for a composition, or follow an edit that does. */
  waiting(): readonly PendingEdit[] {
    return this.isEmpty ? [] : this.unbatched.list.slice(this.settled().length);
  }

  /** Releases the edits of one composition, or of all compositions. */
  release(of?: Composition): void {
    const released = new Set(
      of === undefined
        ? this.compositions.values()
        : [...this.compositions.values()].filter((each) => each === of),
    );
    for (const composition of released) {
      const edits = [...this.compositions].filter(([, each]) => each === composition);
      for (const [edit] of edits) this.compositions.delete(edit);
      this.join(new Set(edits.map(([edit]) => edit)));
    }
  }

  /** Forgets all held edits, which no longer exist. */
  forget(): void {
    this.compositions.clear();
  }

  /** Replaces a composition's edits, and the edits made in between, with a single edit. */
  private join(composed: ReadonlySet<PendingEdit>): void {
    const { list } = this.unbatched;
    const first = list.findIndex((edit) => composed.has(edit));
    const last = list.findLastIndex((edit) => composed.has(edit));
    if (first === last) return;
    const edits = list.slice(first, last + 1);
    const update = composedUpdate(edits.map(({ update }) => update));
    if (update) this.unbatched.join(edits, update);
  }
}
