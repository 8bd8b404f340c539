import { type Ruled } from "@/events/core/envelope";
import { textBeyond } from "@/events/crdt/updates/lost-text";
import { root } from "./live-page";
import { type LogReader } from "./log-reader";
import { type PendingEdits } from "./pending-edits";

/** What an open document has seen the log lose, because an older backup was put in its place. */
export class LogRollbacks {
  private readonly reader: LogReader;
  private readonly pending: PendingEdits;
  private readonly states: Uint8Array[] = [];

  constructor(reader: LogReader, pending: PendingEdits) {
    this.reader = reader;
    this.pending = pending;
  }

  get count(): number {
    return this.states.length;
  }

  /** Puts back among the edits to be sent what this tab has written and the log, whose `rows` these are, does not show; `lost` is the state before. */
  take(rows: readonly Ruled[], lost: Uint8Array): void {
    const held = new Map(rows.map(({ id, version }) => [id, version]));
    const passedOver = new Set(
      this.reader.confirmed.flags.flatMap(({ version, index, reason }) =>
        reason === "unsupported" ? [] : `${version}:${index}`,
      ),
    );
    this.states.push(lost);
    for (const id of held.keys()) this.pending.acknowledge(id);
    this.pending.recall((id, index) => !held.has(id) || passedOver.has(`${held.get(id)}:${index}`));
  }

  /** The text of the states before that is neither in the log nor this tab's to send again; a line for each block. */
  text(): string {
    const heldOf = (client: number) =>
      this.pending.speaksAs(client) ? Infinity : this.reader.confirmed.clockOf(client);
    const texts = this.states.map((state) => textBeyond(state, root, heldOf));
    return texts.filter((text) => text !== "").join("\n");
  }
}
