import { steadyStorage } from "@/events/device/steady-storage";

/** The largest number of documents that are remembered. */
const most = 20;
const storage = steadyStorage(() => localStorage);
const keyOf = (userId: string, workspaceId: string) => `palimpsest-recent:${userId}:${workspaceId}`;

/** Returns the documents that this person opened on this device, most recent first. */
export function recentDocuments(userId: string, workspaceId: string): string[] {
  const kept = storage.getItem(keyOf(userId, workspaceId));
  return kept === null ? [] : kept.split(" ");
}

/** Remembers that a person opened a document. */
export function rememberDocument(userId: string, workspaceId: string, documentId: string): void {
  const before = recentDocuments(userId, workspaceId).filter((id) => id !== documentId);
  storage.setItem(keyOf(userId, workspaceId), [documentId, ...before].slice(0, most).join(" "));
}
