import type { Shows } from "../support/expectation";

/** What the payloads of a document's events hold. */
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

/** What each table of the API shows, and to whom; nobody writes into one. */
export const tables: Readonly<Record<string, Shows>> = {
  accounts: { members: ["owner name"] },
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
  segments: { open: ["deleted text"] },
  snapshots: { open: ["deleted text"] },
  threads: { members: ["thread"] },
  versions: { members: ["version name"] },
  workspaces: { members: ["workspace name"] },
};

/** What a role of the API gets from the tables of the other schemas, which REST does not offer, by SQL. */
export const schemas: Readonly<Record<string, "denied" | "empty">> = {
  auth: "denied",
  private: "denied",
  realtime: "empty",
  storage: "empty",
  supabase_migrations: "denied",
};

/** The policies of each table, by what they allow. Whatever has none is closed. */
export const policies: Readonly<Record<string, readonly string[]>> = {
  "private.snapshot_parts": ["RESTRICTIVE SELECT"],
  "public.accounts": ["SELECT"],
  "public.comments": ["SELECT"],
  "public.documents": ["SELECT"],
  "public.event_payloads": ["SELECT"],
  "public.events": ["SELECT"],
  "public.invitations": ["SELECT"],
  "public.members": ["SELECT"],
  "public.segments": ["RESTRICTIVE SELECT", "SELECT"],
  "public.snapshots": ["RESTRICTIVE SELECT", "SELECT"],
  "public.threads": ["SELECT"],
  "public.versions": ["SELECT"],
  "public.workspaces": ["SELECT"],
  "realtime.messages": ["INSERT", "SELECT"],
};
