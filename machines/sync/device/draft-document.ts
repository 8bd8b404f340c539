import { reportError } from "@/events/core/error-report";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { newestSchema } from "@/events/content/text-schema";
import type { Clock, Random } from "@/events/core/clock";
import { applyState } from "@/events/crdt/validation/document-state";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { editRecord } from "@/events/device/outbox";
import type { EditRecord, OutboxBox } from "@/events/device/outbox";
import type { Composition, PageView } from "./page-view";
import { RecordKeys } from "./record-keys";

type DraftInput = {
  /** The state with which the page was rendered. */
  initial: Pick<DocumentState, "state" | "since">;
  /** Stores edits until the log has them. A live document takes the box over with the draft. */
  box: Promise<OutboxBox>;
  clock: Clock;
  random: Random;
  /**
   * Whether this person may write. Edits are recorded only then. `setMayWrite` changes it later.
   */
  mayWrite: boolean;
  /** Called when an edit was made or stored, until a live document takes over the draft. */
  onChange(): void;
};

/** An edit of a draft, and its composition if it has one. */
export type DraftEdit = { record: EditRecord; composition: Composition | null };

/**
 * A document that can be edited before the connection, or even its code, is ready. Memory and the
 * device keep every edit in order, until a live document takes over the draft's Y.Doc, awareness
 * and edits.
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

  /** The number of edits that wait for a live document. */
  get count(): number {
    return this.edits.length;
  }

  /** Whether the device has stored every edit. */
  get stored(): boolean {
    return this.unstored === 0;
  }

  /**
   * Changes whether edits are recorded. A person may be granted access, or a document restored from
   * the trash, before there is a connection.
   */
  setMayWrite(mayWrite: boolean): void {
    this.mayWrite = mayWrite;
  }

  /** Sets the view that shows the text and reports its open composition. */
  show(view: Pick<PageView, "composition">): void {
    this.view = view;
  }

  /** Hands the edits over to a live document, which records all later edits. */
  take(): DraftEdit[] {
    this.doc.off("update", this.record);
    this.isTakenOver = true;
    return this.edits.splice(0);
  }

  /** Ends a draft that no live document takes over. Its edits must be stored by then. */
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
      reportError(error, { during: "saving a draft on the device", kind: "tolerated" });
      // The edit is still in memory. The live document stores it again, and until then the browser
      // warns a person who leaves the page.
      return;
    }
    this.unstored -= 1;
    // A draft without edits would look saved. After a takeover the live document reports the state
    // of the edits.
    if (!this.isTakenOver) this.input.onChange();
  }
}
