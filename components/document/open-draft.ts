import { systemClock, systemRandom } from "@/events/core/clock";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import { deviceOutbox } from "@/events/device/device-outbox";
import type { OutboxBox } from "@/events/device/outbox";
import { DraftDocument } from "@/machines/sync/device/draft-document";
import type { SyncStatus } from "@/machines/sync/sync-status";

type Input = {
  documentId: string;
  userId: string;
  initial: DocumentState;
  mayWrite: boolean;
  onChange: () => void;
};

/** A draft with its part of the device's outbox. A live document takes over both. */
export type OpenedDraft = { draft: DraftDocument; box: Promise<OutboxBox> };

/** Opens a document for writing at once, from the state in the page. Nothing is sent yet. */
export function openDraft({ documentId, userId, initial, mayWrite, onChange }: Input): OpenedDraft {
  const box = deviceOutbox().open({ userId, documentId });
  // Each writer to the outbox handles the rejection. The live document reports it in its status.
  box.catch(() => undefined);
  const draft = new DraftDocument({
    initial,
    box,
    clock: systemClock,
    random: systemRandom,
    mayWrite,
    onChange,
  });
  return { draft, box };
}

/**
 * Returns the save status of a draft, or null if nothing was written. Offline it is never null,
 * because remote changes do not arrive.
 */
export function draftStatus(
  { count, stored }: Pick<DraftDocument, "count" | "stored">,
  online: boolean,
): SyncStatus | null {
  if (online) {
    if (count === 0) return null;
    const sentence =
      "The rest of this page is on its way. Your changes are kept " +
      `${stored ? "on this device" : "in this tab"} and sent when it is ` +
      "here.";
    return { label: "Saving…", tone: "busy", sentence, action: null };
  }
  const sentence =
    count === 0 || stored
      ? "You're offline. Your changes are kept on this device and will be sent when you're back."
      : "You're offline. Keep this tab open; your changes will be sent when you're back.";
  return { label: "Offline", tone: "warning", sentence, action: null };
}
