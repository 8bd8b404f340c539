import type { DocumentRow } from "@/events/read-models/document-rows";

/** When everything in these tests happened. */
export const at = "2026-11-23T10:00:00Z";

/** The row of a live document of workspace `w` that Ana began; its title is its id. */
export const documentRow = (id: string, version = 1): DocumentRow => ({
  id,
  workspaceId: "w",
  title: id,
  icon: null,
  phase: "live",
  version,
  createdBy: "ana",
  createdAt: at,
  updatedBy: "ana",
  updatedAt: at,
  edits: 0,
  forkedFrom: null,
  forkedAt: null,
});
