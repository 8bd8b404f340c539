import type { SupabaseClient } from "@supabase/supabase-js";
import { StoreFault } from "@/events/log/store";

/**
 * The tools of a task besides its input: a deadline, a progress callback, and the service's client.
 */
export type Tools = {
  /** Whether the task should finish early with its partial result. */
  isLate(): boolean;
  /**
   * Reports the version up to which a document has been folded. Called after events are read and
   * before the next ones are folded.
   */
  progress(version: number): void;
  /** Returns the service's client, or null without a secret key. */
  service(): SupabaseClient | null;
};

/** Thrown by a task that was expected to be light. The task is then repeated as heavy work. */
export class TooHeavy extends Error {
  override readonly name = "TooHeavy";
}

/** Thrown if a task spent its time waiting for the database. */
export class Unanswered extends StoreFault {}

/**
 * Thrown if a task exceeded its time or memory. `version` is the version that the fold had reached,
 * or null if the task had not reported.
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
