import type { Backend } from "@/events/backend/backend";
import { systemClock, systemRandom } from "@/events/core/clock";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";
import { isUnknown, status } from "@/machines/sync/sync-status";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { schemaVersion } from "@/events/content/schema";
import type { OpenedDraft } from "./open-draft";

type Input = {
  backend: Pick<Backend, "store" | "channels">;
  documentId: string;
  userId: string;
  initial: DocumentState;
  mayWrite: boolean;
  messageLimit: number | null;
  /** The shown draft, which may already have edits. */
  opened: OpenedDraft;
};

/** Connects a document that is open as a draft. The live document takes over the draft. */
export function openLive({
  backend,
  documentId,
  userId,
  initial,
  mayWrite,
  messageLimit,
  opened: { draft, box },
}: Input): LiveDocument {
  return openDocument({
    documentId,
    userId,
    store: backend.store,
    channels: backend.channels,
    outbox: { open: () => box },
    clock: systemClock,
    random: systemRandom,
    schemaVersion,
    initial,
    draft,
    access: mayWrite ? "write" : "read",
    messageLimit,
  });
}

/** Returns the save status of an open document, or null while it is unknown. */
export function statusOf(live: LiveDocument): SyncStatus | null {
  const snapshot = live.sync.getSnapshot();
  return isUnknown(snapshot) ? null : status(snapshot);
}
