// The public schema as supabase-js wants to see it. Written by `npm run schema` with Supabase's own command line
// tool and compared by a test; never edited by hand.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      accounts: {
        Row: {
          color: number | null;
          created_at: string;
          name: string;
          phase: string;
          picture: string | null;
          updated_at: string;
          user_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          color?: number | null;
          created_at: string;
          name: string;
          phase: string;
          picture?: string | null;
          updated_at: string;
          user_id: string;
          version: number;
        };
        Update: {
          color?: number | null;
          created_at?: string;
          name?: string;
          phase?: string;
          picture?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [];
      };
      change_lines: {
        Row: {
          actor_id: string;
          added: number;
          began_at: string;
          changes: number;
          ended_at: string;
          from_version: number;
          parts: NonNullable<Json>;
          removed: number;
          stream_id: string;
          to_version: number;
          version: number;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          actor_id: string;
          added: number;
          began_at: string;
          changes: number;
          ended_at: string;
          from_version: number;
          parts: NonNullable<Json>;
          removed: number;
          stream_id: string;
          to_version: number;
          version: number;
          workspace_id: string;
        };
        Update: {
          actor_id?: string;
          added?: number;
          began_at?: string;
          changes?: number;
          ended_at?: string;
          from_version?: number;
          parts?: NonNullable<Json>;
          removed?: number;
          stream_id?: string;
          to_version?: number;
          version?: number;
          workspace_id?: string;
        };
        Relationships: [];
      };
      comments: {
        Row: {
          added_at: string;
          author_id: string;
          document_id: string;
          edited_at: string | null;
          id: string;
          phase: string;
          text: string;
          thread_id: string;
          version: number;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          added_at: string;
          author_id: string;
          document_id: string;
          edited_at?: string | null;
          id: string;
          phase: string;
          text: string;
          thread_id: string;
          version: number;
          workspace_id: string;
        };
        Update: {
          added_at?: string;
          author_id?: string;
          document_id?: string;
          edited_at?: string | null;
          id?: string;
          phase?: string;
          text?: string;
          thread_id?: string;
          version?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "comments_document_id_thread_id_fkey";
            columns: ["document_id", "thread_id"];
            isOneToOne: false;
            referencedRelation: "threads";
            referencedColumns: ["document_id", "id"];
          },
        ];
      };
      documents: {
        Row: {
          created_at: string;
          created_by: string;
          edits: number;
          forked_at: number | null;
          forked_from: string | null;
          icon: string | null;
          id: string;
          parent_id: string | null;
          phase: string;
          rank: string;
          template: boolean;
          title: string;
          updated_at: string;
          updated_by: string;
          version: number;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at: string;
          created_by: string;
          edits: number;
          forked_at?: number | null;
          forked_from?: string | null;
          icon?: string | null;
          id: string;
          parent_id?: string | null;
          phase: string;
          rank?: string;
          template?: boolean;
          title: string;
          updated_at: string;
          updated_by: string;
          version: number;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          created_by?: string;
          edits?: number;
          forked_at?: number | null;
          forked_from?: string | null;
          icon?: string | null;
          id?: string;
          parent_id?: string | null;
          phase?: string;
          rank?: string;
          template?: boolean;
          title?: string;
          updated_at?: string;
          updated_by?: string;
          version?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "documents_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      event_payloads: {
        Row: {
          body: string;
          event_id: string;
          redacted_by: number | null;
          salt: string | null;
          update: string | null;
        };
        ComputedFields: never;
        Insert: {
          body: string;
          event_id: string;
          redacted_by?: number | null;
          salt?: string | null;
          update?: string | null;
        };
        Update: {
          body?: string;
          event_id?: string;
          redacted_by?: number | null;
          salt?: string | null;
          update?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "event_payloads_event_id_fkey";
            columns: ["event_id"];
            isOneToOne: true;
            referencedRelation: "events";
            referencedColumns: ["id"];
          },
        ];
      };
      events: {
        Row: {
          actor_id: string;
          client_ids: number[] | null;
          client_time: string;
          from_phase: string;
          hash: string;
          id: string;
          payload_hash: string;
          position: number | null;
          recorded_at: string;
          schema: number;
          stream_id: string;
          stream_kind: string;
          subject_id: string;
          subject_kind: string;
          to_phase: string;
          type: string;
          version: number;
          workspace_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          actor_id: string;
          client_ids?: number[] | null;
          client_time: string;
          from_phase: string;
          hash: string;
          id: string;
          payload_hash: string;
          position?: number | null;
          recorded_at: string;
          schema: number;
          stream_id: string;
          stream_kind: string;
          subject_id: string;
          subject_kind: string;
          to_phase: string;
          type: string;
          version: number;
          workspace_id?: string | null;
        };
        Update: {
          actor_id?: string;
          client_ids?: number[] | null;
          client_time?: string;
          from_phase?: string;
          hash?: string;
          id?: string;
          payload_hash?: string;
          position?: number | null;
          recorded_at?: string;
          schema?: number;
          stream_id?: string;
          stream_kind?: string;
          subject_id?: string;
          subject_kind?: string;
          to_phase?: string;
          type?: string;
          version?: number;
          workspace_id?: string | null;
        };
        Relationships: [];
      };
      invitations: {
        Row: {
          created_at: string;
          created_by: string;
          email: string | null;
          expires_at: string | null;
          id: string;
          kind: string;
          phase: string;
          role: string;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at: string;
          created_by: string;
          email?: string | null;
          expires_at?: string | null;
          id: string;
          kind: string;
          phase: string;
          role: string;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          created_by?: string;
          email?: string | null;
          expires_at?: string | null;
          id?: string;
          kind?: string;
          phase?: string;
          role?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "invitations_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      members: {
        Row: {
          color: number;
          email: string | null;
          given_color: number;
          joined_at: string;
          name: string;
          phase: string;
          picture: string | null;
          role: string;
          updated_at: string;
          user_id: string;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          color: number;
          email?: string | null;
          given_color: number;
          joined_at: string;
          name: string;
          phase: string;
          picture?: string | null;
          role: string;
          updated_at: string;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          color?: number;
          email?: string | null;
          given_color?: number;
          joined_at?: string;
          name?: string;
          phase?: string;
          picture?: string | null;
          role?: string;
          updated_at?: string;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "members_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      personal_documents: {
        Row: {
          document_id: string;
          opened_at: string;
          seen_at: string;
          seen_version: number;
          user_id: string;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          document_id: string;
          opened_at: string;
          seen_at: string;
          seen_version: number;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          document_id?: string;
          opened_at?: string;
          seen_at?: string;
          seen_version?: number;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [];
      };
      personal_workspaces: {
        Row: {
          favourites: string[];
          read_at: string | null;
          user_id: string;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          favourites?: string[];
          read_at?: string | null;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          favourites?: string[];
          read_at?: string | null;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [];
      };
      segments: {
        Row: {
          bytes: string;
          format: number;
          from_version: number;
          head: string;
          moments: number;
          stream_id: string;
          to_version: number;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          bytes: string;
          format: number;
          from_version: number;
          head: string;
          moments: number;
          stream_id: string;
          to_version: number;
          version: number;
        };
        Update: {
          bytes?: string;
          format?: number;
          from_version?: number;
          head?: string;
          moments?: number;
          stream_id?: string;
          to_version?: number;
          version?: number;
        };
        Relationships: [];
      };
      snapshots: {
        Row: {
          digest: string | null;
          head: string | null;
          seen: number | null;
          state: string;
          stream_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          digest?: string | null;
          head?: string | null;
          seen?: number | null;
          state: string;
          stream_id: string;
          version: number;
        };
        Update: {
          digest?: string | null;
          head?: string | null;
          seen?: number | null;
          state?: string;
          stream_id?: string;
          version?: number;
        };
        Relationships: [];
      };
      threads: {
        Row: {
          anchor_end: string;
          anchor_start: string;
          document_id: string;
          id: string;
          opened_at: string;
          opened_by: string;
          opened_version: number;
          phase: string;
          quote: string;
          resolved_at: string | null;
          resolved_by: string | null;
          version: number;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          anchor_end: string;
          anchor_start: string;
          document_id: string;
          id: string;
          opened_at: string;
          opened_by: string;
          opened_version: number;
          phase: string;
          quote: string;
          resolved_at?: string | null;
          resolved_by?: string | null;
          version: number;
          workspace_id: string;
        };
        Update: {
          anchor_end?: string;
          anchor_start?: string;
          document_id?: string;
          id?: string;
          opened_at?: string;
          opened_by?: string;
          opened_version?: number;
          phase?: string;
          quote?: string;
          resolved_at?: string | null;
          resolved_by?: string | null;
          version?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "threads_document_id_fkey";
            columns: ["document_id"];
            isOneToOne: false;
            referencedRelation: "documents";
            referencedColumns: ["id"];
          },
        ];
      };
      versions: {
        Row: {
          at: number;
          created_at: string;
          created_by: string;
          document_id: string;
          id: string;
          name: string;
          phase: string;
          pinned: boolean;
          updated_at: string;
          workspace_id: string;
        };
        ComputedFields: never;
        Insert: {
          at: number;
          created_at: string;
          created_by: string;
          document_id: string;
          id: string;
          name: string;
          phase: string;
          pinned: boolean;
          updated_at: string;
          workspace_id: string;
        };
        Update: {
          at?: number;
          created_at?: string;
          created_by?: string;
          document_id?: string;
          id?: string;
          name?: string;
          phase?: string;
          pinned?: boolean;
          updated_at?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "versions_document_id_fkey";
            columns: ["document_id"];
            isOneToOne: false;
            referencedRelation: "documents";
            referencedColumns: ["id"];
          },
        ];
      };
      workspaces: {
        Row: {
          commenter_history: string;
          created_at: string;
          created_by: string;
          id: string;
          name: string;
          phase: string;
          updated_at: string;
          version: number;
          viewer_history: string;
        };
        ComputedFields: never;
        Insert: {
          commenter_history?: string;
          created_at: string;
          created_by: string;
          id: string;
          name: string;
          phase: string;
          updated_at: string;
          version: number;
          viewer_history?: string;
        };
        Update: {
          commenter_history?: string;
          created_at?: string;
          created_by?: string;
          id?: string;
          name?: string;
          phase?: string;
          updated_at?: string;
          version?: number;
          viewer_history?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      accept_invitation: { Args: { invitation: string; token: string }; Returns: Json };
      announced_upload: { Args: { file: string; person: string }; Returns: Json };
      append_events: {
        Args: { actor?: string; events: Json; expected_version: number; stream: string };
        Returns: Json;
      };
      attest_tombstone: { Args: { event: string; tombstone: string }; Returns: undefined };
      begin_sending: {
        Args: { bytes: number; file: string; person: string; sha256: string };
        Returns: string;
      };
      begin_upload: { Args: { file: string; person: string }; Returns: boolean };
      claim_invitation_mail: { Args: { invitation: string; token: string }; Returns: Json };
      decline_invitation: { Args: { invitation: string; token: string }; Returns: undefined };
      delete_account: { Args: { address: string }; Returns: Json };
      derive_by: { Args: { kind: string; rule: number }; Returns: boolean };
      end_session: { Args: { session: string }; Returns: boolean };
      end_upload: { Args: { file: string; person: string }; Returns: undefined };
      file_room: { Args: { workspace: string }; Returns: Json };
      find_file: { Args: { file: string }; Returns: Json };
      forget_account: { Args: { person: string }; Returns: undefined };
      forget_disposed: {
        Args: { sha256: string; taken_at: string; workspace: string };
        Returns: undefined;
      };
      largest_events: {
        Args: { after_version: number; max_count: number; stream: string };
        Returns: Json;
      };
      links_to: { Args: { at_time?: string; document: string }; Returns: Json };
      mark_all_read: { Args: { until: string; workspace: string }; Returns: boolean };
      mark_seen: {
        Args: { document: string; opened?: boolean; version: number };
        Returns: boolean;
      };
      mark_unused_file: { Args: { sha256: string; workspace: string }; Returns: undefined };
      mark_upkeep: { Args: { streams: string[] }; Returns: undefined };
      may_dispose: {
        Args: { sha256: string; taken_at: string; workspace: string };
        Returns: boolean;
      };
      missing_migrations: { Args: { versions: string[] }; Returns: string[] };
      open_snapshot: { Args: { at_version?: number; stream: string }; Returns: Json };
      own_file_room: { Args: Record<PropertyKey, never>; Returns: Json };
      preview_invitation: { Args: { invitation: string; token: string }; Returns: Json };
      read_account_end: { Args: Record<PropertyKey, never>; Returns: Json };
      read_clients: { Args: { stream: string }; Returns: Json };
      read_deleted_accounts: { Args: { max_count?: number }; Returns: Json };
      read_departure: { Args: { workspace: string }; Returns: Json };
      read_disposable: { Args: { max_count?: number }; Returns: Json };
      read_events: {
        Args: { after_version?: number; max_count?: number; stream: string };
        Returns: Json;
      };
      read_feed: {
        Args: { after_position?: number; max_count?: number; workspace: string };
        Returns: Json;
      };
      read_index: { Args: { stream: string }; Returns: Json };
      read_load: { Args: { stream: string }; Returns: Json };
      read_own_documents: { Args: { after?: string; max_count?: number }; Returns: Json };
      read_personal: { Args: { workspace: string }; Returns: Json };
      read_segments: {
        Args: { after_version?: number; max_count?: number; of_format?: number; stream: string };
        Returns: Json;
      };
      read_sessions: { Args: Record<PropertyKey, never>; Returns: Json };
      read_snapshot: { Args: { at_version?: number; stream: string }; Returns: Json };
      read_snapshot_part: {
        Args: { start: number; stream: string; version: number };
        Returns: string;
      };
      read_unindexed: { Args: { max_count?: number }; Returns: Json };
      read_unlinked: { Args: { max_count?: number }; Returns: Json };
      read_unused_pictures: { Args: { max_count?: number }; Returns: Json };
      read_workspace_window: {
        Args: { here: string; rows_of_each: number; workspace: string };
        Returns: Json;
      };
      read_workspaces: {
        Args: { after_id: string; after_name: string; most: number };
        Returns: Json;
      };
      rebuild_index: { Args: { workspace?: string }; Returns: undefined };
      rebuild_projections: { Args: Record<PropertyKey, never>; Returns: undefined };
      renew_caches: { Args: { stream: string }; Returns: undefined };
      rest_links: { Args: { stream: string }; Returns: undefined };
      return_stale_lines: { Args: { documents: string[]; failed?: string[] }; Returns: undefined };
      search: {
        Args: {
          at_time?: string;
          author?: string;
          max_count?: number;
          scope?: string;
          since?: string;
          until?: string;
          with_trash?: boolean;
          words: string;
          workspace: string;
        };
        Returns: Json;
      };
      set_favourite: {
        Args: { document: string; favourite: boolean; place?: number };
        Returns: boolean;
      };
      settle_index: { Args: { up_to: number; workspace: string }; Returns: undefined };
      settle_upkeep: { Args: { stream: string; taken_at: string }; Returns: undefined };
      stream_topic: { Args: { stream: string }; Returns: string };
      take_address: { Args: { address: string; object_name: string }; Returns: number };
      take_stale_lines: { Args: { max_count?: number; settled?: string }; Returns: Json };
      take_upkeep: { Args: { max_count?: number; settled?: string }; Returns: Json };
      take_work: {
        Args: { always?: boolean; kinds: string[]; process: string };
        Returns: string[];
      };
      write_index: {
        Args: { entries: Json; gone: Json; seen: number; stream: string; whole: boolean };
        Returns: undefined;
      };
      write_lines: {
        Args: { after_version: number; head: string; lines: Json; seen: number; stream: string };
        Returns: undefined;
      };
      write_links: {
        Args: { links: Json; seen: number; stream: string; whole?: boolean };
        Returns: undefined;
      };
      write_load: {
        Args: { bytes: number; pieces: number; stopped?: boolean; stream: string; version: number };
        Returns: undefined;
      };
      write_segment: {
        Args: {
          bytes: string;
          format: number;
          from_version: number;
          head: string;
          moments: number;
          seen: number;
          stream: string;
          to_version: number;
        };
        Returns: undefined;
      };
      write_snapshot: {
        Args: {
          head?: string;
          seen?: number;
          state: string;
          stream: string;
          upload?: string;
          version: number;
        };
        Returns: undefined;
      };
      write_snapshot_part: {
        Args: { bytes: string; part: number; stream: string; upload: string; version: number };
        Returns: undefined;
      };
      write_stop: { Args: { stream: string; version: number }; Returns: undefined };
    };
    Enums: {
      [_ in never]: never;
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    keyof DefaultSchema["Enums"] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    keyof DefaultSchema["CompositeTypes"] | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {},
  },
} as const;
