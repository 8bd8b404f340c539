import { type Actor } from "xstate";
import { type PresenceState } from "@/events/realtime/presence-list";
import { type DocumentChannel } from "./document-channel";
import { type syncMachine } from "./sync";

type Input = {
  sync: Pick<Actor<typeof syncMachine>, "subscribe">;
  channel: Pick<DocumentChannel, "track">;
  /** The Yjs client ids that this tab is going to bring into the log. */
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
  private several = false;

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
    const clients = this.refused ? [] : [...new Set(this.input.clients())];
    this.several = clients.length > 1;
    this.input.channel.track(this.state, clients);
  }

  /** To be called when the log has got something: of several ids, one may be done with. */
  acknowledged(): void {
    if (this.several) this.track();
  }
}
