import type { Audience, Shows } from "../support/expectation";

/** The content of a document's event payloads. */
export const wordsOfHistory = [
  "title",
  "former title",
  "text",
  "deleted text",
  "named text",
  "version name",
  "comment",
  "deleted comment",
  "thread",
  "event",
] as const;

/** The tables that only some members may read. */
export const readers: Readonly<Record<string, Audience>> = {
  change_lines: "open",
  personal_documents: "owner",
  personal_workspaces: "owner",
  segments: "open",
  snapshots: "open",
};

/** The data in each table of the API, and its audience. No caller can write to any table. */
export const tables: Readonly<Record<string, Shows>> = {
  accounts: { members: ["owner name"] },
  change_lines: { open: ["title", "version name"] },
  comments: { members: ["comment", "thread"] },
  documents: { members: ["title"] },
  event_payloads: {
    owner: ["owner name", "account"],
    members: ["workspace name", "invitation"],
    open: wordsOfHistory,
  },
  events: { open: ["thread", "event", "client id"] },
  invitations: { members: ["invitation"] },
  members: { members: ["owner name", "owner address"] },
  // Private state: ids and versions. Callers see only their own rows.
  personal_documents: {},
  personal_workspaces: {},
  segments: { open: ["deleted text"] },
  snapshots: { open: ["deleted text"] },
  threads: { members: ["thread"] },
  versions: { members: ["version name"] },
  workspaces: { members: ["workspace name"] },
};

/** The SQL result of an API role on tables in other schemas, which REST does not expose. */
export const schemas: Readonly<Record<string, "denied" | "empty">> = {
  auth: "denied",
  private: "denied",
  realtime: "empty",
  storage: "empty",
  supabase_migrations: "denied",
};

/** The policies of each table, by what they allow. A table without policies is closed. */
export const policies: Readonly<Record<string, readonly string[]>> = {
  "public.accounts": ["SELECT"],
  "public.change_lines": ["RESTRICTIVE SELECT", "SELECT"],
  "public.comments": ["SELECT"],
  "public.documents": ["SELECT"],
  "public.event_payloads": ["SELECT"],
  "public.events": ["SELECT"],
  "public.invitations": ["SELECT"],
  "public.members": ["SELECT"],
  "public.personal_documents": ["SELECT"],
  "public.personal_workspaces": ["SELECT"],
  "public.segments": ["RESTRICTIVE SELECT", "SELECT"],
  "public.snapshots": ["RESTRICTIVE SELECT", "SELECT"],
  "public.threads": ["SELECT"],
  "public.versions": ["SELECT"],
  "public.workspaces": ["SELECT"],
  "realtime.messages": ["INSERT", "SELECT"],
};
