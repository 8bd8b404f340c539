import { Derivation } from "./derivation";
import type { TimelineData, TimelineRow } from "@/events/history/timeline/timeline";

/** A `Derivation` that may run in a worker. Calls are handled in order. */
export type Deriver = {
  segment(bytes: Uint8Array): Promise<number | null>;
  prefix(): Promise<TimelineData>;
  beginAnew(): Promise<void>;
  rows(rows: readonly TimelineRow[]): Promise<boolean>;
  finish(): Promise<TimelineData>;
  state(): Promise<Uint8Array>;
  /** Releases all data. No calls may follow. */
  close(): void;
};

/** Creates a deriver that runs in the page itself, for pages without a worker. */
export function deriverHere(): Deriver {
  const derivation = new Derivation();
  return {
    segment: async (bytes) => derivation.segment(bytes),
    prefix: async () => derivation.prefix(),
    beginAnew: async () => derivation.beginAnew(),
    rows: async (rows) => derivation.rows(rows),
    finish: async () => derivation.finish(),
    state: async () => derivation.state(),
    close: () => derivation.beginAnew(),
  };
}
