import { Derivation } from "./derivation";
import { type TimelineData, type TimelineRow } from "@/events/history/timeline/timeline";

/** A `Derivation` that may be elsewhere; its calls are taken in the order in which they are made. */
export type Deriver = {
  segment(bytes: Uint8Array): Promise<number | null>;
  prefix(): Promise<TimelineData>;
  beginAnew(): Promise<void>;
  rows(rows: readonly TimelineRow[]): Promise<boolean>;
  finish(): Promise<TimelineData>;
  state(): Promise<Uint8Array>;
  /** Lets go of everything; nothing is asked afterwards. */
  close(): void;
};

/** Derives in the page itself, for where there is nothing beside it. */
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
