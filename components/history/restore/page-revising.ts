import type { Store } from "@/events/log/store";
import type { Revising } from "@/events/worker/revising";

/** Opens the worker that prepares restores and merges of a document, and loads its code. */
export async function openRevising(
  source: Pick<Store, "read" | "segments">,
  documentId: string,
): Promise<Revising> {
  const [{ Revising }, { pageRevisions }] = await Promise.all([
    import("@/events/worker/revising"),
    import("@/events/worker/page-revisions"),
  ]);
  return new Revising({ source, documentId, job: () => pageRevisions.job() });
}
