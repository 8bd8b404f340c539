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

/** The dependencies of an open document, including all access to the outside. */
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
  /** An earlier state, folded by the server, to start from. */
  initial?: DocumentState | null;
  /**
   * The draft that was opened from the same `initial`, perhaps already edited; it uses the same
   * outbox as `outbox`.
   */
  draft?: Pick<DraftDocument, "doc" | "awareness" | "take"> | null;
  /** This person's access; `setAccess` changes it later. */
  access?: Access;
  /**
   * For a document that no page shows: hands its edits over as soon as another tab shows the
   * document.
   */
  yields?: boolean;
  /** The hosted plan's messages per second, if there is one. */
  messageLimit?: number | null;
};

/**
 * One open document. `doc`, `fragment` and `awareness` stay the same objects until another Y.Doc
 * replaces them, which happens when the page has to go back to what the log holds. The view passed
 * to `show` switches to it in the same turn.
 */
export type LiveDocument = {
  readonly doc: Y.Doc;
  readonly fragment: Y.XmlFragment;
  readonly awareness: Awareness;
  readonly sync: Actor<typeof syncMachine>;
  /** The log version of the confirmed document. */
  readonly version: number;
  /** The state that the log holds at that version. */
  confirmed(): WholeState;
  /**
   * The same state in parts, without encoding it. Pass the encoded state of all parts to `joined`.
   * Null if there are too many parts.
   */
  parts(): StateParts | null;
  /**
   * Adopts the encoded state of parts; null if the log was folded again since `parts` returned
   * them.
   */
  joined(parts: StateParts, state: Uint8Array): WholeState | null;
  /** Resolves once the document shows what the log held when it was opened. */
  readonly loaded: Promise<void>;
  /**
   * Resolves once the leftovers of earlier tabs are among this tab's edits, or the device does not
   * answer.
   */
  readonly hasTakenOver: Promise<void>;
  /** Resolves once the device or the log has every edit made until now. */
  stored(): Promise<void>;
  /** Resolves once the document shows what the log has and all that earlier tabs left. */
  complete(): Promise<void>;
  readonly people: Person[];
  /** Sets the view that shows the text and receives input; returns the function that ends it. */
  show(view: PageView): () => void;
  /** Subscribes to replacements of the Y.Doc. */
  onReplaced(listener: () => void): () => void;
  onPeople(listener: () => void): () => void;
  /** Subscribes to the log's rows as they are read: each once, in order. */
  onRows(listener: (rows: Ruled[]) => void): () => void;
  /**
   * Subscribes to changes of `version`, by rows that were read or by this tab's own rows, which are
   * not read back.
   */
  onAdvanced(listener: () => void): () => void;
  /** The account bound to a Yjs client id, for carets; null if the log has not bound it yet. */
  userOf(clientId: number): string | null;
  setAccess(access: Access): void;
  setPresence(state: PresenceState): void;
  /** Resumes after the same person has signed in again. */
  resume(): void;
  /** Drops the edits that cannot be placed or read; call it once their text is safe. */
  forgetOrphaned(): void;
  /**
   * Drops everything that the log does not have; call it once the text is safe. The page then shows
   * what the log holds.
   */
  letGo(): void;
  /** Whether the device has everything that the log does not have. */
  readonly isStored: boolean;
  /** Sends what waits now; for a page that is about to be hidden. */
  flush(): void;
  /**
   * Call it when the page is visible again or restored: missed events are read before it says
   * "Saved".
   */
  seen(): void;
  /** The text of own edits that the log does not have, for copying. */
  unsavedText(): string;
  /**
   * How many times the log was replaced by an older backup and lost events that were already read.
   */
  readonly logRollbacks: number;
  /**
   * Text shown earlier that is no longer in the log and not this tab's to send again, one line per
   * block.
   */
  rolledBackText(): string;
  /** The current sync state, without any written text. */
  debug(): SyncReport;
  /** Leaves the channel at once; keeps sending until the outbox is empty or cannot be emptied. */
  close(): Promise<void>;
};
