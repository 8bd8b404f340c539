/**
 * How much of anything there may be: bounds that the database keeps, each refused by `too-large`
 * before it is passed. The same numbers are in `private.limits`. What is counted once counts for
 * good, but for what a document holds at present.
 */
export const limits = {
  /** The body of one event, unpacked. */
  payload_bytes: 8 * 1024 * 1024,
  /** What a document holds: bytes of its state, and structs. */
  document_bytes: 16 * 1024 * 1024,
  document_pieces: 1_500_000,
  /** How far edits go beyond that as long as each of them is small, so that typing on holds up no deletion. */
  reserve_bytes: 1024 * 1024,
  reserve_pieces: 100_000,
  small_bytes: 4096,
  small_pieces: 512,
  /** The bodies of all of its events, unpacked. */
  document_history: 128 * 1024 * 1024,
  document_events: 5_000_000,
  /** Yjs client ids: one for each time that somebody opens it to write. */
  document_clients: 100_000,
  /** Bytes of the bodies of threads and comments. */
  document_talk: 32 * 1024 * 1024,
  document_threads: 10_000,
  document_comments: 50_000,
  document_versions: 5_000,
  document_files: 20_000,
  /** What stands inside a document, and on how many levels. */
  document_children: 10_000,
  document_levels: 64,
  thread_comments: 2_000,
  workspace_events: 1_000_000,
  workspace_documents: 25_000,
  workspace_members: 2_000,
  workspace_invitations: 10_000,
  /** Bytes of the files of all its documents, each counted once. */
  workspace_file_bytes: 5 * 1024 * 1024 * 1024,
  /** Bytes of the files that an account has added, over all workspaces. */
  account_file_bytes: 20 * 1024 * 1024 * 1024,
  account_events: 1_000_000,
  account_workspaces: 500,
  /** Uploads that were begun within a day and have not ended. */
  account_uploads: 64,
} as const;

export type LimitName = keyof typeof limits;
