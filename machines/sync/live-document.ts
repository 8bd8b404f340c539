import { type Awareness } from "y-protocols/awareness";
import { type Actor } from "xstate";
import type * as Y from "yjs";
import { type Channels } from "@/events/realtime/channel";
import { type Person, type PresenceState } from "@/events/realtime/presence-list";
import { type Clock, type Random } from "@/events/core/clock";
import { type Outbox } from "@/events/device/outbox";
import { type Ruled } from "@/events/core/envelope";
import { type Store } from "@/events/log/store";
import {
  type DocumentState,
  type StateParts,
  type WholeState,
} from "@/events/crdt/validation/document-state";
import { type DraftDocument } from "./device/draft-document";
import { type PageView } from "./device/page-view";
import { type syncMachine } from "./status/sync";
import { type Access } from "./status/sync-events";
import { type SyncReport } from "./sync-report";

/** What a document needs to be opened; everything that reaches outside is handed in. */
export type LiveDocumentInput = {
  documentId: string;
  userId: string;
  store: Store;
  channels: Channels;
  outbox: Pick<Outbox, "open">;
  clock: Clock;
  random: Random;
  /** The version of the text's schema, recorded with every edit. */
  schemaVersion: number;
  /** A state folded earlier (by the server), to begin from instead of from nothing. */
  initial?: DocumentState | null;
  /**
   * What was opened of the same `initial`, and perhaps written in, before this document could be;
   * its outbox is `outbox`'s.
   */
  draft?: Pick<DraftDocument, "doc" | "awareness" | "take"> | null;
  /** What this person may do; `setAccess` tells later changes. */
  access?: Access;
  /** Nobody looks at this document here: it gives up what it keeps as soon as another tab shows the document. */
  yields?: boolean;
  /** The hosted plan's messages per second, if there is one. */
  messageLimit?: number | null;
};

/**
 * One open document. `doc`, `fragment` and `awareness` stay the same objects until another Y.Doc
 * takes their place, which happens when the page has to go back to what the log holds: what takes
 * the keys (`show`) goes over to it in the same turn.
 */
export type LiveDocument = {
  readonly doc: Y.Doc;
  readonly fragment: Y.XmlFragment;
  readonly awareness: Awareness;
  readonly sync: Actor<typeof syncMachine>;
  /** The version of the log that the confirmed document stands at. */
  readonly version: number;
  /** What the log holds of it at that version. */
  confirmed(): WholeState;
  /**
   * The same in parts, for which nothing is encoded; `joined` is given the state that they make
   * together. Null where they are too many.
   */
  parts(): StateParts | null;
  /** Takes over the state that parts make together; null where the log was folded anew since they were given. */
  joined(parts: StateParts, state: Uint8Array): WholeState | null;
  /** Resolves once the document shows what the log held when it was opened. */
  readonly loaded: Promise<void>;
  /** Resolves once what earlier tabs have left is among this one's own edits, or the device does not answer. */
  readonly hasTakenOver: Promise<void>;
  readonly people: Person[];
  /** Who shows the text and takes the keys from now on; answers the function that ends it. */
  show(view: PageView): () => void;
  /** Hears that another Y.Doc has taken the place of the one before. */
  onReplaced(listener: () => void): () => void;
  onPeople(listener: () => void): () => void;
  /** Hears the log's rows, in order, once each, as they are read. */
  onRows(listener: (rows: Ruled[]) => void): () => void;
  /** Hears that `version` may be another: by rows that were read, or by one's own, which are not read back. */
  onAdvanced(listener: () => void): () => void;
  /** The person who is bound to a Yjs client id, for carets; null if the log has not said so yet. */
  userOf(clientId: number): string | null;
  setAccess(access: Access): void;
  setPresence(state: PresenceState): void;
  /** The same person has signed in again. */
  resume(): void;
  /** Lets go of the edits that nobody can place or read, once their text is in safety. */
  forgetOrphaned(): void;
  /**
   * Lets go of everything that the log does not have, once its text is in safety; the page shows
   * what the log holds.
   */
  letGo(): void;
  /** Whether the device has everything that the log does not have. */
  readonly isStored: boolean;
  /** Sends what waits, now; for a page that is about to be hidden. */
  flush(): void;
  /** The page is seen again, or back from wherever it was kept: what it missed is read before it says "Saved". */
  seen(): void;
  /** The text of one's own edits that the log does not have, to be copied. */
  unsavedText(): string;
  /**
   * How many times the log turned out to have lost what was read of it, because an older backup was
   * put in its place.
   */
  readonly logRollbacks: number;
  /** What stood here, is not in the log any more, and is not this tab's to send again; a line for each block. */
  rolledBackText(): string;
  /** How it stands with the log now, without anything that somebody wrote. */
  debug(): SyncReport;
  /** Leaves the channel at once and keeps sending until the outbox is empty or cannot be emptied. */
  close(): Promise<void>;
};
