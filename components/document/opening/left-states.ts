import { schemaVersion } from "@/events/content/schema";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { LiveDocument } from "@/machines/sync/live-document";

type Key = { userId: string; documentId: string };

/** More documents than this are not kept: a state may have megabytes. */
const most = 8;

const nameOf = ({ userId, documentId }: Key) => `${userId}:${documentId}`;

/**
 * The states of the log in which this tab left the last documents that it showed. Back and Forward
 * bring the page that the router has kept since it was first opened here, with the state of then.
 */
export class LeftStates {
  private readonly states = new Map<string, DocumentState>();

  /** Keeps a state unless it has a newer one: a document may be opened again before it has closed. */
  keep(key: Key, state: DocumentState): void {
    const name = nameOf(key);
    if ((this.states.get(name)?.version ?? -1) > state.version) return;
    this.states.delete(name);
    this.states.set(name, state);
    const [oldest] = this.states.keys();
    if (this.states.size > most && oldest !== undefined) this.states.delete(oldest);
  }

  /** The state of a document, where it is newer than a version. */
  newerThan(version: number, key: Key): DocumentState | null {
    const state = this.states.get(nameOf(key));
    return state !== undefined && state.version > version ? state : null;
  }

  drop(key: Key): void {
    this.states.delete(nameOf(key));
  }
}

/** Those of this tab. */
export const leftStates = new LeftStates();

type Left = Pick<LiveDocument, "close" | "parts" | "confirmed" | "sync" | "onRows">;

/**
 * Answers the function that closes a document which has just been opened, and keeps its state: that
 * of now, and that of when the log has the last edits.
 */
export function closerOf(
  live: Left,
  key: Key,
  states: LeftStates = leftStates,
): () => Promise<void> {
  // The log may have gone back to an older backup, with a lower version.
  states.drop(key);
  let isReadable = true;
  live.onRows((rows) => {
    // Only these rows say that a newer schema wrote in it, and the next page has to read them again.
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
