import type { DocumentSnapshot } from "@/components/document/document-snapshot";
import type { WorkspaceSnapshot } from "@/components/workspace-state/workspace-snapshot";

const userId = "00000000-0000-4000-8000-000000000001";
const workspaceId = "00000000-0000-4000-8000-000000000002";
const id = "00000000-0000-4000-8000-000000000003";
const at = "2026-01-01T00:00:00.000000Z";
const person = { userId, name: "Somebody", color: 0 };
const row: DocumentSnapshot["row"] = {
  id,
  workspaceId,
  title: "A page before the first",
  icon: null,
  template: false,
  parent: null,
  rank: "",
  phase: "live",
  version: 1,
  createdBy: userId,
  createdAt: at,
  updatedBy: userId,
  updatedAt: at,
  edits: 1,
  forkedFrom: null,
  forkedAt: null,
};

/** Returns an invented document that is never shown. The server renders it to warm up. */
export function sampleDocument(): { workspace: WorkspaceSnapshot; document: DocumentSnapshot } {
  return {
    workspace: {
      me: person,
      workspace: {
        id: workspaceId,
        name: "A workspace",
        phase: "active",
        version: 1,
        createdBy: userId,
        createdAt: at,
        history: { viewer: "everything", commenter: "everything" },
      },
      workspaces: [{ id: workspaceId, name: "A workspace" }],
      members: [
        {
          ...person,
          role: "owner",
          phase: "active",
          email: null,
          givenColor: 0,
          picture: null,
          joinedAt: at,
        },
      ],
      invitations: [],
      documents: [row],
      rest: null,
      changes: {},
      lines: null,
      personal: { readAt: at, favourites: [], recents: [], unread: {} },
      clock: { now: Date.parse(at), zone: "UTC" },
      allowed: ["document.edited", "document.renamed", "document.trashed", "document.created"],
    },
    document: {
      row,
      html: "<p>Words.</p>",
      whole: true,
      state: Promise.resolve({ state: "", since: [] }),
      version: 1,
      owners: [],
      schema: 1,
      writers: [userId],
      stoppedAt: null,
      fullness: 0,
      linked: {},
    },
  };
}
