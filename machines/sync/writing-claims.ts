import { type Actor } from "xstate";
import { type PresenceState } from "@/events/realtime/presence-list";
import { type DocumentChannel } from "./channel/document-channel";
import { type syncMachine } from "./status/sync";

type Input = {
  sync: Pick<Actor<typeof syncMachine>, "subscribe">;
  channel: Pick<DocumentChannel, "track">;
  /**
   * The Yjs client ids that this tab is going to bring into the log, its own among them; none where
   * it may not write.
   */
  clients(): number[];
};

/**
 * Tells the others how present this person is, and whose edits they may wait for: those of a tab
 * that cannot bring them into the log, because it may not or because they were refused, are not on
 * their way.
 */
export class WritingClaims {
  private readonly input: Input;
  private state: PresenceState = "active";
  private refused = false;
  private claimed: ReadonlySet<number> = new Set();
  /** The ids under which the page's Y.Doc was written to, besides its own. */
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

  /** Something was written under these ids: others may already depend on it. */
  wrote(clients: readonly number[]): void {
    const unclaimed = clients.filter(
      (client) => !this.claimed.has(client) && !this.written.has(client),
    );
    if (unclaimed.length === 0) return;
    for (const client of unclaimed) this.written.add(client);
    this.track();
  }

  /** Another Y.Doc stands on the page. */
  replaced(): void {
    this.written.clear();
    this.track();
  }

  /** To be called when the log has got something: of several ids, one may be done with. */
  acknowledged(): void {
    if (this.claimed.size > this.written.size + 1) this.track();
  }
}
