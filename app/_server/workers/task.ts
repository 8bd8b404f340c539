import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

/**
 * What a task is given beside its input: a clock that runs, somebody to tell how far it has come,
 * and the service's client.
 */
export type Tools = {
  /** Whether so much time has gone that a task does well to end with what it has. */
  isLate(): boolean;
  /**
   * Tells up to which version a document has been folded: of one whose events were read, and before
   * the next of them are folded.
   */
  progress(version: number): void;
  /** The service's client; null where the project's secret is not known. */
  service(): SupabaseClient | null;
};

/** Thrown by a task that was to be light, so that it is done again where heavy work is. */
export class TooHeavy extends Error {
  override readonly name = "TooHeavy";
}

/** Thrown for a task that waited for the database for as long as it might have worked. */
export class Unanswered extends StoreFault {}

/**
 * Thrown for a task that took more time or memory than it had; `version` is how far it had folded
 * by then, null where it had not told.
 */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
  readonly version: number | null;
  constructor(what: string, version: number | null) {
    super(`${what} took more than it had, at version ${version ?? "unknown"}`);
    this.version = version;
  }
}

/** Thrown when the caller of a task has disconnected. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}
