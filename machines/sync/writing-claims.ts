import type { Actor } from "xstate";
import type { PresenceState } from "@/events/realtime/presence-list";
import type { DocumentChannel } from "./channel/document-channel";
import type { syncMachine } from "./status/sync";

type Input = {
  sync: Pick<Actor<typeof syncMachine>, "subscribe">;
  channel: Pick<DocumentChannel, "track">;
  /**
   * The Yjs client ids under which this tab will append to the log, including its own. Empty if
   * this person may not write.
   */
  clients(): number[];
};

/**
 * Announces this person's presence and the client ids for whose edits others may wait. A tab that
 * may not append, or that was refused, announces none.
 */
export class WritingClaims {
  private readonly input: Input;
  private state: PresenceState = "active";
  private refused = false;
  private claimed: ReadonlySet<number> = new Set();
  /** The client ids under which the page's Y.Doc was written to, besides its own. */
  private readonly written = new Set<number>();

  constructor(input: Input) {
    this.input = input;
    this.track();
    input.sync.subscribe(({ value }) => {
      if ((value.outbox === "refused") === this.refused) return;
      this.refused = !this.refused;
      this.track();
    });
  }

  present(state: PresenceState): void {
    this.state = state;
    this.track();
  }

  track(): void {
    const clients = this.refused ? [] : this.input.clients();
    this.claimed = new Set(clients.length > 0 ? [...clients, ...this.written] : []);
    this.input.channel.track(this.state, [...this.claimed]);
  }

  /** Announces the client ids of new edits, because others may already depend on these edits. */
  wrote(clients: readonly number[]): void {
    const unclaimed = clients.filter(
      (client) => !this.claimed.has(client) && !this.written.has(client),
    );
    if (unclaimed.length === 0) return;
    for (const client of unclaimed) this.written.add(client);
    this.track();
  }

  /** Called when the page has switched to another Y.Doc. */
  replaced(): void {
    this.written.clear();
    this.track();
  }

  /** Called when the log has acknowledged edits. One of several client ids may now be finished. */
  acknowledged(): void {
    if (this.claimed.size > this.written.size + 1) this.track();
  }
}
