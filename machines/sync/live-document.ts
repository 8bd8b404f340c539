import type { Awareness } from "y-protocols/awareness";
import type { Actor } from "xstate";
import type * as Y from "yjs";
import type { Channels } from "@/events/realtime/channel";
import type { Person, PresenceState } from "@/events/realtime/presence-list";
import type { Clock, Random } from "@/events/core/clock";
import type { Outbox } from "@/events/device/outbox";
import type { Ruled } from "@/events/core/envelope";
import type { Store } from "@/events/log/store";
import type {
  DocumentState,
  StateParts,
  WholeState,
} from "@/events/crdt/validation/document-state";
import type { DraftDocument } from "./device/draft-document";
import type { PageView } from "./device/page-view";
import type { syncMachine } from "./status/sync";
import type { Access } from "./status/sync-events";
import type { SyncReport } from "./sync-report";

/** The dependencies of an open document, including all external ones. */
export type LiveDocumentInput = {
  documentId: string;
  userId: string;
  store: Store;
  channels: Channels;
  outbox: Pick<Outbox, "open">;
  clock: Clock;
  random: Random;
  /** The version of the text's schema, which is recorded with every edit. */
  schemaVersion: number;
  /** An earlier state to start from, folded by the server. */
  initial?: DocumentState | null;
  /**
   * The draft that was opened from the same `initial`, and may already be edited. It uses the same
   * outbox as `outbox`.
   */
  draft?: Pick<DraftDocument, "doc" | "awareness" | "take"> | null;
  /** This person's access. `setAccess` changes it later. */
  access?: Access;
  /**
   * For a document that no page shows: it hands its edits over as soon as another tab shows the
   * document.
   */
  yields?: boolean;
  /** The hosted plan's limit of messages per second. Null means no limit. */
  messageLimit?: number | null;
};

/**
 * One open document. `doc`, `fragment` and `awareness` stay the same objects until another Y.Doc
 * replaces them, which happens when the page has to return to the log's state. The view passed to
 * `show` switches to the replacement in the same turn.
 */
export type LiveDocument = {
  readonly doc: Y.Doc;
  readonly fragment: Y.XmlFragment;
  readonly awareness: Awareness;
  readonly sync: Actor<typeof syncMachine>;
  /** The log version of the confirmed document. */
  readonly version: number;
  /** Returns the state that the log holds at `version`. */
  confirmed(): WholeState;
  /**
   * Returns the same state in parts, without encoding it, or null if there are too many parts. Pass
   * the encoded state of all parts to `joined`.
   */
  parts(): StateParts | null;
  /**
   * Adopts the encoded state of parts. Returns null if the log was folded again since `parts`
   * returned them.
   */
  joined(parts: StateParts, state: Uint8Array): WholeState | null;
  /** Resolves once the document shows the state that the log had when the document was opened. */
  readonly loaded: Promise<void>;
  /**
   * Resolves once the leftovers of earlier tabs are among this tab's edits, or the device does not
   * answer.
   */
  readonly hasTakenOver: Promise<void>;
  /** Resolves once the device or the log has every edit made before the call. */
  stored(): Promise<void>;
  /** Resolves once the document shows the log's state and all leftovers of earlier tabs. */
  complete(): Promise<void>;
  readonly people: Person[];
  /** Sets the view that shows the text and receives input. Returns the function that ends it. */
  show(view: PageView): () => void;
  /** Subscribes to replacements of the Y.Doc. */
  onReplaced(listener: () => void): () => void;
  onPeople(listener: () => void): () => void;
  /** Subscribes to the log's rows as they are read, each row once and in order. */
  onRows(listener: (rows: Ruled[]) => void): () => void;
  /**
   * Subscribes to changes of `version`. Rows that were read change it, and so do this tab's own
   * rows, which are not read back.
   */
  onAdvanced(listener: () => void): () => void;
  /** Returns the account bound to a Yjs client id, or null before the log has bound it. */
  userOf(clientId: number): string | null;
  setAccess(access: Access): void;
  setPresence(state: PresenceState): void;
  /** Resumes after the same person has signed in again. */
  resume(): void;
  /** Drops the edits that cannot be placed or read. Call it once their text is safe. */
  forgetOrphaned(): void;
  /**
   * Drops every edit that the log does not have. Call it once their text is safe. The page then
   * shows the log's state.
   */
  letGo(): void;
  /** Whether the device has stored every edit that the log does not have. */
  readonly isStored: boolean;
  /** Sends the waiting edits now, because the page is about to be hidden. */
  flush(): void;
  /**
   * Call it when the page is visible again or restored. Missed events are read before the page
   * shows "Saved".
   */
  seen(): void;
  /** Returns the text of this tab's edits that the log does not have, for copying. */
  unsavedText(): string;
  /** The number of times that an older backup replaced the log and lost events read before. */
  readonly logRollbacks: number;
  /**
   * Returns the text that the page showed earlier, that the log no longer has and that this tab
   * does not send again, one line per block.
   */
  rolledBackText(): string;
  /** Returns the current sync state, without any written text. */
  debug(): SyncReport;
  /** Leaves the channel at once. Keeps sending until the outbox is empty or cannot be emptied. */
  close(): Promise<void>;
};
