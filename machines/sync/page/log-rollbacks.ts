import type { Ruled } from "@/events/core/envelope";
import { textBeyond } from "@/events/crdt/updates/text-beyond";
import type { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { OwnEdits } from "../log/own-edits";
import { root } from "./page-doc";

/** The states that the log had before each rollback to an older backup, in an open document. */
export class LogRollbacks {
  private readonly confirmed: ConfirmedDocument;
  private readonly own: Pick<OwnEdits, "acknowledge" | "recall" | "speaksAs">;
  private readonly states: Uint8Array[] = [];

  constructor(
    confirmed: ConfirmedDocument,
    own: Pick<OwnEdits, "acknowledge" | "recall" | "speaksAs">,
  ) {
    this.confirmed = confirmed;
    this.own = own;
  }

  get count(): number {
    return this.states.length;
  }

  /**
   * Adds this tab's edits that the log no longer shows to the pending edits again. `rows` is the
   * whole log, and `stateBefore` the state before the rollback.
   */
  take(rows: readonly Ruled[], stateBefore: Uint8Array): void {
    const held = new Map(rows.map(({ id, version }) => [id, version]));
    const rejected = new Set(
      this.confirmed.anomalies.flatMap(({ version, index, reason }) =>
        reason === "unsupported" ? [] : `${version}:${index}`,
      ),
    );
    this.states.push(stateBefore);
    for (const id of held.keys()) this.own.acknowledge(id);
    this.own.recall((id, index) => !held.has(id) || rejected.has(`${held.get(id)}:${index}`));
  }

  /**
   * Returns the text of the earlier states that the log lacks and this tab does not send again, one
   * line per block.
   */
  text(): string {
    const heldOf = (client: number) =>
      this.own.speaksAs(client) ? Infinity : this.confirmed.clockOf(client);
    const texts = this.states.map((state) => textBeyond(state, root, heldOf));
    return texts.filter((text) => text !== "").join("\n");
  }
}
