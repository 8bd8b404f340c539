import type { EventType } from "@/events/core/event-types";
import { subjectKey } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { Document } from "@/machines/document";

/** The proposals of this tab on one document before their ruling (acknowledgement). */
export type OptimisticDocument = {
  title: string;
  icon: string | null;
  template: boolean;
  phase: string;
  type: EventType;
  at: string;
};

/** Returns the fold that a document's row represents. */
export function foldOfRow(row: DocumentRow): StreamFold {
  const {
    id,
    workspaceId,
    title,
    icon,
    template,
    createdBy,
    createdAt,
    edits,
    forkedFrom,
    forkedAt,
    phase,
    version,
  } = row;
  const state = {
    workspaceId,
    title,
    icon,
    template,
    createdBy,
    createdAt,
    edits,
    forkedFrom,
    forkedAt,
  } satisfies Document;
  return { version, subjects: { [subjectKey({ kind: "document", id })]: { phase, state } } };
}

/** Returns the row of a document, which may not exist yet, with this tab's proposals on top. */
export function withOptimistic(
  row: DocumentRow | undefined,
  id: string,
  workspaceId: string,
  userId: string,
  optimistic: OptimisticDocument,
): DocumentRow {
  const { title, icon, template, phase, at } = optimistic;
  const base = row ?? {
    id,
    workspaceId,
    version: 0,
    createdBy: userId,
    createdAt: at,
    edits: 0,
    parent: null,
    rank: "",
    forkedFrom: null,
    forkedAt: null,
  };
  return { ...base, title, icon, template, phase, updatedBy: userId, updatedAt: at };
}
