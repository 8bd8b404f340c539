import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

/**
 * What a task gets besides its input: a deadline, a progress callback, and the service's client.
 */
export type Tools = {
  /** Whether the task should finish early with what it has. */
  isLate(): boolean;
  /**
   * Reports the version up to which a document has been folded: after events were read, and before
   * the next are folded.
   */
  progress(version: number): void;
  /** The service's client; null without a secret key. */
  service(): SupabaseClient | null;
};

/** Thrown by a task that was expected to be light, so that it is repeated as heavy work. */
export class TooHeavy extends Error {
  override readonly name = "TooHeavy";
}

/** Thrown if a task spent its time waiting for the database. */
export class Unanswered extends StoreFault {}

/**
 * Thrown if a task exceeded its time or memory; `version` is how far it had folded by then, or null
 * if it had not reported.
 */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
  readonly version: number | null;
  constructor(what: string, version: number | null) {
    super(`${what} exceeded its time or memory at version ${version ?? "unknown"}`);
    this.version = version;
  }
}

/** Thrown when the caller of a task has disconnected. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}
