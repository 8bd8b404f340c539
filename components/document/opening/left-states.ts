import { schemaVersion } from "@/events/content/schema";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { LiveDocument } from "@/machines/sync/live-document";

type Key = { userId: string; documentId: string };

/** The largest number of kept states. Each may take megabytes. */
const most = 8;

const nameOf = ({ userId, documentId }: Key) => `${userId}:${documentId}`;

/**
 * The log states in which this tab left its last documents. Back and Forward restore the router's
 * cached page with the state of its first rendering. These newer states replace that state.
 */
export class LeftStates {
  private readonly states = new Map<string, DocumentState>();

  /**
   * Stores a state unless a newer one is stored. A document may be reopened before it has closed.
   */
  keep(key: Key, state: DocumentState): void {
    const name = nameOf(key);
    if ((this.states.get(name)?.version ?? -1) > state.version) return;
    this.states.delete(name);
    this.states.set(name, state);
    const [oldest] = this.states.keys();
    if (this.states.size > most && oldest !== undefined) this.states.delete(oldest);
  }

  /** Returns the state of a document if it is newer than a version, otherwise null. */
  newerThan(version: number, key: Key): DocumentState | null {
    const state = this.states.get(nameOf(key));
    return state !== undefined && state.version > version ? state : null;
  }

  drop(key: Key): void {
    this.states.delete(nameOf(key));
  }
}

export const leftStates = new LeftStates();

type Left = Pick<LiveDocument, "close" | "parts" | "confirmed" | "sync" | "onRows">;

/**
 * Returns a function that closes a newly opened document and stores its state twice: at once, and
 * after the log has recorded the last edits.
 */
export function closerOf(
  live: Left,
  key: Key,
  states: LeftStates = leftStates,
): () => Promise<void> {
  // After a log rollback, the stored state may have a higher version than the log.
  states.drop(key);
  let isReadable = true;
  live.onRows((rows) => {
    // Only these rows show that a newer schema was used, so the next page must read them again.
    if (rows.some(({ schema }) => schema > schemaVersion)) isReadable = false;
  });
  const keep = () => {
    const mayRead = live.sync.getSnapshot().value.access !== "none";
    if (isReadable && mayRead) states.keep(key, live.parts() ?? live.confirmed());
    else states.drop(key);
  };
  return async () => {
    keep();
    await live.close();
    keep();
  };
}
