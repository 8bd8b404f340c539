// The public schema as supabase-js wants to see it, kept by hand beside the migrations (tests/sql/types.test.ts compares).

type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
type ReadOnly<Row> = {
  Row: Row;
  Insert: Record<string, never>;
  Update: Record<string, never>;
  Relationships: [];
};
type HistoryGrade = "versions" | "everything";
type Role = "owner" | "editor" | "commenter" | "viewer";

export type AccountRow = {
  user_id: string;
  name: string;
  color: number | null;
  phase: string;
  version: number;
  created_at: string;
  updated_at: string;
};

export type WorkspaceRow = {
  id: string;
  name: string;
  phase: string;
  version: number;
  created_by: string;
  created_at: string;
  updated_at: string;
  viewer_history: HistoryGrade;
  commenter_history: HistoryGrade;
};

export type MemberRow = {
  workspace_id: string;
  user_id: string;
  role: Role;
  phase: "active" | "removed" | "left";
  name: string;
  color: number;
  email: string | null;
  joined_at: string;
  updated_at: string;
  given_color: number;
};

export type InvitationRow = {
  id: string;
  workspace_id: string;
  kind: "email" | "link";
  email: string | null;
  role: Exclude<Role, "owner">;
  phase: "open" | "accepted" | "declined" | "revoked";
  expires_at: string | null;
  created_by: string;
  created_at: string;
};

export type DocumentRow = {
  id: string;
  workspace_id: string;
  title: string;
  phase: "live" | "trashed";
  version: number;
  created_by: string;
  created_at: string;
  updated_by: string;
  updated_at: string;
  edits: number;
  forked_from: string | null;
  forked_at: number | null;
};

export type VersionRow = {
  id: string;
  document_id: string;
  workspace_id: string;
  at: number;
  name: string;
  pinned: boolean;
  phase: "named" | "pinned";
  created_by: string;
  created_at: string;
  updated_at: string;
};

export type ThreadRow = {
  id: string;
  document_id: string;
  workspace_id: string;
  phase: "open" | "resolved";
  version: number;
  anchor_start: string;
  anchor_end: string;
  quote: string;
  opened_by: string;
  opened_at: string;
  resolved_by: string | null;
  resolved_at: string | null;
  opened_version: number;
};

export type CommentRow = {
  id: string;
  document_id: string;
  thread_id: string;
  workspace_id: string;
  phase: "shown" | "deleted";
  version: number;
  text: string;
  author_id: string;
  added_at: string;
  edited_at: string | null;
};

/** One of the caller's sessions, as `read_sessions` answers. */
export type SegmentRow = { from: number; to: number; moments: number; bytes: string };
export type SessionRow = {
  id: string;
  user_agent: string;
  created_at: string;
  used_at: string;
  current: boolean;
};

/** How full a document is, as `read_load` answers. */
export type LoadRow = {
  bytes: number;
  pieces: number;
  measuredAt: number | null;
  stoppedAt: number | null;
};

/** What `preview_invitation` answers who has the token. */
export type InvitationPreview = {
  workspaceId: string;
  workspaceName: string;
  inviterName: string;
  kind: "email" | "link";
  email: string | null;
  role: Exclude<Role, "owner">;
  phase: "open" | "accepted" | "declined" | "revoked" | "expired";
  expiresAt: string | null;
};

export type Database = {
  public: {
    Tables: {
      accounts: ReadOnly<AccountRow>;
      workspaces: ReadOnly<WorkspaceRow>;
      members: ReadOnly<MemberRow>;
      invitations: ReadOnly<InvitationRow>;
      documents: ReadOnly<DocumentRow>;
      versions: ReadOnly<VersionRow>;
      threads: ReadOnly<ThreadRow>;
      comments: ReadOnly<CommentRow>;
    };
    Views: Record<never, never>;
    Functions: {
      append_events: {
        Args: { stream: string; expected_version: number | null; events: Json };
        Returns: Json;
      };
      read_events: {
        Args: { stream: string; after_version?: number; max_count?: number };
        Returns: Json;
      };
      read_feed: {
        Args: { workspace: string; after_position?: number; max_count?: number };
        Returns: Json;
      };
      read_clients: {
        Args: { stream: string };
        Returns: { clientId: number; actorId: string; version: number; source?: string }[];
      };
      read_snapshot: {
        Args: { stream: string; at_version?: number };
        Returns: { version: number; state: string } | null;
      };
      write_snapshot: {
        Args: {
          stream: string;
          version: number;
          state: string | null;
          seen?: number;
          head?: string;
          upload?: string;
        };
        Returns: undefined;
      };
      open_snapshot: {
        Args: { stream: string; at_version?: number };
        Returns: {
          version: number | null;
          size: number | null;
          state: string | null;
          stoppedAt: number | null;
          bytes: number;
          pieces: number;
        } | null;
      };
      read_snapshot_part: {
        Args: { stream: string; version: number; start: number };
        Returns: string | null;
      };
      write_snapshot_part: {
        Args: { stream: string; version: number; upload: string; part: number; bytes: string };
        Returns: undefined;
      };
      take_upkeep: { Args: { max_count?: number; settled?: string }; Returns: string[] };
      renew_caches: { Args: { stream: string }; Returns: undefined };
      attest_tombstone: { Args: { event: string; tombstone: string }; Returns: undefined };
      read_segments: {
        Args: { stream: string; after_version?: number; max_count?: number; of_format?: number };
        Returns: SegmentRow[];
      };
      write_segment: {
        Args: {
          stream: string;
          from_version: number;
          to_version: number;
          seen: number;
          format: number;
          moments: number;
          head: string;
          bytes: string;
        };
        Returns: undefined;
      };
      read_load: { Args: { stream: string }; Returns: LoadRow | null };
      write_stop: { Args: { stream: string; version: number }; Returns: undefined };
      mark_upkeep: { Args: { streams: string[] }; Returns: undefined };
      write_load: {
        Args: { stream: string; version: number; bytes: number; pieces: number; stopped?: boolean };
        Returns: undefined;
      };
      largest_events: {
        Args: { stream: string; after_version: number; max_count: number };
        Returns: number[];
      };
      read_departure: {
        Args: { workspace: string };
        Returns: { phase: "removed" | "left"; by: string; at: string } | null;
      };
      read_sessions: { Args: Record<never, never>; Returns: SessionRow[] };
      end_session: { Args: { session: string }; Returns: boolean };
      stream_topic: { Args: { stream: string }; Returns: string | null };
      accept_invitation: {
        Args: { invitation: string; token: string };
        Returns: { workspaceId: string; role: Role };
      };
      decline_invitation: { Args: { invitation: string; token: string }; Returns: undefined };
      preview_invitation: {
        Args: { invitation: string; token: string };
        Returns: InvitationPreview | null;
      };
      rebuild_projections: { Args: Record<never, never>; Returns: undefined };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
