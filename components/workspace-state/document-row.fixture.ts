import type { WorkspaceDocument } from "./placed-documents";

/** The time of every event and row in these tests. */
export const at = "2026-11-23T10:00:00Z";

/** Returns the row of a live document that Ana created in workspace `w`. Its title is its id. */
export const documentRow = (id: string, version = 1): WorkspaceDocument => ({
  id,
  workspaceId: "w",
  title: id,
  icon: null,
  template: false,
  parent: null,
  rank: "80000000",
  phase: "live",
  version,
  createdBy: "ana",
  createdAt: at,
  updatedBy: "ana",
  updatedAt: at,
  edits: 0,
  forkedFrom: null,
  forkedAt: null,
  trashedIn: null,
});
