import { reportError } from "@/events/core/error-report";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { newestSchema } from "@/events/content/text-schema";
import { type Clock, type Random } from "@/events/core/clock";
import { applyState, type DocumentState } from "@/events/crdt/validation/document-state";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { editRecord, type EditRecord, type OutboxBox } from "@/events/device/outbox";
import { type Composition, type PageView } from "./page-view";
import { RecordKeys } from "./record-keys";

type DraftInput = {
  /** The state that the page was rendered with. */
  initial: Pick<DocumentState, "state" | "since">;
  /** Where what is written is kept until the log has it; it passes to the live document. */
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  /** Whether this person may write; what a reader's editor does is not recorded. `setMayWrite` tells later changes. */
  mayWrite: boolean;
  /** Hears that something was written, or that it was stored, until the draft is taken over. */
  onChange(): void;
};

/** An edit of a draft, and the composition that it belongs to. */
export type DraftEdit = { record: EditRecord; composition: Composition | null };

/**
 * A document that can be written in before there is a connection, or even the code for one. Every edit is kept in
 * order, here and on the device, until a live document takes the draft over: its Y.Doc, its awareness, its edits.
 */
export class DraftDocument {
  readonly doc = new Y.Doc();
  readonly awareness: Awareness;
  private readonly input: DraftInput;
  private readonly keys: RecordKeys;
  private readonly edits: DraftEdit[] = [];
  private view: Pick<PageView, "composition"> | null = null;
  private unstored = 0;
  private isTakenOver = false;
  private mayWrite: boolean;
  private readonly record = (update: Uint8Array) => {
    if (this.mayWrite) this.addEdit(update);
  };

  constructor(input: DraftInput) {
    const { initial, random, clock } = input;
    this.input = input;
    this.mayWrite = input.mayWrite;
    this.keys = new RecordKeys(clock, random);
    this.doc.clientID = random.clientId();
    disableFormattingCleanup(this.doc);
    applyState(this.doc, initial);
    this.awareness = new Awareness(this.doc);
    this.awareness.setLocalState(null);
    this.doc.on("update", this.record);
  }

  get fragment(): Y.XmlFragment {
    return this.doc.getXmlFragment("default");
  }

  /** How many edits wait here for a live document. */
  get count(): number {
    return this.edits.length;
  }

  /** Whether the device has every one of them. */
  get stored(): boolean {
    return this.unstored === 0;
  }

  /**
   * Tells what this person may do from now on: somebody may be let in, or a text come back from the
   * trash, before there is a connection.
   */
  setMayWrite(mayWrite: boolean): void {
    this.mayWrite = mayWrite;
  }

  /** Who shows the text, and knows what is being composed in it. */
  show(view: Pick<PageView, "composition">): void {
    this.view = view;
  }

  /** Gives the edits to who takes the draft over, which records what is written from now on. */
  take(): DraftEdit[] {
    this.doc.off("update", this.record);
    this.isTakenOver = true;
    return this.edits.splice(0);
  }

  /** Ends a draft that nobody takes over; what it has written must be stored by then. */
  async discard(): Promise<void> {
    this.doc.off("update", this.record);
    this.awareness.destroy();
    this.doc.destroy();
    await (await this.input.box).close();
  }

  private addEdit(update: Uint8Array): void {
    const time = this.input.clock.now();
    const edit = editRecord({ key: this.keys.next(), update, time }, newestSchema);
    this.edits.push({ record: edit, composition: this.view?.composition() ?? null });
    this.unstored += 1;
    this.input.onChange();
    void this.store(edit);
  }

  private async store(edit: EditRecord): Promise<void> {
    try {
      await (await this.input.box).write({ put: [edit] });
    } catch (error) {
      reportError(error, { during: "keeping a draft on the device", kind: "tolerated" });
      // It is still here; the live document tries again, and until then leaving the page is warned of.
      return;
    }
    this.unstored -= 1;
    // With none of its edits left, the draft would pass for saved; who has taken them says what becomes of them.
    if (!this.isTakenOver) this.input.onChange();
  }
}
