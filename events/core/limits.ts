/**
 * Upper bounds that the database enforces with the refusal `too-large`. `private.limits` has the
 * same numbers. Counters never decrease, except those of a document's current content.
 */
export const limits = {
  /** The body of one event, unpacked. */
  payload_bytes: 8 * 1024 * 1024,
  /** A document's current content: bytes of its Yjs state, and structs. */
  document_bytes: 16 * 1024 * 1024,
  document_pieces: 1_500_000,
  /** By how much small edits may exceed these bounds, so that typing does not block a deletion. */
  reserve_bytes: 1024 * 1024,
  reserve_pieces: 100_000,
  small_bytes: 4096,
  small_pieces: 512,
  /** The bodies of all of a document's events, unpacked. */
  document_history: 128 * 1024 * 1024,
  document_events: 5_000_000,
  /** Yjs client ids: one for each opening of the document for writing. */
  document_clients: 100_000,
  /** Bytes of the bodies of threads and comments. */
  document_talk: 32 * 1024 * 1024,
  document_threads: 10_000,
  document_comments: 50_000,
  document_versions: 5_000,
  document_files: 20_000,
  /** Child documents, and levels of nesting. */
  document_children: 10_000,
  document_levels: 64,
  thread_comments: 2_000,
  workspace_events: 1_000_000,
  workspace_documents: 25_000,
  workspace_members: 2_000,
  workspace_invitations: 10_000,
  /** Bytes of the files of all the workspace's documents. Each file counts once. */
  workspace_file_bytes: 5 * 1024 * 1024 * 1024,
  /** Bytes of the files that an account has added, over all workspaces. */
  account_file_bytes: 20 * 1024 * 1024 * 1024,
  account_events: 1_000_000,
  account_workspaces: 500,
  /** Uploads that began within a day and have not ended. */
  account_uploads: 64,
} as const;

export type LimitName = keyof typeof limits;
