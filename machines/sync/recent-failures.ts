import type { Clock } from "@/events/core/clock";
import { StoreFault } from "@/events/log/store";
import type { SendOutcome } from "./status/sync-events";

/**
 * A send that the log refused, or a call that failed. The text of an error is left out because it
 * may quote what was sent.
 */
export type Failure = {
  at: string;
  call: "send" | "read";
  name: string;
  /** The database's reason for refusing. */
  detail?: string;
  /** The HTTP status; 0 if there was no answer. */
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

  /** Oldest first. */
  get list(): readonly Failure[] {
    return [...this.failures];
  }

  /** Records how a send ends; returns the same promise. */
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

  /** Records a failed read; returns the same promise. */
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
