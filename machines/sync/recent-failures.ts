import type { Clock } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";
import type { SendOutcome } from "./status/sync-events";

/**
 * A send that the log refused, or a call that failed. An error's text is left out because it may
 * quote the text that was sent.
 */
export type Failure = {
  at: string;
  call: "send" | "read";
  name: string;
  /** The database's reason for refusing. */
  detail?: string;
  /** The HTTP status, or 0 without an answer. */
  status?: number;
};

const most = 10;

/** The latest failures between one document and its log. */
export class RecentFailures {
  private readonly clock: Pick<Clock, "now">;
  private readonly failures: Failure[] = [];

  constructor(clock: Pick<Clock, "now">) {
    this.clock = clock;
  }

  /** The failures, oldest first. */
  get list(): readonly Failure[] {
    return [...this.failures];
  }

  /** Records the outcome of a send. Returns the same promise. */
  send(sending: Promise<SendOutcome>): Promise<SendOutcome> {
    void sending.then(
      (outcome) => {
        if (outcome.kind === "refused") this.add({ call: "send", ...outcome.refusal });
        else if (outcome.kind === "signed-out") this.add({ call: "send", name: "signed-out" });
      },
      (error: unknown) => this.add({ call: "send", ...named(error) }),
    );
    return sending;
  }

  /** Records a failed read. Returns the same promise. */
  read(reading: Promise<void>): Promise<void> {
    void reading.catch((error: unknown) => this.add({ call: "read", ...named(error) }));
    return reading;
  }

  private add(failure: Omit<Failure, "at">): void {
    this.failures.push({ at: new Date(this.clock.now()).toISOString(), ...failure });
    if (this.failures.length > most) this.failures.shift();
  }
}

function named(error: unknown): Pick<Failure, "name" | "status"> {
  if (error instanceof StoreFault) return { name: error.name, status: error.status };
  return { name: error instanceof Error ? error.name : typeof error };
}
