-- The schema in force: what the migrations make of an empty Supabase project, and the rows they put into it.
-- Written by `npm run schema` and compared with a fresh database by a test; never edited by hand, never applied.
-- Grants are complete: what is not granted here, only the owner may do. Policies, triggers and functions belong to the
-- table or schema they stand under. Comments above functions, tables and types are those of the migrations.

create schema private;

-- A found entry: its key, its class and kind, and the time by which results are ordered.
create type private.found_entry as (
  stream_id uuid,
  place text,
  nth integer,
  class text,
  kind text,
  stamp timestamp with time zone
);

-- A parsed proposal. `replaces` is the title, name or icon that the event replaces; see private.check_replaced.
create type private.proposal as (
  id uuid,
  type text,
  body text,
  subject_kind text,
  subject_id uuid,
  update bytea,
  client_ids bigint[],
  schema integer,
  client_time timestamp with time zone,
  replaces text
);

create table public.accounts (
  version bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  color integer,
  user_id uuid not null,
  name text not null,
  phase text not null,
  picture uuid,
  constraint accounts_pkey PRIMARY KEY (user_id)
);
-- statistics 0: every column
alter table public.accounts enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.accounts FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.accounts enable always trigger a_refuse_others;
grant select on table public.accounts to authenticated, service_role;

-- Change lines: what a person did in a document in one session, as data.
create table public.change_lines (
  from_version bigint not null,
  to_version bigint not null,
  version bigint not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  added integer not null,
  removed integer not null,
  changes integer not null,
  stream_id uuid not null,
  workspace_id uuid not null,
  actor_id uuid not null,
  parts jsonb not null,
  constraint change_lines_pkey PRIMARY KEY (stream_id, from_version),
  constraint change_lines_check CHECK (((to_version >= from_version) AND (version >= to_version))),
  constraint change_lines_from_version_check CHECK ((from_version >= 1)),
  constraint change_lines_parts_check CHECK ((octet_length((parts)::text) <= 4096))
);
-- statistics 0: every column
CREATE INDEX change_lines_by_workspace ON public.change_lines USING btree (workspace_id, ended_at DESC);
alter table public.change_lines enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.change_lines FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_others();
alter table public.change_lines enable always trigger a_refuse_others;
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON public.change_lines FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table public.change_lines enable always trigger b_guard_cache;
grant select on table public.change_lines to authenticated, service_role;

create table public.comments (
  version bigint not null,
  added_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  id uuid not null,
  document_id uuid not null,
  thread_id uuid not null,
  workspace_id uuid not null,
  author_id uuid not null,
  phase text not null,
  text text not null,
  constraint comments_pkey PRIMARY KEY (document_id, id),
  constraint comments_document_id_thread_id_fkey FOREIGN KEY (document_id, thread_id) REFERENCES public.threads(document_id, id) ON DELETE CASCADE
);
-- statistics 0: every column
CREATE INDEX comments_by_thread ON public.comments USING btree (document_id, thread_id);
alter table public.comments enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.comments FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.comments enable always trigger a_refuse_others;
grant select on table public.comments to authenticated, service_role;

create table public.documents (
  version bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  edits bigint not null,
  forked_at bigint,
  id uuid not null,
  workspace_id uuid not null,
  created_by uuid not null,
  updated_by uuid not null,
  forked_from uuid,
  title text not null,
  phase text not null,
  icon text,
  parent_id uuid,
  rank text not null default '80000000'::text,
  template boolean not null default false,
  constraint documents_pkey PRIMARY KEY (id),
  constraint documents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id),
  constraint documents_check CHECK (((forked_from IS NULL) = (forked_at IS NULL)))
);
-- statistics 0: every column
CREATE INDEX documents_by_origin ON public.documents USING btree (forked_from) WHERE (forked_from IS NOT NULL);
CREATE INDEX documents_by_place ON public.documents USING btree (COALESCE(parent_id, workspace_id), rank);
CREATE INDEX documents_by_workspace ON public.documents USING btree (workspace_id);
alter table public.documents enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.documents FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.documents enable always trigger a_refuse_others;
CREATE TRIGGER d_keep_branches AFTER INSERT OR DELETE ON public.documents FOR EACH ROW EXECUTE FUNCTION private.keep_branches();
alter table public.documents enable always trigger d_keep_branches;
CREATE TRIGGER d_keep_moved_branches AFTER UPDATE OF parent_id, phase ON public.documents FOR EACH ROW WHEN (((old.parent_id IS DISTINCT FROM new.parent_id) OR ((old.phase = 'purged'::text) <> (new.phase = 'purged'::text)))) EXECUTE FUNCTION private.keep_branches();
alter table public.documents enable always trigger d_keep_moved_branches;
grant select on table public.documents to authenticated, service_role;

-- The part of an event that can be redacted. The body is the client's JSON text byte for byte, because jsonb rewrites
-- numbers and key order. A redacted payload has no salt, and `redacted_by` is the version of the redaction.
create table public.event_payloads (
  redacted_by bigint,
  event_id uuid not null,
  salt bytea,
  body text not null,
  update bytea,
  constraint event_payloads_pkey PRIMARY KEY (event_id),
  constraint event_payloads_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.events(id),
  constraint event_payloads_check CHECK (((salt IS NULL) = (redacted_by IS NOT NULL))),
  constraint event_payloads_salt_check CHECK ((octet_length(salt) = 16)),
  constraint event_payloads_update_check CHECK ((octet_length(update) <= 524288))
);
-- statistics 0: every column
-- storage external: update
alter table public.event_payloads enable row level security;
CREATE TRIGGER a_refuse_change BEFORE DELETE OR TRUNCATE ON public.event_payloads FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_change();
alter table public.event_payloads enable always trigger a_refuse_change;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR UPDATE ON public.event_payloads FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.event_payloads enable always trigger a_refuse_others;
CREATE TRIGGER b_guard AFTER INSERT ON public.event_payloads REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.guard_payloads();
alter table public.event_payloads enable always trigger b_guard;
CREATE TRIGGER b_guard_redaction BEFORE UPDATE ON public.event_payloads FOR EACH ROW EXECUTE FUNCTION private.guard_redaction();
alter table public.event_payloads enable always trigger b_guard_redaction;
CREATE TRIGGER c_count AFTER INSERT ON public.event_payloads REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_payloads();
alter table public.event_payloads enable always trigger c_count;
CREATE TRIGGER c_mark_upkeep AFTER INSERT ON public.event_payloads FOR EACH ROW WHEN ((octet_length(new.update) >= 8192)) EXECUTE FUNCTION private.mark_heavy_payload();
alter table public.event_payloads enable always trigger c_mark_upkeep;
grant select on table public.event_payloads to authenticated, service_role;

create table public.events (
  version bigint not null,
  "position" bigint,
  client_time timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  schema integer not null,
  id uuid not null,
  stream_id uuid not null,
  workspace_id uuid,
  subject_id uuid not null,
  actor_id uuid not null,
  stream_kind text not null,
  type text not null,
  subject_kind text not null,
  from_phase text not null,
  to_phase text not null,
  payload_hash bytea not null,
  hash bytea not null,
  client_ids bigint[],
  constraint events_pkey PRIMARY KEY (id),
  constraint events_stream_id_version_key UNIQUE (stream_id, version),
  constraint events_workspace_id_position_key UNIQUE (workspace_id, "position"),
  constraint events_obey_the_law FOREIGN KEY (subject_kind, from_phase, type, to_phase) REFERENCES private.transitions(subject_kind, from_phase, event_type, to_phase),
  constraint events_check CHECK ((("position" IS NULL) = (workspace_id IS NULL))),
  constraint events_check2 CHECK (((workspace_id IS NULL) = (stream_kind = 'account'::text))),
  constraint events_client_ids_check CHECK ((cardinality(client_ids) > 0)),
  constraint events_check1 CHECK ((client_time <= recorded_at)),
  constraint events_hash_check CHECK ((octet_length(hash) = 32)),
  constraint events_payload_hash_check CHECK ((octet_length(payload_hash) = 32)),
  constraint events_schema_check CHECK ((schema > 0)),
  constraint events_stream_kind_check CHECK ((stream_kind = ANY (ARRAY['account'::text, 'workspace'::text, 'document'::text]))),
  constraint events_version_check CHECK ((version > 0))
);
-- statistics 0: every column
CREATE INDEX events_but_edits ON public.events USING btree (workspace_id, "position") WHERE (type <> 'document.edited'::text);
CREATE INDEX events_by_actor ON public.events USING btree (stream_id, actor_id, version) WHERE (stream_kind = 'document'::text);
CREATE INDEX events_by_subject ON public.events USING btree (stream_id, subject_id, version) WHERE (type = ANY (ARRAY['document.renamed'::text, 'version.renamed'::text, 'comment.edited'::text, 'comment.deleted'::text]));
alter table public.events enable row level security;
CREATE TRIGGER a_guard_text_schema BEFORE INSERT ON public.events FOR EACH ROW WHEN ((new.schema > 1)) EXECUTE FUNCTION private.guard_text_schema();
alter table public.events enable always trigger a_guard_text_schema;
CREATE TRIGGER a_refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON public.events FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_change();
alter table public.events enable always trigger a_refuse_change;
CREATE TRIGGER a_refuse_others BEFORE INSERT ON public.events FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.events enable always trigger a_refuse_others;
CREATE TRIGGER b_guard AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.guard_events();
alter table public.events enable always trigger b_guard;
CREATE TRIGGER c_count AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_events();
alter table public.events enable always trigger c_count;
grant select on table public.events to authenticated, service_role;

create table public.invitations (
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  id uuid not null,
  workspace_id uuid not null,
  created_by uuid not null,
  kind text not null,
  email text,
  role text not null,
  phase text not null,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id),
  constraint invitations_check CHECK (((email IS NULL) = (kind = 'link'::text))),
  constraint invitations_kind_check CHECK ((kind = ANY (ARRAY['email'::text, 'link'::text]))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['editor'::text, 'commenter'::text, 'viewer'::text])))
);
-- statistics 0: every column
CREATE INDEX invitations_by_workspace ON public.invitations USING btree (workspace_id);
alter table public.invitations enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.invitations FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.invitations enable always trigger a_refuse_others;
grant select on table public.invitations to authenticated, service_role;

create table public.members (
  joined_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  color integer not null,
  given_color integer not null,
  workspace_id uuid not null,
  user_id uuid not null,
  role text not null,
  phase text not null,
  name text not null,
  email text,
  picture uuid,
  constraint members_pkey PRIMARY KEY (workspace_id, user_id),
  constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'commenter'::text, 'viewer'::text])))
);
-- statistics 0: every column
CREATE INDEX members_by_user ON public.members USING btree (user_id);
CREATE INDEX members_owning ON public.members USING btree (workspace_id) WHERE ((role = 'owner'::text) AND (phase = 'active'::text));
alter table public.members enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.members FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.members enable always trigger a_refuse_others;
grant select on table public.members to authenticated, service_role;

create table public.personal_documents (
  seen_version bigint not null,
  seen_at timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  user_id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  constraint personal_documents_pkey PRIMARY KEY (user_id, document_id),
  constraint personal_documents_seen_version_check CHECK ((seen_version > 0))
);
-- statistics 0: every column
CREATE INDEX personal_documents_by_opening ON public.personal_documents USING btree (user_id, workspace_id, opened_at DESC);
alter table public.personal_documents enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.personal_documents FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_others();
alter table public.personal_documents enable always trigger a_refuse_others;
grant select on table public.personal_documents to authenticated;

create table public.personal_workspaces (
  read_at timestamp with time zone,
  user_id uuid not null,
  workspace_id uuid not null,
  favourites uuid[] not null default '{}'::uuid[],
  constraint personal_workspaces_pkey PRIMARY KEY (user_id, workspace_id),
  constraint personal_workspaces_favourites_check CHECK ((cardinality(favourites) <= 200))
);
-- statistics 0: every column
alter table public.personal_workspaces enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.personal_workspaces FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_others();
alter table public.personal_workspaces enable always trigger a_refuse_others;
grant select on table public.personal_workspaces to authenticated;

create table public.segments (
  from_version bigint not null,
  to_version bigint not null,
  version bigint not null,
  format integer not null,
  moments integer not null,
  stream_id uuid not null,
  head bytea not null,
  bytes bytea not null,
  constraint segments_pkey PRIMARY KEY (stream_id, from_version),
  constraint segments_check CHECK (((to_version >= from_version) AND (version >= to_version))),
  constraint segments_from_version_check CHECK ((from_version >= 1)),
  constraint segments_moments_check CHECK ((moments >= 1))
);
-- statistics 0: every column
-- storage external: bytes
alter table public.segments enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.segments FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_others();
alter table public.segments enable always trigger a_refuse_others;
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON public.segments FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table public.segments enable always trigger b_guard_cache;
grant select on table public.segments to authenticated, service_role;

create table public.snapshots (
  version bigint not null,
  seen bigint,
  stream_id uuid not null,
  head bytea,
  digest bytea,
  state bytea not null,
  constraint snapshots_pkey PRIMARY KEY (stream_id, version),
  constraint snapshots_check CHECK ((seen >= version))
);
-- statistics 0: every column
-- storage external: state
alter table public.snapshots enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.snapshots FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_others();
alter table public.snapshots enable always trigger a_refuse_others;
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON public.snapshots FOR EACH ROW EXECUTE FUNCTION private.guard_snapshot();
alter table public.snapshots enable always trigger b_guard_cache;
grant select on table public.snapshots to authenticated, service_role;

create table public.threads (
  version bigint not null,
  opened_version bigint not null,
  opened_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  opened_by uuid not null,
  resolved_by uuid,
  phase text not null,
  anchor_start text not null,
  anchor_end text not null,
  quote text not null,
  constraint threads_pkey PRIMARY KEY (document_id, id),
  constraint threads_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE,
  constraint threads_check CHECK (((resolved_at IS NULL) = (resolved_by IS NULL)))
);
-- statistics 0: every column
alter table public.threads enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.threads FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.threads enable always trigger a_refuse_others;
grant select on table public.threads to authenticated, service_role;

-- Clients choose the ids of subjects inside a document, so the primary keys begin with the document. A rebuild of the
-- read models deletes these rows with their document.
create table public.versions (
  at bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  created_by uuid not null,
  pinned boolean not null,
  name text not null,
  phase text not null,
  constraint versions_pkey PRIMARY KEY (document_id, id),
  constraint versions_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE,
  constraint versions_at_check CHECK ((at > 0))
);
-- statistics 0: every column
alter table public.versions enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.versions FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.versions enable always trigger a_refuse_others;
grant select on table public.versions to authenticated, service_role;

create table public.workspaces (
  version bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  id uuid not null,
  created_by uuid not null,
  name text not null,
  phase text not null,
  viewer_history text not null default 'everything'::text,
  commenter_history text not null default 'everything'::text,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_commenter_history_check CHECK ((commenter_history = ANY (ARRAY['versions'::text, 'everything'::text]))),
  constraint workspaces_viewer_history_check CHECK ((viewer_history = ANY (ARRAY['versions'::text, 'everything'::text])))
);
-- statistics 0: every column
alter table public.workspaces enable row level security;
CREATE TRIGGER a_refuse_others BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.workspaces FOR EACH STATEMENT WHEN ((CURRENT_USER <> 'postgres'::name)) EXECUTE FUNCTION private.refuse_others();
alter table public.workspaces enable always trigger a_refuse_others;
grant select on table public.workspaces to authenticated, service_role;

-- The bytes of the files that an account has added, each counted once in a workspace.
create table private.account_file_usage (
  user_id uuid not null,
  bytes bigint not null,
  constraint account_file_usage_pkey PRIMARY KEY (user_id)
);

-- For each unpurged document: the number of levels of its branch, itself included, and the number of its children. A
-- check reads these rows instead of walking the branch, so the work of an append is bounded. Triggers on
-- public.documents maintain the rows, also during a rebuild of the projections.
create table private.branches (
  height integer not null default 1,
  children integer not null default 0,
  document_id uuid not null,
  parent_id uuid,
  constraint branches_pkey PRIMARY KEY (document_id)
);
CREATE INDEX branches_by_height ON private.branches USING btree (parent_id, height) WHERE (parent_id IS NOT NULL);

-- The tables of derived states (caches). Each has a stream_id and a version; a redaction deletes its stream's rows.
create table private.caches (
  relation regclass not null,
  constraint caches_pkey PRIMARY KEY (relation)
);

-- Deleted accounts whose users the authentication service has yet to delete.
create table private.deleted_accounts (
  since timestamp with time zone not null default now(),
  user_id uuid not null,
  constraint deleted_accounts_pkey PRIMARY KEY (user_id)
);

-- The rule (the version of the code) by which each kind of row was derived. Each process declares its own, and the
-- first one with a newer rule has all rows of the kind derived again.
create table private.derived_rules (
  kind text not null,
  rule integer not null,
  constraint derived_rules_pkey PRIMARY KEY (kind),
  constraint derived_rules_kind_check CHECK ((kind = ANY (ARRAY['lines'::text, 'search'::text]))),
  constraint derived_rules_rule_check CHECK ((rule > 0))
);

-- Links between documents, with the text around each: a link exists from `from_version` to before `to_version`.
create table private.document_links (
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  from_time timestamp with time zone not null,
  to_time timestamp with time zone,
  nth integer not null,
  stream_id uuid not null,
  target_id uuid not null,
  block text not null,
  words_before text not null,
  words_after text not null,
  constraint document_links_pkey PRIMARY KEY (stream_id, nth),
  constraint document_links_check CHECK (((to_time IS NULL) = (to_version IS NULL)))
);
CREATE INDEX document_links_by_target ON private.document_links USING btree (target_id);
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON private.document_links FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table private.document_links enable always trigger b_guard_cache;

-- E-mail addresses are personal data and not part of the log: they come from the caller's token.
create table private.emails (
  user_id uuid not null,
  email text not null,
  constraint emails_pkey PRIMARY KEY (user_id)
);

-- The position counter of a workspace. An append locks it after the stream and holds it to commit, so positions commit
-- in order. The epoch is the version of the last event that took a right away; it is part of the channels' names.
create table private.feeds (
  "position" bigint not null default 0,
  epoch bigint not null default 0,
  workspace_id uuid not null,
  constraint feeds_pkey PRIMARY KEY (workspace_id)
);

-- The bytes that a workspace has stored. An object counts once, however many documents show it.
create table private.file_usage (
  bytes bigint not null,
  workspace_id uuid not null,
  constraint file_usage_pkey PRIMARY KEY (workspace_id)
);

-- The files of documents, a projection of the log; redacted and purged files have no row.
create table private.files (
  version bigint not null,
  bytes bigint not null,
  attached_at timestamp with time zone not null,
  width integer,
  height integer,
  id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  actor_id uuid not null,
  sha256 text not null,
  type text not null,
  name text not null,
  constraint files_pkey PRIMARY KEY (document_id, id),
  constraint files_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE
);
CREATE INDEX files_by_actor ON private.files USING btree (actor_id, workspace_id, sha256);
CREATE INDEX files_by_id ON private.files USING btree (id);
CREATE INDEX files_by_object ON private.files USING btree (workspace_id, sha256);
CREATE TRIGGER after_files_came AFTER INSERT ON private.files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.after_files_came();
CREATE TRIGGER after_files_gone AFTER DELETE ON private.files REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.after_files_gone();

-- The phases in which a subject may contain other subjects.
create table private.hosting (
  subject_kind text not null,
  phase text not null,
  retired_at timestamp with time zone,
  constraint hosting_pkey PRIMARY KEY (subject_kind, phase)
);

-- The invitation mails of the last day, with the hash of the address. An invitation mail carries one person's words to
-- an address that did not ask for them, so mails are limited. The database counts them, so the limits hold wherever the
-- sending function runs.
create table private.invitation_mails (
  id bigint not null,
  invitation_id uuid not null,
  sender_id uuid not null,
  address_hash text not null,
  sent_at timestamp with time zone not null default clock_timestamp(),
  constraint invitation_mails_pkey PRIMARY KEY (id)
);
CREATE INDEX invitation_mails_by_address ON private.invitation_mails USING btree (address_hash, sent_at);
CREATE INDEX invitation_mails_by_invitation ON private.invitation_mails USING btree (invitation_id, sent_at);
CREATE INDEX invitation_mails_by_sender ON private.invitation_mails USING btree (sender_id, sent_at);
CREATE INDEX invitation_mails_by_time ON private.invitation_mails USING btree (sent_at);

create table private.invitation_mails_id_seq (
  last_value bigint not null,
  log_cnt bigint not null,
  is_called boolean not null
);

-- The SHA-256 of each invitation's token.
create table private.invitation_tokens (
  version bigint not null,
  invitation_id uuid not null,
  token_hash text not null,
  constraint invitation_tokens_pkey PRIMARY KEY (invitation_id)
);

-- The same numbers as events/core/limits.ts.
create table private.limits (
  name text not null,
  most bigint not null,
  constraint limits_pkey PRIMARY KEY (name)
);

-- The version up to which the links of a document are known, and when they were stored. `whole` is false if links may
-- be missing: a text that cannot be folded to its end keeps the links known before. `failed_at` pauses a document whose
-- links could not be stored.
create table private.link_states (
  version bigint not null,
  kept_at timestamp with time zone not null default now(),
  failed_at timestamp with time zone,
  whole boolean not null default true,
  stream_id uuid not null,
  constraint link_states_pkey PRIMARY KEY (stream_id)
);
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON private.link_states FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table private.link_states enable always trigger b_guard_cache;

-- Checks of a body beyond its schema, by event type. `function` names a function in `private` with the arguments of
-- private.check_meaning, which calls it last. Edits have no hooks: private.rule_edits appends several at once without
-- reading their bodies.
create table private.meaning_hooks (
  event_type text not null,
  function text not null,
  constraint meaning_hooks_pkey PRIMARY KEY (event_type, function),
  constraint meaning_hooks_event_type_check CHECK ((event_type <> 'document.edited'::text))
);

-- Uploads that have begun and not ended. Until they are checked, their bytes are in Storage, outside every quota. A
-- person may have a limited number (`account_uploads`) within a day; a retried upload keeps its row.
create table private.open_uploads (
  begun_at timestamp with time zone not null default now(),
  user_id uuid not null,
  file uuid not null,
  address uuid,
  sent_at timestamp with time zone,
  bytes bigint,
  sha256 text,
  constraint open_uploads_pkey PRIMARY KEY (user_id, file)
);
CREATE INDEX open_uploads_by_age ON private.open_uploads USING btree (begun_at);

-- Objects that no document uses any more, until the service has deleted them. They cannot be attached.
create table private.pending_deletions (
  since timestamp with time zone not null default now(),
  taken_at timestamp with time zone,
  workspace_id uuid not null,
  sha256 text not null,
  constraint pending_deletions_pkey PRIMARY KEY (workspace_id, sha256)
);

-- Further projections by event type. `function` names a function in `private` with the arguments of private.project,
-- which calls it last. A later migration adds a projection here instead of replacing a function above.
create table private.projection_hooks (
  event_type text not null,
  function text not null,
  constraint projection_hooks_pkey PRIMARY KEY (event_type, function)
);

-- The compiled schema of each event type's body, and whether an event of the type carries a Yjs update.
create table private.schemas (
  event_type text not null,
  version integer not null,
  stream_kind text not null,
  subject_kind text not null,
  shape jsonb not null,
  carries_update boolean not null,
  retired_at timestamp with time zone,
  constraint schemas_pkey PRIMARY KEY (event_type, version)
);

-- The entries. A present entry has no `to_version`. The classes:
-- n   present text
-- g,h deleted text; h was present at a named version
-- p,q text that reads differently now, without a deletion; q was present at a named version
create table private.search_entries (
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  stood_version bigint,
  stood_edit integer,
  from_time timestamp with time zone not null,
  written_at timestamp with time zone not null,
  to_time timestamp with time zone,
  stamp timestamp with time zone not null default COALESCE(to_time, written_at),
  nth integer not null,
  stream_id uuid not null,
  workspace_id uuid not null,
  author_id uuid not null,
  ended_by uuid,
  thread_id uuid,
  class text not null,
  kind text not null,
  place text not null,
  digest text not null,
  authors uuid[] not null,
  named_at bigint[] not null,
  text text not null,
  words tsvector not null,
  constraint search_entries_pkey PRIMARY KEY (stream_id, place, nth),
  constraint search_entries_check CHECK (((to_time IS NULL) = (to_version IS NULL))),
  constraint search_entries_class_check CHECK ((class = ANY (ARRAY['n'::text, 'g'::text, 'h'::text, 'p'::text, 'q'::text]))),
  constraint search_entries_kind_check CHECK ((kind = ANY (ARRAY['title'::text, 'text'::text, 'comment'::text])))
);
CREATE INDEX search_entries_by_start ON private.search_entries USING btree (workspace_id, class, from_time, to_time);
CREATE INDEX search_entries_by_time ON private.search_entries USING btree (workspace_id, class, stamp);
CREATE INDEX search_entries_by_words ON private.search_entries USING gin (words) WITH (fastupdate=off);
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON private.search_entries FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table private.search_entries enable always trigger b_guard_cache;

-- The version up to which each document is indexed, and when it was indexed.
create table private.search_states (
  version bigint not null,
  indexed_at timestamp with time zone not null default now(),
  stream_id uuid not null,
  constraint search_states_pkey PRIMARY KEY (stream_id)
);
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON private.search_states FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table private.search_states enable always trigger b_guard_cache;

-- For each indexed workspace, its short number and the position of its feed up to which its documents are indexed.
create table private.search_workspaces (
  "position" bigint not null default 0,
  number integer not null,
  workspace_id uuid not null,
  constraint search_workspaces_pkey PRIMARY KEY (workspace_id)
);

create table private.search_workspaces_number_seq (
  last_value bigint not null,
  log_cnt bigint not null,
  is_called boolean not null
);

-- Parts of a snapshot that is being written. A state of many megabytes is written and read in parts: the JSON of a
-- single message of that size would delay other requests of the same process while it is encoded and decoded.
create table private.snapshot_parts (
  version bigint not null,
  made_at timestamp with time zone not null default now(),
  part integer not null,
  stream_id uuid not null,
  upload uuid not null,
  bytes bytea not null,
  constraint snapshot_parts_pkey PRIMARY KEY (stream_id, version, upload, part),
  constraint snapshot_parts_part_check CHECK (((part >= 0) AND (part <= 255))),
  constraint snapshot_parts_bytes_check CHECK ((octet_length(bytes) <= 1048576))
);
CREATE TRIGGER b_guard_cache BEFORE INSERT OR UPDATE ON private.snapshot_parts FOR EACH ROW EXECUTE FUNCTION private.guard_cache();
alter table private.snapshot_parts enable always trigger b_guard_cache;

-- Documents whose lines are behind their log. A mark is taken for five minutes and removed once the lines are written.
-- After three failed tries it is skipped until the document changes again.
create table private.stale_lines (
  marked_at timestamp with time zone not null default now(),
  taken_at timestamp with time zone,
  tries integer not null default 0,
  stream_id uuid not null,
  constraint stale_lines_pkey PRIMARY KEY (stream_id)
);

-- The author of each Yjs client id of a stream, bound once by the first event that declares the id.
create table private.stream_clients (
  client_id bigint not null,
  version bigint not null,
  stream_id uuid not null,
  actor_id uuid not null,
  source uuid,
  constraint stream_clients_pkey PRIMARY KEY (stream_id, client_id)
);

-- The head of each stream. Locking this row puts the events of a stream into one order.
create table private.streams (
  version bigint not null default 0,
  client_time timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  recorded_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  announced_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  redacted_at bigint not null default 0,
  bytes bigint not null default 0,
  pieces bigint not null default 0,
  history bigint not null default 0,
  measured_at bigint,
  stopped_at bigint,
  stopped_until timestamp with time zone,
  stops integer not null default 0,
  id uuid not null,
  workspace_id uuid,
  kind text not null,
  hash bytea,
  constraint streams_pkey PRIMARY KEY (id)
);
CREATE INDEX streams_stopped_until_idx ON private.streams USING btree (stopped_until) WHERE (stopped_until IS NOT NULL);
CREATE INDEX streams_workspace_id_idx ON private.streams USING btree (workspace_id);
CREATE TRIGGER c_mark_stale_lines AFTER UPDATE OF announced_at ON private.streams FOR EACH ROW WHEN ((new.kind = 'document'::text)) EXECUTE FUNCTION private.mark_stale_lines();
alter table private.streams enable always trigger c_mark_stale_lines;
CREATE TRIGGER c_mark_upkeep AFTER UPDATE OF version ON private.streams FOR EACH ROW WHEN (((new.kind = 'document'::text) AND ((new.version / 32) <> (old.version / 32)))) EXECUTE FUNCTION private.mark_grown_stream();
alter table private.streams enable always trigger c_mark_upkeep;

-- The present phase and the author of every subject.
create table private.subjects (
  version bigint not null,
  stream_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  kind text not null,
  phase text not null,
  constraint subjects_pkey PRIMARY KEY (stream_id, kind, id)
);

-- How many subjects of a kind a stream, or a part of it, has ever had. Documents count in their workspace, workspaces
-- in their creator's account. The counts only grow, so deleting and creating again frees nothing.
create table private.tallies (
  count bigint not null,
  scope uuid not null,
  part uuid not null,
  kind text not null,
  constraint tallies_pkey PRIMARY KEY (scope, part, kind)
);

-- The known versions of the document's schema: 1 has text, 2 adds links to documents, 3 adds pictures and files.
-- A client that does not know the version of an edit opens the document read-only, so an editor must not be able to
-- invent a number. A release that adds a version inserts a row here in a migration.
create table private.text_schemas (
  version integer not null,
  constraint text_schemas_pkey PRIMARY KEY (version)
);

create table private.tombstones (
  event_id uuid not null,
  update bytea not null,
  constraint tombstones_pkey PRIMARY KEY (event_id)
);

-- The law (the transition table): each rule allows an event to move a subject from one phase to another, and names
-- the right that this requires. Compiled from machines/*.ts. Retired rules stay, because stored events refer to them.
create table private.transitions (
  stream_kind text not null,
  subject_kind text not null,
  from_phase text not null,
  event_type text not null,
  to_phase text not null,
  needs text not null,
  retired_at timestamp with time zone,
  constraint transitions_pkey PRIMARY KEY (subject_kind, from_phase, event_type, to_phase),
  constraint transitions_needs_check CHECK ((needs = ANY (ARRAY['owner'::text, 'editor'::text, 'commenter'::text, 'viewer'::text, 'anyone'::text, 'self'::text, 'author'::text, 'invited'::text])))
);
CREATE UNIQUE INDEX transitions_living ON private.transitions USING btree (subject_kind, from_phase, event_type) WHERE (retired_at IS NULL);

-- Documents that wait for maintenance: a snapshot, a segment or a measurement may be due. Appends mark documents here,
-- not at every event. A mark is removed once the document is maintained. If the process that took a mark ends, another
-- may take it after fifteen minutes.
create table private.upkeep (
  stream_id uuid not null,
  marked_at timestamp with time zone not null default now(),
  taken_at timestamp with time zone,
  constraint upkeep_pkey PRIMARY KEY (stream_id)
);

-- The process that holds the turn for each kind of work, when several processes serve one project.
create table private.work_turns (
  work text not null,
  process uuid not null,
  ends_at timestamp with time zone not null,
  constraint work_turns_pkey PRIMARY KEY (work)
);

create policy "people read their own account and those of their workspaces' pe" on public.accounts as permissive for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) OR (user_id IN ( SELECT private.my_people() AS my_people)));

create policy "and who sees the history of its document" on public.change_lines as restrictive for select to authenticated
  using ((stream_id IN ( SELECT d.id
   FROM public.documents d
  WHERE (d.workspace_id IN ( SELECT private.my_open_workspaces() AS my_open_workspaces)))));

create policy "who sees how texts were written reads what changed in them" on public.change_lines as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_open_workspaces() AS my_open_workspaces)));

create policy "members read their workspaces' comments" on public.comments as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "members read their workspaces' documents" on public.documents as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "who reads an event reads its payload" on public.event_payloads as permissive for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.events e
  WHERE e.id = event_payloads.event_id)));

create policy "people read their events, members those that they may see" on public.events as permissive for select to authenticated
  using (stream_kind = 'workspace'::text AND (workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)) OR stream_kind = 'document'::text AND (workspace_id IN ( SELECT private.my_open_workspaces() AS my_open_workspaces)) OR workspace_id IS NULL AND stream_id = (( SELECT auth.uid() AS uid)));

create policy "members read their workspaces' invitations" on public.invitations as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "members read who belongs to their workspaces" on public.members as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "people read what they keep of workspaces they belong to" on public.personal_documents as permissive for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND (workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "people read what they keep of workspaces they belong to" on public.personal_workspaces as permissive for select to authenticated
  using (user_id = (( SELECT auth.uid() AS uid)) AND (workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "and who sees the history of its document" on public.segments as restrictive for select to authenticated
  using ((stream_id IN ( SELECT d.id
   FROM public.documents d
  WHERE (d.workspace_id IN ( SELECT private.my_open_workspaces() AS my_open_workspaces)))));

create policy "who may read a stream reads its segments" on public.segments as permissive for select to authenticated
  using ((stream_id IN ( SELECT d.id
   FROM public.documents d
  WHERE (d.workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)))));

create policy "and who sees the history of its document" on public.snapshots as restrictive for select to authenticated
  using ((stream_id IN ( SELECT d.id
   FROM public.documents d
  WHERE (d.workspace_id IN ( SELECT private.my_open_workspaces() AS my_open_workspaces)))));

create policy "who may read a stream reads its snapshots" on public.snapshots as permissive for select to authenticated
  using ((stream_id IN ( SELECT d.id
   FROM public.documents d
  WHERE (d.workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)))));

create policy "members read their workspaces' threads" on public.threads as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "members read their workspaces' named versions" on public.versions as permissive for select to authenticated
  using ((workspace_id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "members read their workspaces" on public.workspaces as permissive for select to authenticated
  using ((id IN ( SELECT private.my_workspaces() AS my_workspaces)));

create policy "editors speak in documents, members are present" on realtime.messages as permissive for insert to authenticated
  with check (
CASE extension
    WHEN 'broadcast'::text THEN (( SELECT private.topic_access(( SELECT realtime.topic() AS topic)) AS topic_access)) = 'speak'::text
    WHEN 'presence'::text THEN (( SELECT private.topic_access(( SELECT realtime.topic() AS topic)) AS topic_access)) IS NOT NULL
    ELSE false
END);

create policy "members listen to the present topic" on realtime.messages as permissive for select to authenticated
  using ((extension = ANY (ARRAY['broadcast'::text, 'presence'::text])) AND (( SELECT private.topic_access(( SELECT realtime.topic() AS topic)) AS topic_access)) IS NOT NULL);

-- Makes the caller a member and returns { workspaceId, role }. For a present member it changes nothing. A link stays
-- open for others; an invitation by e-mail is used up.
CREATE OR REPLACE FUNCTION public.accept_invitation(invitation uuid, token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '4s'
AS $function$
declare
  -- Locks the workspace's stream, so that two people who join at once get different colours.
  i public.invitations := private.claim_invitation(invitation, token);
  actor uuid := auth.uid();
  events jsonb := '[]';
begin
  if private.role_in(i.workspace_id) is not null then
    return jsonb_build_object('workspaceId', i.workspace_id, 'role', private.role_in(i.workspace_id));
  end if;
  if i.phase <> 'open' then
    perform private.refuse('illegal-transition', 'invitation-closed', 'the invitation is ' || i.phase);
  end if;
  if i.expires_at <= clock_timestamp() then
    perform private.refuse('illegal-transition', 'invitation-expired', 'the invitation has expired');
  end if;
  -- A removed member cannot rejoin with an invitation that is older than the removal.
  if exists (
    select from private.subjects s join private.invitation_tokens t on t.invitation_id = i.id
    where s.stream_id = i.workspace_id and s.kind = 'member' and s.id = actor
      and s.phase = 'removed' and s.version > t.version
  ) then
    perform private.refuse('not-permitted', 'removed-since', 'the invitation is older than the removal');
  end if;
  if i.kind = 'email' then
    events := jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.accepted', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', i.id)));
  end if;
  events := events || jsonb_build_object('id', gen_random_uuid(), 'type', 'member.joined',
    'body', json_build_object('role', i.role, 'invitationId', i.id, 'color',
      private.next_color(i.workspace_id, actor))::text,
    'subject', jsonb_build_object('kind', 'member', 'id', actor));
  perform private.append(i.workspace_id, null, events, true);
  return jsonb_build_object('workspaceId', i.workspace_id, 'role', i.role);
end;
$function$
;
grant execute on function public.accept_invitation(uuid,text) to authenticated, service_role;

-- The announced size and hash of a person's upload; null if none is open. Service only.
CREATE OR REPLACE FUNCTION public.announced_upload(person uuid, file uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service takes uploads');
  end if;
  return (select jsonb_build_object('bytes', u.bytes, 'sha256', u.sha256) from private.open_uploads u
    where u.user_id = person and u.file = announced_upload.file);
end;
$function$
;
grant execute on function public.announced_upload(uuid,uuid) to service_role;

-- Appends a batch of events to a stream, all or none. Returns [{ id, version, hash, recordedAt, toPhase }]. A null
-- expected_version skips the version check; 0 begins a stream. `actor` is the person whose page sends the events: if
-- another person has signed in since the events were made, they are refused instead of recorded under the wrong name.
-- A null actor skips that check; it is a default argument, since PostgREST cannot choose between two overloads. An
-- append waits for each locked row for half of a statement's timeout at most; the caller may resend the same events.
-- Refusals are raised by private.refuse.
CREATE OR REPLACE FUNCTION public.append_events(stream uuid, expected_version bigint, events jsonb, actor uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '4s'
AS $function$
begin
  if actor <> (select auth.uid()) then
    perform private.refuse('not-permitted', 'other-account', 'the token belongs to another account than the events');
  end if;
  return private.append(stream, expected_version, events, false);
end;
$function$
;
grant execute on function public.append_events(uuid,bigint,jsonb,uuid) to authenticated, service_role;

-- Stores the tombstone (base64) that the service has computed for an event. Service only.
CREATE OR REPLACE FUNCTION public.attest_tombstone(event uuid, tombstone text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  bytes bytea := private.from_base64(tombstone);
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service vouches for a tombstone');
  end if;
  if bytes is null or substring(bytes from 1 for 3) <> '\x000004' or octet_length(bytes) not between 4 and 524288 then
    perform private.refuse('invalid-event', 'tombstone-malformed', 'this is no tombstone');
  end if;
  if not exists (
    select from public.event_payloads p where p.event_id = event and p.update is not null and p.redacted_by is null
  ) then
    perform private.refuse('invalid-event', 'nothing-to-redact', 'there is no update to be redacted');
  end if;
  insert into private.tombstones (event_id, update) values (event, bytes)
  on conflict (event_id) do update set update = excluded.update;
end;
$function$
;
grant execute on function public.attest_tombstone(uuid,text) to service_role;

-- Begins or restarts sending a person's file. Returns the only address that accepts it from now on, or null if too many
-- uploads are open. Service only.
CREATE OR REPLACE FUNCTION public.begin_sending(person uuid, file uuid, bytes bigint, sha256 text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  fresh uuid := gen_random_uuid();
begin
  -- begin_upload refuses every caller but the service.
  if not public.begin_upload(person, begin_sending.file) then
    return null;
  end if;
  update private.open_uploads u
    set address = fresh, sent_at = null, bytes = begin_sending.bytes, sha256 = begin_sending.sha256
    where u.user_id = person and u.file = begin_sending.file;
  return fresh;
end;
$function$
;
grant execute on function public.begin_sending(uuid,uuid,bigint,text) to service_role;

-- Begins or continues a person's upload of a file; false if too many are open. Service only.
CREATE OR REPLACE FUNCTION public.begin_upload(person uuid, file uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service begins uploads');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(person::text, 7));
  delete from private.open_uploads u where u.begun_at < now() - interval '1 day';
  if exists (select from private.open_uploads u where u.user_id = person and u.file = begin_upload.file) then
    return true;
  end if;
  if (select count(*) from private.open_uploads u where u.user_id = person) >= private.most('account_uploads') then
    return false;
  end if;
  insert into private.open_uploads (user_id, file) values (person, begin_upload.file);
  return true;
end;
$function$
;
grant execute on function public.begin_upload(uuid,uuid) to service_role;

-- Counts one mail of an invitation against the limits, for an owner who holds its token. Returns { refused: null,
-- workspaceName, inviterName, email, role }, or { refused } with the reason: `not-open`, `sent-lately` (once in ten
-- minutes per invitation), `account-sent-enough` (20 a day), `address-has-enough` (3 a day, from all senders). A mail
-- that fails afterwards counts as well.
CREATE OR REPLACE FUNCTION public.claim_invitation_mail(invitation uuid, token text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  i public.invitations := private.invitation_for(invitation, token);
  sender uuid := auth.uid();
  address text;
  key text;
  most_of_account constant int := 20;
  most_to_address constant int := 3;
begin
  if sender is null or i.id is null or private.role_in(i.workspace_id) is distinct from 'owner' then
    perform private.refuse('not-permitted', 'not-owner', 'only owners who hold its token mail an invitation');
  end if;
  if i.kind <> 'email' or i.phase <> 'open' or i.expires_at <= clock_timestamp() then
    return jsonb_build_object('refused', 'not-open');
  end if;
  address := encode(sha256(convert_to(lower(i.email), 'UTF8')), 'hex');
  -- Every call locks in the same order, so that no two calls deadlock.
  for key in
    select k from unnest(array['account ' || sender::text, 'address ' || address]) as k order by k collate "C"
  loop
    perform pg_advisory_xact_lock(hashtextextended(key, 8));
  end loop;
  delete from private.invitation_mails m where m.sent_at < clock_timestamp() - interval '1 day';
  if exists (select from private.invitation_mails m
    where m.invitation_id = i.id and m.sent_at > clock_timestamp() - interval '10 minutes') then
    return jsonb_build_object('refused', 'sent-lately');
  end if;
  if (select count(*) from private.invitation_mails m where m.sender_id = sender)
    >= most_of_account then
    return jsonb_build_object('refused', 'account-sent-enough');
  end if;
  if (select count(*) from private.invitation_mails m where m.address_hash = address)
    >= most_to_address then
    return jsonb_build_object('refused', 'address-has-enough');
  end if;
  insert into private.invitation_mails (invitation_id, sender_id, address_hash)
  values (i.id, sender, address);
  return jsonb_build_object(
    'refused', null,
    'workspaceName', (select w.name from public.workspaces w where w.id = i.workspace_id),
    'inviterName', coalesce((select m.name from public.members m
      where m.workspace_id = i.workspace_id and m.user_id = sender), ''),
    'email', i.email,
    'role', i.role);
end;
$function$
;
grant execute on function public.claim_invitation_mail(uuid,text) to authenticated, service_role;

-- Declines an invitation by e-mail. A link has no addressee and cannot be declined.
CREATE OR REPLACE FUNCTION public.decline_invitation(invitation uuid, token text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '4s'
AS $function$
declare
  i public.invitations := private.claim_invitation(invitation, token);
begin
  if i.kind = 'link' then
    perform private.refuse('not-permitted', 'invitation-for-nobody', 'a link is not addressed to anybody');
  end if;
  perform private.append(i.workspace_id, null,
    jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.declined', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', i.id))), true);
end;
$function$
;
grant execute on function public.decline_invitation(uuid,text) to authenticated, service_role;

-- Deletes the caller's account and returns { deleted, left }. In the workspaces in which the caller is alone it first
-- revokes invitations and purges documents, for a second; `left` counts the remaining documents. Once none is left, it
-- deletes the rest in one transaction. The client repeats the call until `deleted`; a further call changes nothing.
-- `address` is the account's own, typed to confirm. Locks order two owners who delete their accounts at once, so no
-- workspace with members is left without an owner.
CREATE OR REPLACE FUNCTION public.delete_account(address text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET lock_timeout TO '4s'
AS $function$
declare
  actor uuid := auth.uid();
  until timestamptz := clock_timestamp() + interval '1 second';
  phase text;
  alone uuid[];
  workspace uuid;
  gone public.documents;
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  if lower(trim(address)) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('invalid-event', 'address-wrong', 'this is not the address of the account');
  end if;
  -- Appends by which this person begins or joins a stream lock this row: they have committed, or wait.
  select a.phase into phase from public.accounts a where a.user_id = actor for update;
  if phase = 'deleted' then
    return jsonb_build_object('deleted', true, 'left', 0);
  end if;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  foreach workspace in array alone loop
    -- This lock keeps people from joining while the workspace is emptied. A member who joined before keeps it.
    perform from private.streams s where s.id = workspace for update;
    continue when exists (
      select from public.members m
      where m.workspace_id = workspace and m.user_id <> actor and m.phase = 'active'
    );
    perform private.revoke_invitations(workspace, until);
    loop
      exit when clock_timestamp() > until;
      select * into gone from public.documents d
      where d.workspace_id = workspace and d.phase <> 'purged' and not exists (
        select from public.documents inside
        where coalesce(inside.parent_id, inside.workspace_id) = d.id and inside.phase <> 'purged'
      )
      limit 1;
      exit when not found;
      if gone.phase = 'live' then
        perform private.append(gone.id, null, private.lone_event('document.trashed'), false);
      end if;
      perform private.append(gone.id, null, private.lone_event('document.purged'), false);
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  -- These locks order two members of a workspace who delete their accounts at once. The first leaves; the second is
  -- then alone and empties the workspace.
  perform from private.streams s
  where s.id = any (array(select w.id from private.workspaces_without(actor) as w)) order by s.id for update;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  if exists (select from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged')
    or exists (select from public.invitations i where i.workspace_id = any (alone) and i.phase = 'open') then
    return jsonb_build_object('deleted', false, 'left', (
      select count(*) from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged'
    ));
  end if;
  perform private.append(actor, null,
    case when phase is null then private.lone_event('account.created') else '[]' end
      || private.lone_event('account.deleted'), true);
  for workspace in select w.id from private.workspaces_without(actor) as w order by w.id loop
    perform private.append(workspace, null, jsonb_build_array(jsonb_build_object(
      'id', gen_random_uuid(), 'type', 'member.left', 'body', '{}',
      'subject', jsonb_build_object('kind', 'member', 'id', actor))), false);
  end loop;
  return jsonb_build_object('deleted', true, 'left', 0);
end;
$function$
;
grant execute on function public.delete_account(text) to authenticated, service_role;

-- Stores the rule of a kind. For a first or newer rule it returns true and has all rows of the kind derived again.
-- Service only.
CREATE OR REPLACE FUNCTION public.derive_by(kind text, rule integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives');
  end if;
  insert into private.derived_rules as known (kind, rule) values (derive_by.kind, derive_by.rule)
  on conflict (kind) do update set rule = excluded.rule where known.rule < excluded.rule;
  if not found then
    return false;
  end if;
  if derive_by.kind = 'lines' then
    insert into private.stale_lines (stream_id) select distinct c.stream_id from public.change_lines c
    on conflict (stream_id) do update set taken_at = null, tries = 0, marked_at = now();
    delete from public.change_lines c where c.version >= 0;
  else
    delete from private.search_states s where s.version >= 0;
    update private.search_workspaces w set position = 0 where w.position > 0;
  end if;
  return true;
end;
$function$
;
grant execute on function public.derive_by(text,integer) to service_role;

-- Ends another of the caller's sessions; a foreign key deletes its refresh tokens. False if there is no such session.
CREATE OR REPLACE FUNCTION public.end_session(session uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and s.id::text is distinct
    from (select auth.jwt()) ->> 'session_id';
  return found;
end $function$
;
grant execute on function public.end_session(uuid) to authenticated, service_role;

-- Ends an upload whose bytes are no longer in the bucket `uploads`. Service only.
CREATE OR REPLACE FUNCTION public.end_upload(person uuid, file uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service ends uploads');
  end if;
  delete from private.open_uploads u where u.user_id = person and u.file = end_upload.file;
end;
$function$
;
grant execute on function public.end_upload(uuid,uuid) to service_role;

-- The bytes that the files of a workspace use and their limit, { bytes, most }, for its members; null for others.
CREATE OR REPLACE FUNCTION public.file_room(workspace uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.file_usage u
    where u.workspace_id = file_room.workspace), 0), 'most', private.most('workspace_file_bytes'))
  where file_room.workspace in (select private.my_workspaces())
$function$
;
grant execute on function public.file_room(uuid) to authenticated, service_role;

-- The attachments of a file that the caller may see, oldest first: [{ document, workspace, sha256, bytes, type, name,
-- width, height, redactedAt, open }]. `open` is false for a document whose history the caller may not read; the service
-- then checks whether the text that the caller may read shows the file.
CREATE OR REPLACE FUNCTION public.find_file(file uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('document', f.document_id, 'workspace', f.workspace_id,
    'sha256', f.sha256, 'bytes', f.bytes, 'type', f.type, 'name', f.name, 'width', f.width, 'height', f.height,
    'redactedAt', s.redacted_at,
    'open', f.workspace_id in (select private.my_open_workspaces())) order by f.attached_at, f.document_id), '[]')
  from private.files f join private.streams s on s.id = f.document_id
  where f.id = find_file.file and f.workspace_id in (select private.my_workspaces())
$function$
;
grant execute on function public.find_file(uuid) to authenticated, service_role;

-- Records that the authentication service has deleted the user of an account. Service only.
CREATE OR REPLACE FUNCTION public.forget_account(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes users');
  end if;
  delete from private.deleted_accounts k where k.user_id = person;
end;
$function$
;
grant execute on function public.forget_account(uuid) to service_role;

-- Records that the objects of a file are deleted, for the run that took it at `taken_at`. Service only.
CREATE OR REPLACE FUNCTION public.forget_disposed(workspace uuid, sha256 text, taken_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  delete from private.pending_deletions d
  where d.workspace_id = forget_disposed.workspace and d.sha256 = forget_disposed.sha256
    and d.taken_at = forget_disposed.taken_at;
end;
$function$
;
grant execute on function public.forget_disposed(uuid,text,timestamp with time zone) to service_role;

-- The versions of the events after a version whose upper bound is at least 64 KiB, the largest first. Service only.
CREATE OR REPLACE FUNCTION public.largest_events(stream uuid, after_version bigint, max_count integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  return (
    select coalesce(jsonb_agg(large.version order by large.bytes desc, large.version), '[]')
    from (
      select e.version, load.bytes
      from public.events e join public.event_payloads p on p.event_id = e.id cross
        join lateral private.load_of(p.update) as load
      where e.stream_id = largest_events.stream and e.version > coalesce(largest_events.after_version, 0)
        and p.update is not null and p.redacted_by is null and load.bytes >= 65536
      order by load.bytes desc, e.version
      limit greatest(0, least(coalesce(largest_events.max_count, 100), 199))
    ) as large
  );
end;
$function$
;
grant execute on function public.largest_events(uuid,bigint,integer) to service_role;

-- The links to a document now or, for readers of the linking document's history, at a time: [{ document, title, icon,
-- block, before, after } …], at most 200. Only documents that the caller may read and that are not in the trash count.
-- Empty for callers who may not read the document itself.
CREATE OR REPLACE FUNCTION public.links_to(document uuid, at_time timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with own as (
    select d.id from public.documents d
    where d.id = links_to.document and d.workspace_id in (select private.my_workspaces())
  ), found as (
    select d.id, d.title, d.icon, l.block, l.words_before, l.words_after, l.nth, l.from_time
    from own
    join private.document_links l on l.target_id = own.id and l.stream_id <> own.id
    join public.documents d on d.id = l.stream_id and d.phase = 'live'
    where case when at_time is null
      then l.to_time is null and d.workspace_id in (select private.my_workspaces())
        and (d.workspace_id in (select private.my_open_workspaces()) or private.has_current_links(d.id))
      else l.from_time <= at_time and (l.to_time is null or l.to_time > at_time)
        and d.workspace_id in (select private.my_open_workspaces())
    end
    order by d.updated_at desc, d.id, l.nth
    limit 200
  )
  select coalesce(jsonb_agg(jsonb_build_object('document', f.id, 'title', f.title, 'icon', f.icon, 'block', f.block,
    'before', f.words_before, 'after', f.words_after)), '[]')
  from found f
$function$
;
grant execute on function public.links_to(uuid,timestamp with time zone) to authenticated, service_role;

-- Stores that the caller has read all changes of a workspace up to a time, at most now. An earlier time than the stored
-- one replaces it. False if the caller is not a member.
CREATE OR REPLACE FUNCTION public.mark_all_read(workspace uuid, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
begin
  if private.role_in(workspace) is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id, read_at)
  values ((select auth.uid()), workspace, least(until, now()))
  on conflict (user_id, workspace_id) do update set read_at = excluded.read_at;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$function$
;
grant execute on function public.mark_all_read(uuid,timestamp with time zone) to authenticated, service_role;

-- Stores how far the caller has read a document; the version never decreases. False for a document that the caller may
-- not read and for a version that it does not have. Keeps the 10 000 most recently opened documents of a person.
CREATE OR REPLACE FUNCTION public.mark_seen(document uuid, version bigint, opened boolean DEFAULT false)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  fresh boolean;
begin
  if me is null or workspace is null or version is null or version < 1
    or version > (select s.version from private.streams s where s.id = document) then
    return false;
  end if;
  insert into public.personal_documents as kept
    (user_id, document_id, workspace_id, seen_version, seen_at, opened_at)
  values (me, document, workspace, version, now(), now())
  on conflict (user_id, document_id) do update
    set seen_version = greatest(kept.seen_version, excluded.seen_version),
      seen_at = case when excluded.seen_version > kept.seen_version then now() else kept.seen_at end,
      opened_at = case when coalesce(opened, false) then now() else kept.opened_at end
    where excluded.seen_version > kept.seen_version or coalesce(opened, false)
  returning xmax = 0 into fresh;
  if fresh is null then
    return true;
  end if;
  if fresh then
    delete from public.personal_documents p where p.user_id = me and p.document_id in (
      select old.document_id from public.personal_documents old where old.user_id = me
      order by old.opened_at desc, old.document_id offset 10000);
  end if;
  perform private.announce_personal(
    jsonb_build_object('workspace', workspace, 'document', document, 'version', version));
  return true;
end;
$function$
;
grant execute on function public.mark_seen(uuid,bigint,boolean) to authenticated, service_role;

-- Queues an object for deletion after its event was refused, unless a document uses it. Service only.
CREATE OR REPLACE FUNCTION public.mark_unused_file(workspace uuid, sha256 text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  perform from private.feeds w where w.workspace_id = mark_unused_file.workspace for update;
  insert into private.pending_deletions (workspace_id, sha256)
  select mark_unused_file.workspace, mark_unused_file.sha256
  where not exists (select from private.files f
    where f.workspace_id = mark_unused_file.workspace and f.sha256 = mark_unused_file.sha256)
  on conflict do nothing;
end;
$function$
;
grant execute on function public.mark_unused_file(uuid,text) to service_role;

-- Marks documents again after their maintenance failed. Service only.
CREATE OR REPLACE FUNCTION public.mark_upkeep(streams uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  perform private.need_upkeep(known.id) from (
    select s.id from private.streams s where s.id = any (mark_upkeep.streams) and s.kind = 'document' order by s.id
  ) as known;
end;
$function$
;
grant execute on function public.mark_upkeep(uuid[]) to service_role;

-- Whether the run that took a file at `taken_at` may still delete it: for four minutes, well before another run may
-- take it. Service only.
CREATE OR REPLACE FUNCTION public.may_dispose(workspace uuid, sha256 text, taken_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  return exists (select from private.pending_deletions d
    where d.workspace_id = may_dispose.workspace and d.sha256 = may_dispose.sha256
      and d.taken_at = may_dispose.taken_at and d.taken_at > now() - interval '4 minutes');
end;
$function$
;
grant execute on function public.may_dispose(uuid,text,timestamp with time zone) to service_role;

-- The migration versions, of the first 1000 given, that this database lacks. `anon` may call it, so that a process
-- with only the publishable key can report whether it is ready.
CREATE OR REPLACE FUNCTION public.missing_migrations(versions text[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  missing text[];
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return versions[1:1000];
  end if;
  execute 'select coalesce(array_agg(v order by v), ''{}'') from unnest($1) as v
    where not exists (select from supabase_migrations.schema_migrations m where m.version = v)'
    into missing using versions[1:1000];
  return missing;
end;
$function$
;
grant execute on function public.missing_migrations(text[]) to anon, authenticated, service_role;

-- The newest sound snapshot, at or before a version if one is given, as { version, size, state, stoppedAt, bytes,
-- pieces }. Without a snapshot `version`, `size` and `state` are null; above 4 MiB only `state` is null, and the caller
-- reads it in parts. `stoppedAt` is the version after which the document cannot be folded, if any; `bytes` and `pieces`
-- are the size of the document. Null for callers who may not read the stream.
CREATE OR REPLACE FUNCTION public.open_snapshot(stream uuid, at_version bigint DEFAULT NULL::bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('version', kept.version, 'size', octet_length(kept.state), 'stoppedAt', d.stopped_at,
    'bytes', d.bytes, 'pieces', d.pieces, 'state', case when octet_length(kept.state) <= 4194304
      then replace(encode(kept.state, 'base64'), E'\n', '') end)
  from private.streams d left join lateral (
    select s.version, s.state from public.snapshots s
    where s.stream_id = d.id and (at_version is null or s.version <= at_version) and private.is_sound(s)
    order by s.version desc limit 1
  ) as kept on true
  where d.id = stream and (select private.may_read(stream))
$function$
;
grant execute on function public.open_snapshot(uuid,bigint) to authenticated, service_role;

-- The bytes of the files that the caller has added in all workspaces and their limit: { bytes, most }.
CREATE OR REPLACE FUNCTION public.own_file_room()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.account_file_usage u
    where u.user_id = (select auth.uid())), 0), 'most', private.most('account_file_bytes'))
  where (select auth.uid()) is not null
$function$
;
grant execute on function public.own_file_room() to authenticated, service_role;

-- An invitation as its holder sees it before signing in: { workspaceId, workspaceName, inviterName, kind, email, role,
-- phase, expiresAt }; null without the right token. The phase of an expired open invitation is `expired`.
CREATE OR REPLACE FUNCTION public.preview_invitation(invitation uuid, token text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'workspaceId', i.workspace_id,
    'workspaceName', w.name,
    'inviterName', coalesce(m.name, ''),
    'kind', i.kind,
    'email', i.email,
    'role', i.role,
    'phase', case when i.phase = 'open' and i.expires_at <= clock_timestamp() then 'expired' else i.phase end,
    'expiresAt', to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from private.invitation_for(invitation, token) as i
  join public.workspaces w on w.id = i.workspace_id
  left join public.members m on m.workspace_id = i.workspace_id and m.user_id = i.created_by
$function$
;
grant execute on function public.preview_invitation(uuid,text) to anon, authenticated, service_role;

-- The effect of deleting the caller's account on each of their workspaces: [{ id, name, effect, documents }] with the
-- effects of private.workspaces_without and, for `alone`, the number of documents that would be purged.
CREATE OR REPLACE FUNCTION public.read_account_end()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'effect', w.effect, 'documents', (
    select count(*) from public.documents d
    where w.effect = 'alone' and d.workspace_id = w.id and d.phase <> 'purged'
  )) order by w.name, w.id), '[]')
  from private.workspaces_without((select auth.uid())) as w
$function$
;
grant execute on function public.read_account_end() to authenticated, service_role;

-- The author of each Yjs client id of a stream: a user, or `source`, the document whose log has the author.
CREATE OR REPLACE FUNCTION public.read_clients(stream uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('clientId', c.client_id, 'actorId', c.actor_id, 'version', c.version)
      || case when c.source is null then '{}' else jsonb_build_object('source', c.source) end
    order by c.version, c.client_id), '[]')
  from private.stream_clients c
  where c.stream_id = stream and (select private.may_read(stream))
$function$
;
grant execute on function public.read_clients(uuid) to authenticated, service_role;

-- Accounts whose users the authentication service has yet to delete, the oldest first. Service only.
CREATE OR REPLACE FUNCTION public.read_deleted_accounts(max_count integer DEFAULT 20)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes users');
  end if;
  return (select coalesce(jsonb_agg(d.user_id), '[]') from (
    select k.user_id from private.deleted_accounts k order by k.since
    limit greatest(0, least(coalesce(max_count, 20), 100))
  ) as d);
end;
$function$
;
grant execute on function public.read_deleted_accounts(integer) to service_role;

-- How the caller's membership ended: { phase, by, at }. A former member cannot read the log, but may know whether they
-- left or were removed, when, and the name of the member who did it.
CREATE OR REPLACE FUNCTION public.read_departure(workspace uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'phase', s.phase,
    'by', coalesce(m.name, ''),
    'at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from private.subjects s
  join public.events e on e.stream_id = s.stream_id and e.version = s.version
  left join public.members m on m.workspace_id = s.stream_id and m.user_id = e.actor_id
  where s.stream_id = workspace and s.kind = 'member' and s.id = (select auth.uid()) and s.phase <> 'active'
$function$
;
grant execute on function public.read_departure(uuid) to authenticated, service_role;

-- Returns the objects to delete: [{ bucket, names, workspace, sha256, takenAt, orphaned }]. It first queues objects in
-- `files` that are older than a day and that no document uses, each under its workspace's lock, which every append
-- takes; then it takes queued objects. It adds objects in `uploads` that are older than a day or belong to no open
-- upload, in random order, since some deletions may fail repeatedly. Service only.
CREATE OR REPLACE FUNCTION public.read_disposable(max_count integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most int := greatest(0, least(coalesce(max_count, 50), 200));
  orphan record;
  found_orphans text[] := '{}';
  answer jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  for orphan in
    select distinct split_part(o.name, '/', 1)::uuid as workspace,
      split_part(split_part(o.name, '/', 2), '.', 1) as hash
    from storage.objects o
    where o.bucket_id = 'files' and coalesce(o.updated_at, o.created_at) < now() - interval '1 day'
      and o.name ~ '^[0-9a-f-]{36}/[0-9a-f]{64}(\.\d+)?$'
      and not exists (select from private.files f where f.workspace_id = split_part(o.name, '/', 1)::uuid
        and f.sha256 = split_part(split_part(o.name, '/', 2), '.', 1))
      -- Queued objects are taken below and must not use up the limit here.
      and not exists (select from private.pending_deletions d
        where d.workspace_id = split_part(o.name, '/', 1)::uuid
          and d.sha256 = split_part(split_part(o.name, '/', 2), '.', 1))
    limit most
  loop
    perform from private.feeds w where w.workspace_id = orphan.workspace for update;
    if not exists (
      select from private.files f where f.workspace_id = orphan.workspace and f.sha256 = orphan.hash
    ) then
      insert into private.pending_deletions (workspace_id, sha256) values (orphan.workspace, orphan.hash)
      on conflict do nothing;
      if found then
        found_orphans := found_orphans || (orphan.workspace::text || '/' || orphan.hash);
      end if;
    end if;
  end loop;
  with taken as (
    -- In milliseconds, the precision that every client can send back.
    update private.pending_deletions d set taken_at = date_trunc('milliseconds', now())
    where (d.workspace_id, d.sha256) in (
      select waiting.workspace_id, waiting.sha256 from private.pending_deletions waiting
      where waiting.taken_at is null or waiting.taken_at < now() - interval '10 minutes'
      order by waiting.since limit most for update skip locked)
    returning d.workspace_id, d.sha256, d.taken_at
  )
  select coalesce(jsonb_agg(one.entry), '[]') into answer from (
    (select jsonb_build_object('bucket', 'files', 'workspace', d.workspace_id, 'sha256', d.sha256,
      'takenAt', d.taken_at, 'orphaned',
      d.workspace_id::text || '/' || d.sha256 = any (found_orphans), 'names',
      (select coalesce(jsonb_agg(o.name), '[]') from storage.objects o where o.bucket_id = 'files'
        and (o.name = d.workspace_id::text || '/' || d.sha256
          or o.name like d.workspace_id::text || '/' || d.sha256 || '.%'))) as entry
    from taken d)
    union all
    (select jsonb_build_object('bucket', 'uploads', 'workspace', null, 'sha256', null, 'takenAt', null,
      'orphaned', true,
      'names', jsonb_build_array(o.name))
    from storage.objects o where o.bucket_id = 'uploads' and (o.created_at < now() - interval '1 day'
      -- Sent to an address whose upload has ended, so no quota counts it.
      or not exists (select from private.open_uploads u where u.user_id::text || '/' || u.file::text = o.name))
    order by random() limit most)
  ) as one;
  return answer;
end;
$function$
;
grant execute on function public.read_disposable(integer) to service_role;

-- The events of a stream after a version, oldest first; empty for callers who may not read it. A page ends after
-- max_count (at most 1000) rows, or with the row that brings its bodies and updates to 4 MiB.
CREATE OR REPLACE FUNCTION public.read_events(stream uuid, after_version bigint DEFAULT 0, max_count integer DEFAULT 1000)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(private.as_row(page.e, page.p) order by (page.e).version), '[]')
  from (
    select e, p, coalesce(sum(octet_length(p.body) + coalesce(octet_length(p.update), 0)) over (
      order by e.version rows between unbounded preceding and 1 preceding), 0) as before
    from public.events e left join public.event_payloads p on p.event_id = e.id
    where e.stream_id = stream and e.version > coalesce(after_version, 0) and (select private.may_read(stream))
    order by e.version
    limit greatest(0, least(coalesce(max_count, 1000), 1000))
  ) as page
  where page.before < 4194304
$function$
;
grant execute on function public.read_events(uuid,bigint,integer) to authenticated, service_role;

-- The events of a workspace after a position, oldest first, with those of its documents if the caller may read their
-- history.
CREATE OR REPLACE FUNCTION public.read_feed(workspace uuid, after_position bigint DEFAULT 0, max_count integer DEFAULT 1000)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(private.as_row(page.e, page.p) order by (page.e).position), '[]')
  from (
    select e, p, coalesce(sum(octet_length(p.body) + coalesce(octet_length(p.update), 0)) over (
      order by e.position rows between unbounded preceding and 1 preceding), 0) as before
    from public.events e left join public.event_payloads p on p.event_id = e.id
    where e.workspace_id = workspace and e.position > coalesce(after_position, 0)
      and (select private.role_in(workspace)) is not null
      and (e.stream_kind <> 'document' or (select private.sees_history(workspace)))
    order by e.position
    limit greatest(0, least(coalesce(max_count, 1000), 1000))
  ) as page
  where page.before < 4194304
$function$
;
grant execute on function public.read_feed(uuid,bigint,integer) to authenticated, service_role;

-- The indexed entries of a document: { version, entries: [[place, nth, digest] …] }. Service only.
CREATE OR REPLACE FUNCTION public.read_index(stream uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.only_indexer();
  return jsonb_build_object(
    'version', coalesce((select s.version from private.search_states s where s.stream_id = stream), 0),
    'entries', (select coalesce(jsonb_agg(jsonb_build_array(p.place, p.nth, p.digest)), '[]')
      from private.search_entries p where p.stream_id = stream));
end;
$function$
;
grant execute on function public.read_index(uuid) to service_role;

-- How full a document is, for readers of its history: { bytes, pieces, measuredAt, stoppedAt }; null for others. The
-- numbers reveal the size of each event, which restricted readers may not learn.
CREATE OR REPLACE FUNCTION public.read_load(stream uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('bytes', s.bytes, 'pieces', s.pieces, 'measuredAt', s.measured_at,
    'stoppedAt', s.stopped_at)
  from private.streams s
  where s.id = stream and s.kind = 'document' and (select private.may_read(stream))
$function$
;
grant execute on function public.read_load(uuid) to authenticated, service_role;

-- One page, ordered by id, of the documents that the caller may read and has written or commented in: [{ id, workspace,
-- title, trashed }], after the given one.
CREATE OR REPLACE FUNCTION public.read_own_documents(after uuid DEFAULT NULL::uuid, max_count integer DEFAULT 500)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'workspace', own.workspace_id, 'title', own.title,
    'trashed', own.phase = 'trashed') order by own.id), '[]')
  from (
    select d.id, d.workspace_id, d.title, d.phase from public.documents d
    where d.workspace_id in (select private.my_workspaces()) and d.phase <> 'purged'
      and (after is null or d.id > after)
      and (exists (select from private.stream_clients c where c.stream_id = d.id
          and c.actor_id = (select auth.uid()) and c.source is null)
        or exists (select from public.comments c where c.document_id = d.id
          and c.author_id = (select auth.uid())))
    order by d.id
    limit greatest(0, least(coalesce(max_count, 500), 500))
  ) as own
$function$
;
grant execute on function public.read_own_documents(uuid,integer) to authenticated, service_role;

-- The caller's personal state of a workspace: { readAt, favourites, recents, unread }. `recents` are the 20 documents
-- that they opened last. `unread` maps each document whose last change, by another person, they have not read to the
-- version that they have read (0 if they never opened it). Changes from before they joined count as read. Null if they
-- are not a member.
CREATE OR REPLACE FUNCTION public.read_personal(workspace uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'readAt', greatest(m.joined_at, own.read_at),
    'favourites', coalesce(to_jsonb(own.favourites), '[]'),
    'recents', coalesce((
      select jsonb_agg(r.document_id order by r.opened_at desc) from (
        select p.document_id, p.opened_at from public.personal_documents p
        where p.user_id = m.user_id and p.workspace_id = m.workspace_id order by p.opened_at desc limit 20
      ) as r), '[]'),
    'unread', coalesce((
      select jsonb_object_agg(d.id, coalesce(p.seen_version, 0))
      from public.documents d left join public.personal_documents p
        on p.user_id = m.user_id and p.document_id = d.id
      where d.workspace_id = m.workspace_id and d.phase = 'live' and d.updated_by <> m.user_id
        and d.updated_at > greatest(m.joined_at, own.read_at) and d.version > coalesce(p.seen_version, 0)
    ), '{}'))
  from public.members m left join public.personal_workspaces own
    on own.user_id = m.user_id and own.workspace_id = m.workspace_id
  where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
$function$
;
grant execute on function public.read_personal(uuid) to authenticated, service_role;

-- A stream's segments of one format after a version, in order: [{ from, to, moments, bytes }] with `bytes` in base64.
-- Empty for callers who may not read the stream.
CREATE OR REPLACE FUNCTION public.read_segments(stream uuid, after_version bigint DEFAULT 0, max_count integer DEFAULT 8, of_format integer DEFAULT 1)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'from', s.from_version, 'to', s.to_version, 'moments', s.moments,
    'bytes', replace(encode(s.bytes, 'base64'), E'\n', '')) order by s.from_version), '[]')
  from (
    select * from public.segments s
    where s.stream_id = stream and s.from_version > coalesce(after_version, 0) and s.format = of_format
      and (select private.may_read(stream))
    order by s.from_version
    limit greatest(0, least(coalesce(max_count, 8), 64))
  ) as s
$function$
;
grant execute on function public.read_segments(uuid,bigint,integer,integer) to authenticated, service_role;

-- The caller's sessions: at most 100, the current one first, then the most recently used. On a hosted project the role
-- of the migrations may read and delete rows of auth.sessions; this function and end_session touch only the caller's
-- own.
CREATE OR REPLACE FUNCTION public.read_sessions()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(to_jsonb(own) order by own.current desc, own.used_at desc), '[]')
  from (
    select
      s.id,
      coalesce(s.user_agent, '') as user_agent,
      s.created_at,
      -- The auth service stores `refreshed_at` without a time zone, in UTC.
      greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at,
      s.id::text is not distinct from (select auth.jwt()) ->> 'session_id' as current
    from auth.sessions s
    where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
    order by 4 desc
    limit 100
  ) own
$function$
;
grant execute on function public.read_sessions() to authenticated, service_role;

-- The newest sound snapshot, at or before a version if one is given: { version, state } with the state in base64. Null
-- without a snapshot, or for callers who may not read the stream.
CREATE OR REPLACE FUNCTION public.read_snapshot(stream uuid, at_version bigint DEFAULT NULL::bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('version', s.version, 'state', replace(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream and (at_version is null or s.version <= at_version) and (select private.may_read(stream))
    and private.is_sound(s)
  order by s.version desc
  limit 1
$function$
;
grant execute on function public.read_snapshot(uuid,bigint) to authenticated, service_role;

-- At most 1 MiB (base64) of a snapshot's state, from the byte `start` on, counted from 0; null without a snapshot.
CREATE OR REPLACE FUNCTION public.read_snapshot_part(stream uuid, version bigint, start integer)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select replace(encode(substring(s.state from read_snapshot_part.start + 1 for 1048576), 'base64'), E'\n', '')
  from public.snapshots s
  where s.stream_id = stream and s.version = read_snapshot_part.version and (select private.may_read(stream))
$function$
;
grant execute on function public.read_snapshot_part(uuid,bigint,integer) to authenticated, service_role;

-- Documents whose log is ahead of the index, of 16 workspaces at most: [{ workspace, position, documents: [id …] }].
-- Reading marks nothing: settle_index records the indexed ones, and the others are returned again. Service only.
CREATE OR REPLACE FUNCTION public.read_unindexed(max_count integer DEFAULT 8)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.only_indexer();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'workspace', behind.workspace_id, 'position', reach.upto, 'documents', reach.documents)), '[]')
    from (
      select f.workspace_id, coalesce(w.position, 0) as position
      from private.feeds f left join private.search_workspaces w on w.workspace_id = f.workspace_id
      where f.position > coalesce(w.position, 0)
      order by f.position - coalesce(w.position, 0)
      limit 16
    ) as behind
    cross join lateral (
      select max(next.position) as upto, coalesce(jsonb_agg(distinct next.stream_id)
        filter (where next.stream_kind = 'document' and not exists (
          select from private.search_states s join private.streams head on head.id = s.stream_id
          where s.stream_id = next.stream_id and s.version >= head.version)), '[]') as documents
      from (
        select e.position, e.stream_id, e.stream_kind from public.events e
        where e.workspace_id = behind.workspace_id and e.position > behind.position
        order by e.position limit greatest(1, least(coalesce(max_count, 8), 64)) * 64
      ) as next
    ) as reach
  );
end;
$function$
;
grant execute on function public.read_unindexed(integer) to service_role;

-- Some documents whose log is ahead of their known links: [{ stream, version, head, links, written }] with the version
-- up to which links are known (0: not at all), the head of the log, the number of known links, and whether the text
-- was written since. Skips documents without a known link unless a later event has a schema with links. Service only.
CREATE OR REPLACE FUNCTION public.read_unlinked(max_count integer DEFAULT 8)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'stream', behind.id, 'version', behind.known, 'head', behind.head,
      'links', (select count(*) from private.document_links l where l.stream_id = behind.id),
      'written', exists (
        select from public.events e join private.schemas s on s.event_type = e.type and s.carries_update
        where e.stream_id = behind.id and e.version > behind.known))), '[]')
    from (
      select s.id, s.version as head, coalesce(k.version, 0) as known
      from private.streams s left join private.link_states k on k.stream_id = s.id
      where s.kind = 'document' and s.version > coalesce(k.version, 0)
        and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
        and (exists (select from private.document_links l where l.stream_id = s.id)
          or exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      -- Random order, so that documents that cannot be read now do not block the others.
      order by random()
      limit greatest(0, least(coalesce(max_count, 8), 64))
    ) as behind
  );
end;
$function$
;
grant execute on function public.read_unlinked(integer) to service_role;

-- The names of stored pictures that no account uses: replaced, removed, or never recorded. Skips pictures young enough
-- to be recorded. Service only.
CREATE OR REPLACE FUNCTION public.read_unused_pictures(max_count integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  return (select coalesce(jsonb_agg(unused.name), '[]') from (
    select o.name from storage.objects o
    where o.bucket_id = 'avatars' and o.created_at < now() - interval '15 minutes'
      and not exists (select from public.accounts a
        where a.user_id::text = split_part(o.name, '/', 1) and a.picture::text = split_part(o.name, '/', 2))
    -- Random order, since some deletions may fail repeatedly.
    order by random() limit greatest(0, least(coalesce(max_count, 50), 200))
  ) as unused);
end;
$function$
;
grant execute on function public.read_unused_pictures(integer) to service_role;

-- The first rows of each list of a workspace, for the server to render; the page reads the rest after hydration. It is
-- one call, because every page of a workspace begins with it. It runs with the caller's rights: the policies of the
-- tables decide which rows they see.
CREATE OR REPLACE FUNCTION public.read_workspace_window(workspace uuid, here uuid, rows_of_each integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recursive
  bound as (select greatest(1, least(coalesce(rows_of_each, 100), 200)) as most),
  me as materialized (
    select m.user_id, greatest(m.joined_at, own.read_at) as read_at, own.favourites
    from public.members m left join public.personal_workspaces own
      on own.user_id = m.user_id and own.workspace_id = m.workspace_id
    where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
  ),
  every as materialized (
    select d.id, d.parent_id, d.rank, d.phase, d.template, d.updated_at, d.updated_by, d.version
    from public.documents d where d.workspace_id = workspace
  ),
  away as materialized (
    select e.id from every e where e.phase <> 'live'
    union
    select e.id from away a join every e on e.parent_id = a.id
  ),
  live as materialized (
    select e.id, e.parent_id, e.rank, e.template, e.updated_at, coalesce(seen.seen_version, 0) as seen,
      e.updated_by <> me.user_id and e.updated_at > me.read_at and e.version > coalesce(seen.seen_version, 0)
        as unread
    from every e cross join me
      left join public.personal_documents seen on seen.user_id = me.user_id and seen.document_id = e.id
    where not exists (select from away where away.id = e.id)
  ),
  path as (
    select l.id, l.parent_id, l.rank, 0 as up from live l where l.id = here
    union all
    select l.id, l.parent_id, l.rank, path.up + 1 from path join live l on l.id = path.parent_id
    where path.up < 64
  ),
  -- The ancestors of `here`, which the tree shows expanded, each with the places from the top down as one key.
  open as (
    select p.id, (
      select array_agg(above.rank || ' ' || above.id order by above.up desc) from path above where above.up >= p.up
    ) as key
    from path p where p.up > 0
  ),
  placed as materialized (
    select l.id, coalesce(open.key, '{}') || (l.rank || ' ' || l.id) as key,
      row_number() over (partition by l.parent_id order by l.rank collate "C", l.id) as position,
      count(*) over (partition by l.parent_id) as size
    from live l left join open on open.id = l.parent_id
    where l.parent_id is null or open.id is not null
  ),
  tree as materialized (
    (select * from placed order by key collate "C" limit (select most from bound))
    union
    select * from placed where id = here
  ),
  unread as materialized (
    select id, seen from live where unread order by updated_at desc, id limit (select most from bound)
  ),
  -- The latest events, which the activity shows first.
  lately as materialized (
    select e.stream_id, e.actor_id from public.events e where e.workspace_id = workspace
    order by e.position desc limit 400
  ),
  shown as materialized (
    select id from unread
    union
    (select id from live where not unread order by updated_at desc, id limit (select most from bound))
    union
    select id from tree
    union
    select id from path
    union
    select l.id from me cross join unnest(me.favourites) favourite join live l on l.id = favourite
    union
    select e.id from lately join every e on e.id = lately.stream_id
    union
    (select id from live where template order by id limit 20)
    union
    (select id from every where phase = 'trashed' order by updated_at desc, id limit (select most from bound))
    union
    (select id from every where (select count(*) from every) <= (select most from bound))
  ),
  documents as materialized (
    select d.* from public.documents d where d.id = any (array(select id from shown))
  ),
  active as materialized (
    select m.user_id, m.joined_at from public.members m where m.workspace_id = workspace and m.phase = 'active'
  ),
  invited as materialized (
    select i.* from public.invitations i
    where i.workspace_id = workspace and i.phase = 'open' and (i.expires_at is null or i.expires_at > now())
  ),
  invitations as materialized (
    select * from invited order by created_at desc, id limit (select most from bound)
  ),
  -- The people named in the shown rows, and the actors of the latest events.
  named as (
    select created_by as id from documents
    union
    select updated_by from documents
    union
    select created_by from invitations
    union
    select actor_id from lately
  ),
  people as (
    select (select auth.uid()) as id
    union
    (select user_id from active order by joined_at, user_id limit (select most from bound))
    union
    (select id from named limit 2 * (select most from bound))
    union
    (select m.user_id from public.members m where m.workspace_id = workspace
      and (select count(*) from public.members all_of_them where all_of_them.workspace_id = workspace)
        <= (select most from bound))
  )
  select jsonb_build_object(
    'workspaces', public.read_workspaces(null, null, (select most from bound)),
    'documents', coalesce((select jsonb_agg(to_jsonb(d)) from documents d), '[]'),
    'tree', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'level', cardinality(t.key), 'position', t.position,
        'size', t.size, 'hasInside', t.id in (select l.parent_id from live l where l.parent_id is not null)) order by t.key collate "C")
      from tree t), '[]'),
    'members', coalesce((
      select jsonb_agg(to_jsonb(m)) from public.members m join people on people.id = m.user_id
      where m.workspace_id = workspace), '[]'),
    'invitations', coalesce((select jsonb_agg(to_jsonb(i)) from invitations i), '[]'),
    'personal', (
      select jsonb_build_object(
        'readAt', me.read_at,
        'favourites', coalesce(to_jsonb(me.favourites), '[]'),
        'recents', coalesce((
          select jsonb_agg(r.document_id order by r.opened_at desc) from (
            select p.document_id, p.opened_at from public.personal_documents p
            where p.user_id = me.user_id and p.workspace_id = workspace order by p.opened_at desc limit 20
          ) as r), '[]'),
        'unread', coalesce((select jsonb_object_agg(u.id, u.seen) from live u join shown using (id) where u.unread), '{}'))
      from me),
    'counts', jsonb_build_object(
      'workspaces', (select count(*) from public.members m
        where m.user_id = (select auth.uid()) and m.phase = 'active'),
      'all', (select count(*) from every),
      'live', (select count(*) from live),
      'unread', (select count(*) from live where unread),
      'trashed', (select count(*) from every where phase = 'trashed'),
      'everybody', (select count(*) from public.members m where m.workspace_id = workspace),
      'members', (select count(*) from active),
      'invitations', (select count(*) from invited)))
$function$
;
grant execute on function public.read_workspace_window(uuid,uuid,integer) to authenticated, service_role;

-- One page of the caller's workspaces, ordered by name: [{ id, name }], after the given one (null: from the first).
CREATE OR REPLACE FUNCTION public.read_workspaces(after_name text, after_id uuid, most integer)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', page.id, 'name', page.name) order by page.key, page.id), '[]')
  from (
    select w.id, w.name, lower(w.name) as key
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = (select auth.uid()) and m.phase = 'active'
      and (after_id is null or (lower(w.name), w.id) > (lower(after_name), after_id))
    order by 3, 1
    limit greatest(1, least(coalesce(most, 100), 200))
  ) page
$function$
;
grant execute on function public.read_workspaces(text,uuid,integer) to authenticated, service_role;

-- Empties the index of a workspace, or of all, so that it is derived again. Service only.
CREATE OR REPLACE FUNCTION public.rebuild_index(workspace uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.only_indexer();
  delete from private.search_states s using private.streams d
  where d.id = s.stream_id and (workspace is null or d.workspace_id = workspace);
  delete from private.search_entries p where workspace is null or p.workspace_id = workspace;
  update private.search_workspaces w set position = 0 where workspace is null or w.workspace_id = workspace;
end;
$function$
;
grant execute on function public.rebuild_index(uuid) to service_role;

-- Deletes the read models and projects the log again. Service only. Accounts come first, because memberships copy
-- names. A hosted project refuses statements without a condition (`safeupdate`) even within functions, hence
-- `where true`.
CREATE OR REPLACE FUNCTION public.rebuild_projections()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  entry record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service rebuilds');
  end if;
  -- Every append locks a row of this table first, so no append runs meanwhile.
  lock table private.streams in exclusive mode;
  delete from private.invitation_tokens where true;
  delete from private.subjects where true;
  delete from public.documents where true;
  delete from public.invitations where true;
  delete from public.members where true;
  delete from public.workspaces where true;
  delete from public.accounts where true;
  update private.feeds set epoch = 0 where epoch <> 0;
  for entry in
    select e as event, p.body::jsonb as body
    from public.events e left join public.event_payloads p on p.event_id = e.id
    order by e.workspace_id nulls first, e.position, e.stream_id, e.version
  loop
    perform private.project(entry.event, entry.body);
  end loop;
end;
$function$
;
grant execute on function public.rebuild_projections() to service_role;

-- Deletes a document's snapshots and segments and marks the document, so that they are recomputed. For owners and
-- editors.
CREATE OR REPLACE FUNCTION public.renew_caches(stream uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
begin
  if coalesce((
    select private.role_in(s.workspace_id) in ('owner', 'editor') from private.streams s
      where s.id = stream and s.kind = 'document'
  ), false) is not true then
    perform private.refuse('not-permitted', 'right-missing', 'only who may edit a document has its text made anew');
  end if;
  perform from private.streams s where s.id = stream for share;
  -- The lock of write_segment: a concurrent segment is stored before this deletion, or after it.
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  delete from public.snapshots s where s.stream_id = stream;
  delete from public.segments s where s.stream_id = stream;
  perform private.need_upkeep(stream);
end;
$function$
;
grant execute on function public.renew_caches(uuid) to authenticated, service_role;

-- Pauses a document whose links could not be stored for ten minutes, so that others have their turn. Service only.
CREATE OR REPLACE FUNCTION public.rest_links(stream uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  insert into private.link_states (stream_id, version, kept_at, failed_at, whole)
  select s.id, 0, '-infinity', now(), false from private.streams s where s.id = rest_links.stream
  on conflict (stream_id) do update set failed_at = now();
end;
$function$
;
grant execute on function public.rest_links(uuid) to service_role;

-- Returns documents whose lines could not be derived for a temporary reason; they may be taken again after a few
-- seconds. `failed` documents count a try and stay taken for their five minutes. Service only.
CREATE OR REPLACE FUNCTION public.return_stale_lines(documents uuid[], failed uuid[] DEFAULT '{}'::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  update private.stale_lines q set taken_at = null, marked_at = now()
  where q.stream_id = any (documents) and q.taken_at is not null;
  update private.stale_lines q set tries = q.tries + 1
  where q.stream_id = any (failed) and q.taken_at is not null;
end;
$function$
;
grant execute on function public.return_stale_lines(uuid[],uuid[]) to service_role;

-- Searches a workspace: the present text (`now`), everything ever written (`ever`), or the text as of a time. Returns
-- { results: [titles first, then the newest], found, documents, isMore }, where `documents` counts the results in each;
-- null for callers who are not members. Each place in a document is found once: its present entry, otherwise the last.
-- A link has no text of its own and reads as the title of its target, so a search for a title by words alone also finds
-- the links to that document.
CREATE OR REPLACE FUNCTION public.search(workspace uuid, words text, scope text DEFAULT 'now'::text, author uuid DEFAULT NULL::uuid, since timestamp with time zone DEFAULT NULL::timestamp with time zone, until timestamp with time zone DEFAULT NULL::timestamp with time zone, at_time timestamp with time zone DEFAULT NULL::timestamp with time zone, with_trash boolean DEFAULT false, max_count integer DEFAULT 50)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sees_history boolean := private.sees_history(workspace);
  belongs text;
  classes text[];
  every_found private.found_entry[] := '{}';
  some_found private.found_entry[];
  asked tsquery;
  is_more boolean := false;
begin
  if private.role_in(workspace) is null then
    return null;
  end if;
  select to_hex(w.number) into belongs from private.search_workspaces w where w.workspace_id = workspace;
  classes := case
    when belongs is null or words is null or char_length(words) > 1000 then '{}'
    when at_time is not null then case when sees_history then '{n,g,h,p,q}' else '{n,h,q}' end
    when scope = 'ever' then case when sees_history then '{n,g,h}' else '{n,h,q}' end
    else '{n}' end;
  for place in 1 .. cardinality(classes) loop
    asked := private.search_query(words, belongs || classes[place]);
    exit when numnode(asked) = 0;
    some_found := array(select f from private.find_entries(
      workspace, asked, classes[place], sees_history, author, since, until, at_time) as f);
    is_more := is_more or cardinality(some_found) = 400;
    every_found := every_found || some_found;
  end loop;
  return (
    with places as (
      select distinct on (f.stream_id, f.place) f.*, d.updated_at
      from unnest(every_found) as f join public.documents d on d.id = f.stream_id
      where d.phase = 'live' or (coalesce(with_trash, false) and d.phase = 'trashed')
      order by f.stream_id, f.place, f.class = 'n' desc, f.stamp desc
    ), links as (
      select l.stream_id, l.nth, l.from_time as stamp, d.updated_at, jsonb_build_object('document', l.stream_id,
        'kind', 'link', 'text', l.words_before || t.title || l.words_after, 'stands', true, 'thread', null,
        'block', l.block, 'target', l.target_id) as told
      from places p
      join public.documents t on t.id = p.stream_id
      join private.document_links l on l.target_id = p.stream_id and l.to_version is null and l.stream_id <> p.stream_id
      join public.documents d on d.id = l.stream_id and d.workspace_id = search.workspace
      where p.kind = 'title' and p.class = 'n' and num_nulls(author, since, until, at_time) = 4
        and (sees_history or private.has_current_links(l.stream_id))
        and (d.phase = 'live' or (coalesce(with_trash, false) and d.phase = 'trashed'))
      limit 400
    ), found as (
      select p.stream_id, p.place, p.nth, null::jsonb as told, p.kind = 'title' and p.class = 'n' as leads,
        case when sees_history then p.stamp else p.updated_at end as stamp
      from places p
      union all
      select l.stream_id, '', l.nth, l.told, false, case when sees_history then l.stamp else l.updated_at end
      from links l
    ), ordered as (
      select f.*, row_number() over (order by f.leads desc, f.stamp desc, f.stream_id, f.place, f.nth) as rank
      from found f
    )
    select jsonb_build_object(
      'results', (select coalesce(jsonb_agg(
          coalesce(o.told, private.told_entry(m, sees_history)) order by o.rank), '[]')
        from ordered o left join private.search_entries m
          on m.stream_id = o.stream_id and m.place = o.place and m.nth = o.nth
        where o.rank <= greatest(1, least(coalesce(max_count, 50), 200))),
      'found', (select count(*) from ordered),
      'documents', (select coalesce(jsonb_agg(jsonb_build_object('id', n.stream_id, 'found', n.found)
          order by n.found desc, n.best), '[]')
        from (select o.stream_id, count(*) as found, min(o.rank) as best from ordered o group by o.stream_id
          order by 2 desc, 3 limit 100) as n),
      'isMore', is_more));
end;
$function$
;
grant execute on function public.search(uuid,text,text,uuid,timestamp with time zone,timestamp with time zone,timestamp with time zone,boolean,integer) to authenticated, service_role;

-- Adds a document to the caller's favourites, at a place counted from 0 (by default the last), or removes it. False if
-- the caller may not read it, or already has 200 other favourites in its workspace.
CREATE OR REPLACE FUNCTION public.set_favourite(document uuid, favourite boolean, place integer DEFAULT NULL::integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  others uuid[];
  at int;
begin
  if me is null or workspace is null or favourite is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id) values (me, workspace) on conflict do nothing;
  select array_remove(p.favourites, document) into others
  from public.personal_workspaces p where p.user_id = me and p.workspace_id = workspace for update;
  if favourite then
    if cardinality(others) >= 200 then
      return false;
    end if;
    at := greatest(0, least(coalesce(place, cardinality(others)), cardinality(others)));
    others := others[:at] || document || others[at + 1:];
  end if;
  update public.personal_workspaces p set favourites = others
  where p.user_id = me and p.workspace_id = workspace;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$function$
;
grant execute on function public.set_favourite(uuid,boolean,integer) to authenticated, service_role;

-- Stores that a workspace's documents are indexed up to a position of its feed. Service only.
CREATE OR REPLACE FUNCTION public.settle_index(workspace uuid, up_to bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.only_indexer();
  insert into private.search_workspaces (workspace_id, position)
  select f.workspace_id, least(up_to, f.position) from private.feeds f where f.workspace_id = workspace
  on conflict (workspace_id) do update
    set position = greatest(private.search_workspaces.position, excluded.position);
end;
$function$
;
grant execute on function public.settle_index(uuid,bigint) to service_role;

-- Removes the mark of a maintained document for the run that took it at `taken_at`; a newer mark stays. Service only.
CREATE OR REPLACE FUNCTION public.settle_upkeep(stream uuid, taken_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  delete from private.upkeep u where u.stream_id = settle_upkeep.stream and u.taken_at = settle_upkeep.taken_at;
end;
$function$
;
grant execute on function public.settle_upkeep(uuid,timestamp with time zone) to service_role;

-- The present topic of a stream; null for a missing stream and for callers who may not listen to it.
CREATE OR REPLACE FUNCTION public.stream_topic(stream uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when stream = (select auth.uid()) then 'account:' || stream || ':0'
    when private.may_read(stream) then private.topic_of(stream)
  end
$function$
;
grant execute on function public.stream_topic(uuid) to authenticated, service_role;

-- Uses up an address. Returns the number of bytes that may be sent to it, or null if it was used or its upload has
-- ended. Service only.
CREATE OR REPLACE FUNCTION public.take_address(object_name text, address uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  announced bigint;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service takes uploads');
  end if;
  if object_name !~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$' then
    return null;
  end if;
  update private.open_uploads u set sent_at = now()
    where u.user_id = split_part(object_name, '/', 1)::uuid and u.file = split_part(object_name, '/', 2)::uuid
      and u.address = take_address.address and u.sent_at is null and u.begun_at > now() - interval '1 day'
    returning u.bytes into announced;
  return announced;
exception when invalid_text_representation then
  return null;
end;
$function$
;
grant execute on function public.take_address(text,uuid) to service_role;

-- Takes documents whose lines are behind, the oldest marks first: [id …]. Marks younger than `settled` stay, since
-- edits after an announcement leave no mark for five seconds. Long histories take longer to read and wait longer: 2 ms
-- for each version, at most ten minutes. Service only.
CREATE OR REPLACE FUNCTION public.take_stale_lines(max_count integer DEFAULT 8, settled interval DEFAULT '00:00:06'::interval)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  with due as (
    select q.stream_id from private.stale_lines q join private.streams s on s.id = q.stream_id
    where q.tries < 3 and (q.taken_at is null or q.taken_at < now() - interval '5 minutes')
      and q.marked_at <= now() - settled - least(s.version * interval '2 milliseconds', interval '10 minutes')
    -- Documents that failed, and those left by an ended process, come after untried ones.
    order by q.tries, q.taken_at nulls first, q.marked_at
    limit greatest(0, least(max_count, 64)) for update of q skip locked
  ), marked as (
    update private.stale_lines q set taken_at = now()
    from due where q.stream_id = due.stream_id returning q.stream_id
  )
  select coalesce(jsonb_agg(marked.stream_id), '[]') into taken from marked;
  return taken;
end;
$function$
;
grant execute on function public.take_stale_lines(integer,interval) to service_role;

-- Takes the marks of at most max_count documents, the oldest first, none younger than `settled`: [{ id, takenAt }]. A
-- taken mark goes to another caller only after fifteen minutes. Also lifts expired stops. Service only.
CREATE OR REPLACE FUNCTION public.take_upkeep(max_count integer DEFAULT 8, settled interval DEFAULT '00:00:10'::interval)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  -- Stops first, and with `skip locked`: an append locks its stream and then marks it, so waiting could deadlock.
  update private.streams s set stopped_at = null, stopped_until = null
  where s.id in (select over.id from private.streams over where over.stopped_until <= now() for update skip locked);
  with marked as (
    update private.upkeep u set taken_at = now() where u.stream_id in (
      select w.stream_id from private.upkeep w
      where w.marked_at <= now() - settled and (w.taken_at is null or w.taken_at < now() - interval '15 minutes')
      -- Marks left by an ended process come last.
      order by w.taken_at nulls first, w.marked_at
      limit greatest(0, least(max_count, 64)) for update skip locked
    ) returning u.stream_id, u.taken_at
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', marked.stream_id, 'takenAt', marked.taken_at)), '[]')
  into taken from marked;
  return taken;
end;
$function$
;
grant execute on function public.take_upkeep(integer,interval) to service_role;

-- Returns those of the given kinds that have waiting work for this process: one call for an idle process instead of one
-- for each kind. Marks of `upkeep` and `lines` are taken one by one, so every process may take some. Each other kind
-- belongs to one process while it calls again before its turn of 20 seconds ends. `always` includes kinds without
-- waiting work. Service only.
CREATE OR REPLACE FUNCTION public.take_work(process uuid, kinds text[], always boolean DEFAULT false)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  kind text;
  waits boolean;
  own text[] := '{}';
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service does this work');
  end if;
  foreach kind in array kinds loop
    waits := always or case kind
      when 'upkeep' then
        exists (select from private.upkeep u where u.marked_at <= now() - interval '10 seconds'
          and (u.taken_at is null or u.taken_at < now() - interval '15 minutes'))
        or exists (select from private.streams s where s.stopped_until <= now())
      when 'lines' then exists (
        select from private.stale_lines q join private.streams s on s.id = q.stream_id
        where q.tries < 3 and (q.taken_at is null or q.taken_at < now() - interval '5 minutes')
          and q.marked_at <= now() - interval '6 seconds'
            - least(s.version * interval '2 milliseconds', interval '10 minutes'))
      when 'index' then exists (
        select from private.feeds f left join private.search_workspaces w on w.workspace_id = f.workspace_id
        where f.position > coalesce(w.position, 0))
      when 'links' then exists (
        select from private.streams s left join private.link_states k on k.stream_id = s.id
        where s.kind = 'document' and s.version > coalesce(k.version, 0)
          and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
          and exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      when 'deletions' then exists (select from private.pending_deletions d
        where d.taken_at is null or d.taken_at < now() - interval '10 minutes')
      when 'users' then exists (select from private.deleted_accounts)
      -- Leftover objects in Storage have no mark. The work itself finds them, and processes seldom ask for it.
      else kind in ('leftovers', 'pictures')
    end;
    continue when not waits;
    if kind not in ('upkeep', 'lines') then
      insert into private.work_turns as t (work, process, ends_at)
      values (kind, process, now() + interval '20 seconds')
      on conflict (work) do update set process = excluded.process, ends_at = excluded.ends_at
        where t.process = excluded.process or t.ends_at < now();
      continue when not found;
    end if;
    own := own || kind;
  end loop;
  return own;
end;
$function$
;
grant execute on function public.take_work(uuid,text[],boolean) to service_role;

-- Deletes the entries `gone` of a document, [[place, nth] …], and writes `entries`. `seen` is the head of the log when
-- it was read; with `whole`, the document then counts as indexed up to there. Service only.
CREATE OR REPLACE FUNCTION public.write_index(stream uuid, seen bigint, gone jsonb, entries jsonb, whole boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  workspace uuid;
  belongs text;
begin
  perform private.only_indexer();
  -- Locks the stream first, as an append does, so that this and a redaction do not deadlock.
  select s.workspace_id into workspace from private.streams s
  where s.id = stream and s.kind = 'document' and s.version >= seen for share;
  if not found then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 5));
  if seen < (select s.version from private.search_states s where s.stream_id = stream) then
    return;
  end if;
  insert into private.search_workspaces (workspace_id) values (workspace) on conflict do nothing;
  select to_hex(w.number) into belongs from private.search_workspaces w where w.workspace_id = workspace;
  delete from private.search_entries p using jsonb_array_elements(gone) as old (key)
  where p.stream_id = stream and p.place = old.key ->> 0 and p.nth = (old.key ->> 1)::int;
  insert into private.search_entries (stream_id, workspace_id, version, place, nth, digest, kind, class, from_version,
    from_time, written_at, to_version, to_time, stood_version, stood_edit, author_id, authors, ended_by, thread_id,
    named_at, text, words)
  select stream, workspace, seen, r.place, r.nth, r.digest, r.kind, r.class, r.from_version,
    r.from_time, r.written_at, r.to_version, r.to_time, r.stood_version, r.stood_edit, r.author_id, r.authors,
    r.ended_by, r.thread_id, r.named_at, left(r.text, 10000),
    private.search_vector(left(r.text, 10000), belongs || r.class)
  from jsonb_to_recordset(entries) as r (place text, nth int, digest text, kind text, class text,
    from_version bigint, from_time timestamptz, written_at timestamptz, to_version bigint, to_time timestamptz,
    stood_version bigint, stood_edit int, author_id uuid, authors uuid[], ended_by uuid, thread_id uuid,
    named_at bigint[], text text)
  on conflict (stream_id, place, nth) do update set version = excluded.version, digest = excluded.digest,
    kind = excluded.kind, class = excluded.class, from_version = excluded.from_version,
    from_time = excluded.from_time, written_at = excluded.written_at,
    to_version = excluded.to_version, to_time = excluded.to_time,
    stood_version = excluded.stood_version, stood_edit = excluded.stood_edit, author_id = excluded.author_id,
    authors = excluded.authors, ended_by = excluded.ended_by, thread_id = excluded.thread_id,
    named_at = excluded.named_at, text = excluded.text, words = excluded.words;
  if whole then
    insert into private.search_states (stream_id, version) values (stream, seen)
    on conflict (stream_id) do update set version = excluded.version, indexed_at = now();
  end if;
end;
$function$
;
grant execute on function public.write_index(uuid,bigint,jsonb,jsonb,boolean) to service_role;

-- Replaces the lines of a document that begin after a version: [{ actor, from, to, began, at, added, removed, changes,
-- parts } …]. `head` is the hash (hex) of the event `seen`, up to which the log was read. Like an append it locks its
-- stream first. Keeps the 2000 newest lines of a document. Service only.
CREATE OR REPLACE FUNCTION public.write_lines(stream uuid, after_version bigint, seen bigint, head text, lines jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  own private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  select s.* into own from private.streams s where s.id = stream and s.kind = 'document' for share;
  if own.id is null or not exists (
    select from public.events e where e.stream_id = stream and e.version = seen and encode(e.hash, 'hex') = head
  ) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the lines were derived from');
  end if;
  delete from public.change_lines c where c.stream_id = stream and c.from_version > after_version;
  insert into public.change_lines (stream_id, workspace_id, version, actor_id, from_version, to_version,
    began_at, ended_at, added, removed, changes, parts)
  select stream, own.workspace_id, seen, l.actor, l."from", l."to", l.began, l.at, l.added, l.removed,
    l.changes, l.parts
  from jsonb_to_recordset(lines) as l(actor uuid, "from" bigint, "to" bigint, began timestamptz,
    at timestamptz, added int, removed int, changes int, parts jsonb)
  on conflict (stream_id, from_version) do nothing;
  delete from public.change_lines c where c.stream_id = stream and c.from_version in (
    select old.from_version from public.change_lines old where old.stream_id = stream
    order by old.from_version desc offset 2000);
  if own.version = seen and own.announced_at < clock_timestamp() - interval '5 seconds' then
    delete from private.stale_lines q where q.stream_id = stream;
  else
    -- Edits leave no mark for five seconds after an announcement, so the mark stays.
    update private.stale_lines q set taken_at = null, tries = 0, marked_at = now() where q.stream_id = stream;
  end if;
end;
$function$
;
grant execute on function public.write_lines(uuid,bigint,bigint,text,jsonb) to service_role;

-- Stores all links of a document as of a version of its log: [{ target, block, before, after, from, fromTime, until,
-- untilTime } …], at most 2000. Null `links` keeps the known ones. `whole` says whether the text was folded to its end;
-- null keeps the stored value. Service only.
CREATE OR REPLACE FUNCTION public.write_links(stream uuid, seen bigint, links jsonb, whole boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  -- Locks the stream first, as an append does, so that this and a redaction do not deadlock.
  perform from private.streams s where s.id = stream and s.kind = 'document' and s.version >= seen for share;
  if not found then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 6));
  if seen < (select k.version from private.link_states k where k.stream_id = stream) then
    return;
  end if;
  if links is not null then
    delete from private.document_links l where l.stream_id = stream;
    insert into private.document_links (stream_id, version, nth, target_id, block, words_before, words_after,
      from_version, from_time, to_version, to_time)
    select stream, seen, r.nth, (r.link ->> 'target')::uuid, r.link ->> 'block',
      left(r.link ->> 'before', 200), left(r.link ->> 'after', 200),
      (r.link ->> 'from')::bigint, (r.link ->> 'fromTime')::timestamptz,
      (r.link ->> 'until')::bigint, (r.link ->> 'untilTime')::timestamptz
    from jsonb_array_elements(links) with ordinality as r (link, nth)
    limit 2000;
  end if;
  insert into private.link_states (stream_id, version, whole) values (stream, seen, coalesce(write_links.whole, false))
  on conflict (stream_id) do update
  set version = excluded.version, kept_at = now(), failed_at = null,
    whole = coalesce(write_links.whole, private.link_states.whole);
end;
$function$
;
grant execute on function public.write_links(uuid,bigint,jsonb,boolean) to service_role;

-- Stores the measured size of a document at a version. A measurement is exact, so a stop that it reports is permanent,
-- and earlier stops are cleared. Service only.
CREATE OR REPLACE FUNCTION public.write_load(stream uuid, version bigint, bytes bigint, pieces bigint, stopped boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  head private.streams;
  more record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_load.stream and s.kind = 'document' for update;
  if not found or head.version < write_load.version then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that was measured');
  end if;
  if write_load.version < head.redacted_at then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  select coalesce(sum(load.bytes), 0) as bytes, coalesce(sum(load.pieces), 0) as pieces into more
  from public.events e join public.event_payloads p on p.event_id = e.id cross
    join lateral private.load_of(p.update) as load
  where e.stream_id = write_load.stream and e.version > write_load.version and p.update is not null;
  update private.streams s
  set bytes = write_load.bytes + more.bytes,
      pieces = write_load.pieces + more.pieces,
      measured_at = write_load.version,
      stopped_at = case when write_load.stopped then write_load.version end,
      stopped_until = null,
      stops = 0
  where s.id = write_load.stream;
end;
$function$
;
grant execute on function public.write_load(uuid,bigint,bigint,bigint,boolean) to service_role;

-- Stores a segment (base64) that continues the one before it, and deletes all segments from its first version on.
-- `seen` is the head of the log when it was read. `head` is the hash (hex) of the segment's last event; a segment of
-- another log is refused. Like an append it locks its stream first, so that it and a redaction do not deadlock. Service
-- only.
CREATE OR REPLACE FUNCTION public.write_segment(stream uuid, from_version bigint, to_version bigint, seen bigint, format integer, moments integer, head text, bytes text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes segments');
  end if;
  perform from private.streams s where s.id = stream for share;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  if not exists (
    select from public.events e
    where e.stream_id = stream and e.version = write_segment.to_version and encode(e.hash, 'hex') = write_segment.head
  ) or not exists (select from private.streams s where s.id = stream and s.version >= seen) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the segment was made from');
  end if;
  if write_segment.from_version > 1 and not exists (
    select from public.segments s where s.stream_id = stream and s.to_version = write_segment.from_version - 1
  ) then
    perform private.refuse('invalid-event', 'segment-missing', 'the segment before it is missing');
  end if;
  if private.from_base64(write_segment.bytes) is null then
    perform private.refuse('invalid-event', 'not-base64', 'bytes is not base64');
  end if;
  delete from public.segments s where s.stream_id = stream and s.from_version >= write_segment.from_version;
  insert into public.segments (stream_id, from_version, to_version, version, format, moments, head, bytes)
  values (stream, write_segment.from_version, write_segment.to_version, seen, write_segment.format,
    write_segment.moments,
    decode(write_segment.head, 'hex'), private.from_base64(write_segment.bytes));
end;
$function$
;
grant execute on function public.write_segment(uuid,bigint,bigint,bigint,integer,integer,text,text) to service_role;

-- Stores the state (base64) of a stream at a version; without a state, the joined parts of an upload. `seen` is the
-- head of the log when it was read. `head` is the hash (hex) of the last folded event; a state of another log is
-- refused. Keeps the two newest snapshots, this one and those of named versions, and deletes unsound ones. Service
-- only.
CREATE OR REPLACE FUNCTION public.write_snapshot(stream uuid, version bigint, state text, seen bigint DEFAULT NULL::bigint, head text DEFAULT NULL::text, upload uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  linked bytea;
  bytes bytea := private.from_base64(write_snapshot.state);
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes snapshots');
  end if;
  if write_snapshot.version < 1 or write_snapshot.seen < write_snapshot.version or not exists (
    select from private.streams s
    where s.id = stream and s.version >= coalesce(write_snapshot.seen, write_snapshot.version)
  ) then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  if write_snapshot.state is null then
    select string_agg(p.bytes, '' order by p.part) into bytes
    from private.snapshot_parts p
    where p.stream_id = stream and p.version = write_snapshot.version and p.upload = write_snapshot.upload;
    delete from private.snapshot_parts p where p.stream_id = stream and p.upload = write_snapshot.upload;
  end if;
  if bytes is null then
    perform private.refuse('invalid-event', 'not-base64', 'state is not base64');
  end if;
  select e.hash into linked from public.events e where e.stream_id = stream and e.version = write_snapshot.version;
  if linked is null or encode(linked, 'hex') <> coalesce(write_snapshot.head, encode(linked, 'hex')) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the state was folded from');
  end if;
  insert into public.snapshots as kept (stream_id, version, state, seen, head, digest)
  values (stream, write_snapshot.version, bytes, write_snapshot.seen, linked,
    private.snapshot_digest(stream, write_snapshot.version, linked, bytes))
  on conflict (stream_id, version) do update
    set state = excluded.state, seen = excluded.seen, head = excluded.head, digest = excluded.digest;
  delete from public.snapshots s where s.stream_id = stream and (
    not private.is_sound(s)
    or s.version < (select min(newest.version) from (
        select n.version from public.snapshots n where n.stream_id = stream order by n.version desc limit 2) as newest)
      and s.version <> write_snapshot.version
      and not exists (select from public.versions v where v.document_id = stream and v.at = s.version));
end;
$function$
;
grant execute on function public.write_snapshot(uuid,bigint,text,bigint,text,uuid) to service_role;

-- Stores a part (base64) of a state; write_snapshot without a state joins the parts. Service only.
CREATE OR REPLACE FUNCTION public.write_snapshot_part(stream uuid, version bigint, upload uuid, part integer, bytes text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes snapshots');
  end if;
  if private.from_base64(write_snapshot_part.bytes) is null then
    perform private.refuse('invalid-event', 'not-base64', 'bytes is not base64');
  end if;
  -- Abandoned uploads.
  delete from private.snapshot_parts p where p.stream_id = stream and p.made_at < now() - interval '1 hour';
  insert into private.snapshot_parts (stream_id, version, upload, part, bytes)
  values (stream, write_snapshot_part.version, write_snapshot_part.upload, write_snapshot_part.part,
    private.from_base64(write_snapshot_part.bytes))
  on conflict (stream_id, version, upload, part) do update set bytes = excluded.bytes, made_at = excluded.made_at;
end;
$function$
;
grant execute on function public.write_snapshot_part(uuid,bigint,uuid,integer,text) to service_role;

-- Stops a document whose folding took too long after a version. The machine may have been busy, so the stop is lifted
-- after an hour, the next one after two, then four, up to 512. The stored size stays, since nothing was measured.
-- Service only.
CREATE OR REPLACE FUNCTION public.write_stop(stream uuid, version bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  head private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_stop.stream and s.kind = 'document' for update;
  if not found or write_stop.version < 1 or head.version < write_stop.version then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that was folded');
  end if;
  if write_stop.version < head.redacted_at then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  update private.streams s
  set stopped_at = write_stop.version,
      -- Two processes that fold the document at once share one stop, and a permanent stop stays permanent.
      stopped_until = case when s.stopped_at is null
        then now() + interval '1 hour' * (1 << least(s.stops, 9)) else s.stopped_until end,
      stops = s.stops + (s.stopped_at is null)::int
  where s.id = write_stop.stream;
end;
$function$
;
grant execute on function public.write_stop(uuid,bigint) to service_role;

-- Adds a member with a role and a colour, or makes a former one active again with new ones.
CREATE OR REPLACE FUNCTION private.admit(e public.events, person uuid, role text, color integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.members (workspace_id, user_id, role, phase, name, color, given_color, joined_at, updated_at)
  values (e.stream_id, person, role, 'active', '', color, color, e.recorded_at, e.recorded_at)
  on conflict (workspace_id, user_id) do update
    set role = excluded.role, phase = 'active', given_color = excluded.given_color,
      joined_at = excluded.joined_at, updated_at = excluded.updated_at;
  perform private.name_member(person, e.stream_id);
end;
$function$
;

-- Counts the bytes of new rows for the people who added them, each object once for a person and workspace.
CREATE OR REPLACE FUNCTION private.after_files_came()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.count_account_file(a.actor_id, a.bytes)
  from (select n.actor_id, n.workspace_id, n.sha256, n.bytes, count(*) as here from added n group by 1, 2, 3, 4) a
  where a.here = (select count(*) from private.files f
    where f.actor_id = a.actor_id and f.workspace_id = a.workspace_id and f.sha256 = a.sha256);
  return null;
end;
$function$
;

-- Subtracts the bytes of deleted rows, and queues objects without a row for deletion in the transaction that deleted
-- the last row, so that the file is not served from then on. It handles all rows of a statement at once: a row-level
-- trigger would count each of several rows of the same object as the last one.
CREATE OR REPLACE FUNCTION private.after_files_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.count_file(g.workspace_id, -g.bytes)
  from (select distinct o.workspace_id, o.sha256, o.bytes from gone o) g
  where not exists (select from private.files f where f.workspace_id = g.workspace_id and f.sha256 = g.sha256);
  perform private.count_account_file(g.actor_id, -g.bytes)
  from (select distinct o.actor_id, o.workspace_id, o.sha256, o.bytes from gone o) g
  where not exists (select from private.files f
    where f.actor_id = g.actor_id and f.workspace_id = g.workspace_id and f.sha256 = g.sha256);
  insert into private.pending_deletions (workspace_id, sha256)
  select distinct o.workspace_id, o.sha256 from gone o
  where not exists (select from private.files f where f.workspace_id = o.workspace_id and f.sha256 = o.sha256)
  on conflict do nothing;
  return null;
end;
$function$
;

-- Broadcasts the ids of new events of a stream, never their payloads. The topic of a document's workspace gets the
-- broadcast as well; for a batch of edits alone at most once in five seconds per document.
CREATE OR REPLACE FUNCTION private.announce(head private.streams, version bigint, epoch bigint, ids uuid[], edits_only boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  payload jsonb := jsonb_build_object('stream', head.id, 'version', version, 'ids', to_jsonb(ids));
begin
  perform realtime.send(payload, 'log', format('%s:%s:%s', head.kind, head.id, coalesce(epoch, 0)), true);
  if head.kind = 'document' and (not edits_only or head.announced_at < clock_timestamp() - interval '5 seconds') then
    perform realtime.send(payload, 'log', format('workspace:%s:%s', head.workspace_id, coalesce(epoch, 0)), true);
    update private.streams s set announced_at = clock_timestamp() where s.id = head.id;
  end if;
end;
$function$
;

-- Broadcasts a change of epoch on the old topics of the workspace and of the 200 documents that were announced last.
-- The latter reach pages whose workspace channel is disconnected. Other pages poll the name once a minute. A broadcast
-- for each document would hold the workspace's lock for up to 25 000 of them.
CREATE OR REPLACE FUNCTION private.announce_move(workspace uuid, old_epoch bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select realtime.send('{}'::jsonb, 'moved', told.kind || ':' || told.id || ':' || old_epoch, true)
  from (
    select s.kind, s.id from private.streams s where s.id = workspace
    union all
    (select s.kind, s.id from private.streams s
      where s.workspace_id = workspace and s.kind = 'document'
      order by s.announced_at desc limit 200)
  ) as told
$function$
;

-- Broadcasts to the caller's own pages that their personal state has changed.
CREATE OR REPLACE FUNCTION private.announce_personal(payload jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select realtime.send(payload, 'personal', format('account:%s:0', (select auth.uid())), true)
$function$
;

-- One transaction: locks, answers repeated events, refuses a stale version, appends, broadcasts. A connection caches
-- plans, and a plan made while a table was small must not scan it once it is large: hence no sequential scans.
CREATE OR REPLACE FUNCTION private.append(stream uuid, expected_version bigint, events jsonb, invited boolean)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  actor uuid := auth.uid();
  batch private.proposal[] := private.parse_proposals(stream, events);
  ids uuid[] := '{}';
  p private.proposal;
  head private.streams;
  role text;
  e public.events;
  rows public.events[];
  old_epoch bigint;
  epoch bigint;
  fresh uuid[] := '{}';
  plain boolean[] := '{}';
  at int := 1;
  last int;
  edits_only boolean := true;
  rulings jsonb := '[]';
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  foreach p in array batch loop
    ids := ids || p.id;
  end loop;
  head := private.lock_stream(stream, batch[1]);
  perform private.lock_dependencies(head, actor, batch, invited);
  role := case
    when head.kind = 'account' then case when head.id = actor then 'owner' end
    when head.kind = 'workspace' and (head.version = 0 or invited) then 'viewer'
    else (select m.role from public.members m where m.workspace_id = head.workspace_id
      and m.user_id = actor and m.phase = 'active')
  end;

  -- One subquery for each id: a cached plan for the list, made while the log was short, would scan the whole log.
  if exists (
    select from unnest(ids) as wanted (id)
    where (select known.version from public.events known where known.id = wanted.id) is not null
  ) then
    foreach p in array batch loop
      if (private.repeated(p, stream, actor, role, invited)).id is null then
        fresh := fresh || p.id;
      end if;
    end loop;
  else
    fresh := ids;
  end if;
  if cardinality(fresh) > 0 then
    if role is null then
      perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
    end if;
    if expected_version <> head.version then
      perform private.refuse('version-conflict', 'stale-version', 'the stream is at version ' || head.version);
    end if;
    if head.kind = 'document' and not exists (
      select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
      where s.stream_id = head.workspace_id and s.kind = 'workspace' and s.id = head.workspace_id
        and h.retired_at is null
    ) then
      perform private.refuse('illegal-transition', 'host-phase', 'its workspace does not allow it now');
    end if;
    if head.kind = 'workspace' and head.version = 0 then
      insert into private.feeds (workspace_id) values (head.id);
    end if;
    select f.epoch into epoch from private.feeds f where f.workspace_id = head.workspace_id for update;
  end if;

  if head.kind = 'document' and cardinality(fresh) = cardinality(ids) then
    plain := private.plain_edits(batch);
  end if;
  while at <= cardinality(ids) loop
    last := at;
    while plain[at] and plain[last + 1] loop
      last := last + 1;
    end loop;
    rows := null;
    if plain[at] then
      rows := private.rule_edits(batch[at:last], head, actor, role);
      -- After a null, the rest of the batch is appended one by one: the next attempts would mostly return null, too.
      plain := case when rows is not null then plain else '{}' end;
    end if;
    if rows is not null then
      rulings := rulings || (select jsonb_agg(private.ruling(r) order by r.version) from unnest(rows) as r);
      e := rows[cardinality(rows)];
      at := last + 1;
      continue;
    end if;
    p := batch[at];
    if p.id = any (fresh) then
      e := private.rule(p, head, actor, role, invited);
      edits_only := edits_only and p.type = 'document.edited';
    else
      select * into e from public.events where id = p.id;
    end if;
    rulings := rulings || private.ruling(e);
    at := at + 1;
  end loop;

  if cardinality(fresh) > 0 then
    if head.kind = 'workspace' then
      old_epoch := epoch;
      select f.epoch into epoch from private.feeds f where f.workspace_id = head.workspace_id;
      if old_epoch <> epoch then
        perform private.announce_move(head.workspace_id, old_epoch);
      end if;
    end if;
    perform private.announce(head, e.version, epoch, fresh, edits_only);
  end if;
  if head.kind = 'account' then
    perform private.name_member(actor);
  end if;
  return rulings;
end;
$function$
;

-- An event with its payload as clients read it: hashes and salt in hex, the update in base64 without line breaks. A
-- redacted event has no salt, and redacted_by is the version of the redaction.
CREATE OR REPLACE FUNCTION private.as_row(e public.events, p public.event_payloads)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', e.id,
    'stream_id', e.stream_id,
    'stream_kind', e.stream_kind,
    'workspace_id', e.workspace_id,
    'version', e.version,
    'position', e.position,
    'type', e.type,
    'subject_kind', e.subject_kind,
    'subject_id', e.subject_id,
    'from_phase', e.from_phase,
    'to_phase', e.to_phase,
    'schema', e.schema,
    'actor_id', e.actor_id,
    'client_ids', e.client_ids,
    'client_time', to_char(e.client_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'recorded_at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'payload_hash', encode(e.payload_hash, 'hex'),
    'hash', encode(e.hash, 'hex'),
    'salt', encode(p.salt, 'hex'),
    'body', p.body,
    'update', translate(encode(p.update, 'base64'), E'\n', ''))
    || case when p.redacted_by is null then '{}' else jsonb_build_object('redacted_by', p.redacted_by) end
$function$
;

-- Binds the update's client ids to the actor, or to the document that it was copied from. Returns the newly bound ids,
-- or null. Refuses an id that is bound to another actor or source.
CREATE OR REPLACE FUNCTION private.bind_clients(stream uuid, ids bigint[], actor uuid, version bigint, source uuid)
 RETURNS bigint[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  bound bigint[];
begin
  if cardinality(ids) = 0 then
    return null;
  end if;
  if exists (
    select from private.stream_clients c
    where c.stream_id = stream and c.client_id = any (ids)
      and (c.source is distinct from bind_clients.source or (c.source is null and c.actor_id <> actor))
  ) then
    perform private.refuse('not-permitted', 'client-id-taken', 'a client id belongs to somebody else');
  end if;
  with added as (
    insert into private.stream_clients (stream_id, client_id, actor_id, version, source)
    select stream, id, actor, bind_clients.version, bind_clients.source from unnest(ids) as id
    on conflict do nothing
    returning client_id
  )
  select array_agg(client_id order by client_id) into bound from added;
  return bound;
end;
$function$
;

-- The first fault of a value under a compiled schema, or null. The value is json, because jsonb drops duplicate keys
-- and rewrites numbers before they can be checked. Lengths count code points, as in zod. The function
-- private.is_<format> checks a text with a format; a later migration may add one.
CREATE OR REPLACE FUNCTION private.body_fault(shape jsonb, value json, place text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  kind text := shape ->> 'type';
  got text := json_typeof(value);
  content text := value #>> '{}';
  entry record;
  seen text[] := '{}';
  fault text;
  fits boolean;
begin
  if got = 'null' and (shape -> 'nullable')::boolean then
    return null;
  end if;
  case kind
    when 'object' then
      if got <> 'object' then return place || ' is not an object'; end if;
      for entry in select key, json_each.value from json_each(value) loop
        if entry.key = any (seen) then return place || ' names a key twice'; end if;
        seen := seen || entry.key;
        if not (shape -> 'properties') ? entry.key then return place || ' has a key that does not belong there'; end if;
        fault := private.body_fault(shape -> 'properties' -> entry.key, entry.value, place || '.' || entry.key);
        if fault is not null then return fault; end if;
      end loop;
      if cardinality(seen) <> (select count(*) from jsonb_object_keys(shape -> 'properties')) then
        return place || ' lacks a key';
      end if;
    when 'array' then
      if got <> 'array' then return place || ' is not a list'; end if;
      if json_array_length(value) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      for entry in select json_array_elements.value from json_array_elements(value) loop
        fault := private.body_fault(shape -> 'items', entry.value, place || '[]');
        if fault is not null then return fault; end if;
      end loop;
    when 'string' then
      if got <> 'string' then return place || ' is not text'; end if;
      if char_length(content) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      if (shape -> 'visible')::boolean and content <> '' and not private.is_visible(content) then
        return place || ' has nothing in it that is seen';
      end if;
      if shape ? 'format' then
        execute format('select private.%I($1)', 'is_' || (shape ->> 'format')) into fits using content;
        if not fits then return place || ' is no ' || (shape ->> 'format'); end if;
      end if;
    when 'uuid' then
      if got <> 'string' or content !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        return place || ' is not a uuid in small letters';
      end if;
    when 'enum' then
      if got <> 'string' or not (shape -> 'values') ? content then return place || ' is not one of its values'; end if;
    when 'integer' then
      if got <> 'number' or content !~ '^(0|-?[1-9][0-9]{0,15})$' then return place || ' is not an integer'; end if;
      if content::bigint not between (shape ->> 'min')::bigint and (shape ->> 'max')::bigint then
        return place || ' is out of range';
      end if;
    when 'boolean' then
      if got <> 'boolean' then return place || ' is not true or false'; end if;
  end case;
  return null;
end;
$function$
;

-- The document that an update was copied from; null for an update written in its own document.
CREATE OR REPLACE FUNCTION private.carried_from(update bytea)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((octet_length(update) > 19) AND (SUBSTRING(update FROM 1 FOR 3) = '\x000003'::bytea)) THEN (encode(SUBSTRING(update FROM 4 FOR 16), 'hex'::text))::uuid ELSE NULL::uuid END
;

-- Checks the origin of an update. Refuses a wrong origin, a version of another document that the caller may not read
-- or that does not exist yet, a fork or import into a document that did not begin as one, and a merge of unrelated
-- documents.
CREATE OR REPLACE FUNCTION private.check_carrying(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  other uuid := (body ->> 'document')::uuid;
  head private.streams;
begin
  if p.type = 'document.redacted' then
    perform private.check_redaction(p, body, stream);
    return;
  end if;
  if not private.is_carrying(p.type) then
    if substring(p.update from 1 for 3) in ('\x000003', '\x000004', '\x000005') then
      perform private.refuse('invalid-event', 'origin-wrong', 'the update was not written in this document');
    end if;
    return;
  end if;
  if p.type = 'document.step_imported' then
    if private.carried_from(p.update) is null then
      perform private.refuse('invalid-event', 'origin-wrong', 'the update does not say which document it comes from');
    end if;
    if not private.goes_on_importing(stream, reached, private.carried_from(p.update)) then
      perform private.refuse('illegal-transition', 'not-importing',
        'a step of a history follows the import that it belongs to, or the step before it');
    end if;
    return;
  end if;
  if private.carried_from(p.update) is distinct from other then
    perform private.refuse('invalid-event', 'origin-wrong', 'the update does not say which document it comes from');
  end if;
  -- A state too large for one event comes in consecutive events, and an import ends with an event like its first.
  if p.type <> 'document.merged' and reached > 1 and not exists (
    select from public.events e join public.event_payloads before on before.event_id = e.id
    where e.stream_id = stream and e.type = p.type and e.actor_id = (select auth.uid()) and before.body = p.body
      and (e.version = reached
        or (e.version = 2 and p.type = 'document.imported' and private.goes_on_importing(stream, reached, other)))
  ) then
    perform private.refuse('illegal-transition', 'not-a-beginning', 'a document begins as a copy or not at all');
  end if;
  if p.type = 'document.imported' then
    return;
  end if;
  select * into head from private.streams s where s.id = other and s.kind = 'document';
  if not found or not private.may_read_version(other, (body ->> 'version')::bigint) then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  if other = stream or (body ->> 'version')::bigint > head.version then
    perform private.refuse('invalid-event', 'version-ahead',
      'the other document has not reached the version that is named');
  end if;
  if p.type = 'document.merged' and not exists (
    select from public.documents d
    where (d.id = stream and d.forked_from = other) or (d.id = other and d.forked_from = stream)
  ) then
    perform private.refuse('invalid-event', 'documents-unrelated', 'neither document began as a copy of the other');
  end if;
end;
$function$
;

-- Refuses a file whose bytes are not stored, or that would exceed the quota of its workspace or of the person who adds
-- it.
CREATE OR REPLACE FUNCTION private.check_file(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  own uuid;
  hash text := body ->> 'sha256';
  person uuid := auth.uid();
begin
  select s.workspace_id into own from private.streams s where s.id = stream;
  -- Locks the workspace's counter, so that no object of it is queued for deletion before the file is recorded.
  perform from private.feeds w where w.workspace_id = own for update;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'files' and o.name = own::text || '/' || hash
      and (o.metadata ->> 'size')::bigint = (body ->> 'bytes')::bigint
      and o.metadata ->> 'mimetype' = body ->> 'type'
  ) or exists (select from private.pending_deletions d where d.workspace_id = own and d.sha256 = hash) then
    perform private.refuse('invalid-event', 'file-missing', 'no such file is stored in this workspace');
  end if;
  if not exists (select from private.files f where f.workspace_id = own and f.sha256 = hash)
    and coalesce((select u.bytes from private.file_usage u where u.workspace_id = own), 0) + (body ->> 'bytes')::bigint
      > private.most('workspace_file_bytes') then
    perform private.refuse_limit('workspace_file_bytes');
  end if;
  if not exists (select from private.files f where f.actor_id = person and f.workspace_id = own and f.sha256 = hash)
    and coalesce((select u.bytes from private.account_file_usage u where u.user_id = person), 0)
      + (body ->> 'bytes')::bigint > private.most('account_file_bytes') then
    perform private.refuse_limit('account_file_bytes');
  end if;
end;
$function$
;

-- Returns the rule of the law (the transition table) that allows an event. Refuses the event if no rule in force allows
-- it in the phases of its subject and of the subject's host, or if the actor lacks the right.
CREATE OR REPLACE FUNCTION private.check_law(p private.proposal, head private.streams, actor uuid, role text, invited boolean)
 RETURNS private.transitions
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  subject private.subjects;
  rule private.transitions;
begin
  select * into subject from private.subjects s
  where s.stream_id = head.id and s.kind = p.subject_kind and s.id = p.subject_id;
  select * into rule from private.transitions t
  where t.subject_kind = p.subject_kind and t.from_phase = coalesce(subject.phase, 'absent')
    and t.event_type = p.type and t.stream_kind = head.kind and t.retired_at is null;
  if not found then
    perform private.refuse('illegal-transition', 'phase', coalesce(subject.phase, 'absent') ||
      ' does not allow ' || p.type);
  end if;
  if p.subject_kind <> head.kind and not exists (
    select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
    where s.stream_id = head.id and s.kind = head.kind and s.id = head.id and h.retired_at is null
  ) then
    perform private.refuse('illegal-transition', 'host-phase', 'what it lives in does not allow it now');
  end if;
  if not private.holds(rule.needs, actor, role, p.subject_id, subject.author_id, invited) then
    perform private.refuse('not-permitted', 'right-missing', 'this needs the right ' || rule.needs);
  end if;
  return rule;
end;
$function$
;

-- Refuses a body whose fields contradict each other or the log, which a compiled schema cannot express. The stream is
-- locked; `reached` is its version before this event.
CREATE OR REPLACE FUNCTION private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  hook text;
begin
  if p.type = 'invitation.created' and (body ->> 'kind' = 'email') <> (body ->> 'email' is not null) then
    perform private.refuse('invalid-event', 'invitation-malformed',
      'an invitation by email has an address, one by link has none');
  elsif p.type = 'version.named' and (body ->> 'at')::bigint > reached
    or p.type = 'document.reverted' and (body ->> 'toVersion')::bigint > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  elsif p.type = 'document.reworked' then
    perform private.check_reworking(body, stream, reached);
  end if;
  if p.update is not null then
    perform private.check_carrying(p, body, stream, reached);
  end if;
  for hook in select h.function from private.meaning_hooks h where h.event_type = p.type order by h.function loop
    execute format('select private.%I($1, $2, $3, $4)', hook) using p, body, stream, reached;
  end loop;
end;
$function$
;

-- Refuses a move into the document's own branch, into a missing or trashed parent, behind a missing sibling or beyond
-- a limit. The workspace's counter is locked, so no other document of the workspace moves meanwhile.
CREATE OR REPLACE FUNCTION private.check_move(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  own public.documents;
  parent uuid := (body ->> 'parent')::uuid;
  after uuid := (body ->> 'after')::uuid;
  above record;
begin
  select * into own from public.documents d where d.id = stream;
  if after = stream or after is not null and not exists (
    select from public.documents d where d.id = after and d.workspace_id = own.workspace_id
  ) then
    perform private.refuse('invalid-event', 'sibling-missing',
      'the document behind which it is to stand is not another one of this workspace');
  end if;
  if parent is null then
    return;
  end if;
  if not exists (
    select from public.documents d where d.id = parent and d.workspace_id = own.workspace_id and d.phase <> 'purged'
  ) then
    perform private.refuse('invalid-event', 'parent-missing',
      'the document in which it is to stand is not one of this workspace');
  end if;
  select max(path.level) as levels, bool_or(path.id = stream) as has_own, bool_or(path.phase <> 'live') as is_trashed
  into above from private.path_of(parent) as path;
  if above.has_own then
    perform private.refuse('illegal-transition', 'own-branch', 'a document does not stand in itself');
  end if;
  if above.is_trashed then
    perform private.refuse('illegal-transition', 'parent-trashed',
      'the document in which it is to stand is in the trash');
  end if;
  if parent is distinct from own.parent_id and (
    select b.children from private.branches b where b.document_id = parent
  ) >= private.most('document_children') then
    perform private.refuse_limit('document_children');
  end if;
  if above.levels + (select b.height from private.branches b where b.document_id = stream)
    > private.most('document_levels') then
    perform private.refuse_limit('document_levels');
  end if;
end;
$function$
;

-- Refuses a picture that is not stored for this person, or that was stored more than ten minutes ago and may be about
-- to be deleted.
CREATE OR REPLACE FUNCTION private.check_picture(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if body ->> 'picture' is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'avatars' and o.name = stream::text || '/' || (body ->> 'picture')
      and o.created_at > now() - interval '10 minutes'
  ) then
    perform private.refuse('invalid-event', 'file-missing', 'no such picture is stored for this person');
  end if;
end;
$function$
;

-- Refuses to purge a document with unpurged children, which would lose their parent.
CREATE OR REPLACE FUNCTION private.check_purge(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (select b.children from private.branches b where b.document_id = stream) > 0 then
    perform private.refuse('illegal-transition', 'branch-left', 'documents that stand in it are still there');
  end if;
end;
$function$
;

-- Refuses the redaction of an event that belongs to another stream, is a redaction, is redacted already or has no text,
-- and one whose tombstone is not attested.
CREATE OR REPLACE FUNCTION private.check_redaction(p private.proposal, body jsonb, stream uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  target uuid := (body ->> 'event')::uuid;
  kind text;
  kept public.event_payloads;
begin
  select e.type into kind from public.events e where e.id = target and e.stream_id = stream;
  select * into kept from public.event_payloads k where k.event_id = target and kind is not null;
  if not found or kind = 'document.redacted' then
    perform private.refuse('invalid-event', 'event-missing',
      'there is no such event in this document, or it is a redaction itself');
  end if;
  if kept.redacted_by is not null then
    perform private.refuse('invalid-event', 'redacted-already', 'it is redacted already');
  end if;
  if kept.update is null then
    if p.update <> '\x000004' or private.redacted_body(kept.body)::jsonb = kept.body::jsonb then
      perform private.refuse('invalid-event', 'nothing-to-redact', 'there is nothing in it to be redacted');
    end if;
  elsif not exists (select from private.tombstones t where t.event_id = target and t.update = p.update) then
    perform private.refuse('not-permitted', 'tombstone-unattested', 'the service has not vouched for this tombstone');
  end if;
end;
$function$
;

-- Refuses an event whose `replaces` is not the present title, name or icon. Without this check, one of two concurrent
-- renames would be lost silently. The stream is locked, so the present value cannot change meanwhile.
CREATE OR REPLACE FUNCTION private.check_replaced(p private.proposal, body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  present text := case p.type
    when 'workspace.renamed' then (select w.name from public.workspaces w where w.id = stream)
    when 'document.renamed' then (select d.title from public.documents d where d.id = stream)
    when 'document.icon_set' then (select coalesce(d.icon, '') from public.documents d where d.id = stream)
    when 'version.renamed' then
      (select v.name from public.versions v where v.document_id = stream and v.id = p.subject_id)
  end;
begin
  if p.replaces <> present then
    perform private.refuse('version-conflict', 'replaced-since', 'what it replaces was replaced since');
  end if;
end;
$function$
;

-- Refuses a document.reworked whose fields contradict each other or the log.
CREATE OR REPLACE FUNCTION private.check_reworking(body jsonb, stream uuid, reached bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  first bigint := (body ->> 'from')::bigint;
  last bigint := (body ->> 'to')::bigint;
  author uuid := (body ->> 'author')::uuid;
begin
  if last > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  end if;
  if body ->> 'kind' = 'passage' then
    if author is not null or first is not null or body ->> 'quote' is null then
      perform private.refuse('invalid-event', 'revert-malformed',
        'a passage has a quote, and neither an author nor a beginning');
    end if;
    return;
  end if;
  if author is null or first is null or first > last or body ->> 'quote' is not null then
    perform private.refuse('invalid-event', 'revert-malformed',
      'an author''s changes have an author and a range of versions, and no quote');
  end if;
  -- The index events_by_actor finds the author's next version, however many versions of others lie between.
  if coalesce((
    select e.version from public.events e
    where e.stream_kind = 'document' and e.stream_id = stream and e.actor_id = author and e.version >= first
    order by e.version limit 1
  ), last + 1) > last then
    perform private.refuse('invalid-event', 'revert-empty', 'the author did nothing in these versions');
  end if;
end;
$function$
;

-- Locks the stream of an invitation's workspace and returns the invitation. Refuses a caller who is signed out, has a
-- wrong token, or is not the addressee of an invitation by e-mail.
CREATE OR REPLACE FUNCTION private.claim_invitation(invitation uuid, token text)
 RETURNS public.invitations
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  i public.invitations;
begin
  if auth.uid() is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  perform from private.streams s
  where s.id = (select (private.invitation_for(invitation, token)).workspace_id) for update;
  i := private.invitation_for(invitation, token);
  if i.id is null then
    perform private.refuse('not-permitted', 'invitation-missing', 'there is no such invitation');
  end if;
  if i.kind = 'email' and lower(i.email) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('not-permitted', 'invitation-for-other', 'the invitation is for another address');
  end if;
  return i;
end;
$function$
;

-- The client ids that a proposal declares: at most 64, or 16384 with copied content, which declares those of every
-- author.
CREATE OR REPLACE FUNCTION private.client_ids(entry jsonb)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  ids bigint[];
begin
  if coalesce(jsonb_typeof(entry -> 'clientIds'), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(entry -> 'clientIds') <> 'array'
    or jsonb_array_length(entry -> 'clientIds') > (case when private.is_carrying(entry ->> 'type')
      then 16384 else 64 end)
    or exists (select from jsonb_array_elements_text(entry -> 'clientIds') as item where item is null
      or item !~ '^(0|[1-9][0-9]{0,15})$') then
    perform private.refuse('invalid-event', 'client-ids-malformed', 'clientIds is not a list of client ids');
  end if;
  select coalesce(array_agg(distinct item::bigint), '{}') into ids
    from jsonb_array_elements_text(entry -> 'clientIds') as item;
  if 9007199254740991 < any (ids) then
    perform private.refuse('invalid-event', 'client-ids-malformed', 'clientIds is not a list of client ids');
  end if;
  return ids;
end;
$function$
;

-- Adds to the bytes of the files that a person has added.
CREATE OR REPLACE FUNCTION private.count_account_file(person uuid, more bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.account_file_usage as known (user_id, bytes) values (person, more)
  on conflict (user_id) do update set bytes = known.bytes + excluded.bytes
$function$
;

-- Counts new events against the limits of their stream.
CREATE OR REPLACE FUNCTION private.count_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  e record;
  kind text;
  scope uuid;
begin
  for e in
    select a.stream_kind, l.most from added a
      join private.limits l on l.name = a.stream_kind || '_events' where a.version > l.most limit 1
  loop
    perform private.refuse_limit(e.stream_kind || '_events');
  end loop;
  for e in
    select a.* from added a where a.from_phase = 'absent' or a.client_ids is not null order by a.stream_id, a.version
  loop
    kind := case when e.from_phase = 'absent' then private.counted_as(e.subject_kind) end;
    scope := case e.type when 'document.created' then e.workspace_id when 'workspace.created'
      then e.actor_id else e.stream_id end;
    if kind is not null then
      perform private.tally(scope, scope, kind, 1);
    end if;
    if e.client_ids is not null then
      perform private.tally(e.stream_id, e.stream_id, 'document_clients', cardinality(e.client_ids));
    end if;
  end loop;
  return null;
end;
$function$
;

-- Adds to the bytes that a workspace has stored.
CREATE OR REPLACE FUNCTION private.count_file(workspace uuid, more bigint)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.file_usage as known (workspace_id, bytes) values (workspace, more)
  on conflict (workspace_id) do update set bytes = known.bytes + excluded.bytes
$function$
;

-- Counts one payload against the limits of its document. An update that only deletes is accepted beyond document_bytes
-- and document_pieces; it then marks the document for a measurement, because it makes room.
CREATE OR REPLACE FUNCTION private.count_payload(e public.events, body text, update bytea)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  load record;
  head private.streams;
  small boolean;
begin
  if e.type in ('thread.opened', 'comment.added', 'comment.edited') then
    perform private.tally(e.stream_id, e.stream_id, 'document_talk', octet_length(body));
    if e.type = 'comment.added' then
      perform private.tally(e.stream_id, (body::jsonb ->> 'thread')::uuid, 'thread_comments', 1);
    end if;
  end if;
  if update is null then
    return;
  end if;
  load := private.load_of(update);
  if load.bytes > private.most('payload_bytes') then
    perform private.refuse_limit('payload_bytes');
  end if;
  update private.streams s
  set bytes = s.bytes + load.bytes,
      pieces = s.pieces + load.pieces,
      history = s.history + load.bytes,
      -- The redacted content may be what stopped the fold.
      stopped_at = case when e.type = 'document.redacted' then null else s.stopped_at end
  where s.id = e.stream_id returning * into head;
  if e.type = 'document.redacted' then
    perform private.need_upkeep(e.stream_id);
    return;
  end if;
  if head.history > private.most('document_history') then
    perform private.refuse_limit('document_history');
  end if;
  if load.cuts then
    if head.bytes > private.most('document_bytes') or head.pieces > private.most('document_pieces') then
      perform private.need_upkeep(e.stream_id);
    end if;
    return;
  end if;
  small := load.bytes <= private.most('small_bytes') and load.pieces <= private.most('small_pieces');
  if head.stopped_at is not null
    or head.bytes > private.most('document_bytes') + (case when small then private.most('reserve_bytes')
      else 0 end) then
    perform private.refuse_limit('document_bytes');
  end if;
  if head.pieces > private.most('document_pieces') + (case when small
    then private.most('reserve_pieces') else 0 end) then
    perform private.refuse_limit('document_pieces');
  end if;
end;
$function$
;

-- Counts new payloads: in one statement if all are edits of one document with room for them, otherwise one by one.
CREATE OR REPLACE FUNCTION private.count_payloads()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  event public.events;
  payload record;
  load record;
  most record;
  stream uuid;
  added_bytes bigint := 0;
  added_pieces bigint := 0;
  largest bigint := 0;
  are_edits boolean := true;
begin
  for payload in select a.event_id, a.update from added a loop
    -- Looked up row by row, because the plan of a join might scan the whole log.
    select * into event from public.events known where known.id = payload.event_id;
    are_edits := are_edits and event.type = 'document.edited' and payload.update is not null
      and event.stream_id = coalesce(stream, event.stream_id);
    exit when not are_edits;
    stream := event.stream_id;
    load := private.load_of(payload.update);
    added_bytes := added_bytes + load.bytes;
    added_pieces := added_pieces + load.pieces;
    largest := greatest(largest, load.bytes);
  end loop;
  if are_edits then
    select
      max(l.most) filter (where l.name = 'payload_bytes') as payload_bytes,
      max(l.most) filter (where l.name = 'document_bytes') as document_bytes,
      max(l.most) filter (where l.name = 'document_pieces') as document_pieces,
      max(l.most) filter (where l.name = 'document_history') as document_history
    into most from private.limits l;
    update private.streams s
    set bytes = s.bytes + added_bytes, pieces = s.pieces + added_pieces, history = s.history + added_bytes
    where s.id = stream and s.stopped_at is null and largest <= most.payload_bytes
      and s.bytes + added_bytes <= most.document_bytes and s.pieces + added_pieces <= most.document_pieces
      and s.history + added_bytes <= most.document_history;
    if found then
      return null;
    end if;
  end if;
  for payload in
    select a.event_id, a.body, a.update from added a
    order by (select known.stream_id from public.events known where known.id = a.event_id),
      (select known.version from public.events known where known.id = a.event_id)
  loop
    select * into event from public.events known where known.id = payload.event_id;
    perform private.count_payload(event, payload.body, payload.update);
  end loop;
  return null;
end;
$function$
;

-- The limit that counts subjects of this kind; null if they are not counted.
CREATE OR REPLACE FUNCTION private.counted_as(subject_kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case subject_kind
    when 'document' then 'workspace_documents'
    when 'workspace' then 'account_workspaces'
    when 'member' then 'workspace_members'
    when 'invitation' then 'workspace_invitations'
    when 'thread' then 'document_threads'
    when 'comment' then 'document_comments'
    when 'version' then 'document_versions'
    when 'file' then 'document_files'
  end
$function$
;

-- The value in a JSON string, since some drivers encode a JSON argument twice; the string itself if it is not JSON.
CREATE OR REPLACE FUNCTION private.decoded_again(events jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case when pg_input_is_valid(events #>> '{}', 'jsonb') then (events #>> '{}')::jsonb else events end;
exception
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$function$
;

-- Destroys the payload of an event, with its text in the read models and the derived states of its stream.
CREATE OR REPLACE FUNCTION private.destroy_payload(target uuid, stream uuid, version bigint, tombstone bytea)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
begin
  update public.event_payloads p
  set salt = null,
      body = private.redacted_body(p.body),
      update = case when p.update is not null then private.in_place(tombstone) end,
      redacted_by = version
  where p.event_id = target;
  delete from private.tombstones t where t.event_id = target;
  update private.streams s set redacted_at = version where s.id = stream;
  perform private.drop_caches(stream);
  perform private.project_redaction(e) from public.events e where e.id = target;
end;
$function$
;

-- Destroys the text in the payloads of an account's or workspace's stream before an event. Documents are purged
-- instead.
CREATE OR REPLACE FUNCTION private.destroy_words(e public.events)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null and p.update is null and private.redacted_body(p.body)::jsonb <> p.body::jsonb
$function$
;

-- Deletes every derived state of a stream.
CREATE OR REPLACE FUNCTION private.drop_caches(stream uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  cache regclass;
begin
  for cache in select relation from private.caches loop
    execute format('delete from %s where stream_id = $1', cache) using stream;
  end loop;
end;
$function$
;

-- The condition on an entry m of a search, for private.find_entries: $2 is an author, $3 and $4 begin and end the time
-- in which it changed, $5 is a time at which it was present. Restricted readers learn neither who wrote text nor when.
-- They find the present text while it is current, and the text of named versions; by author and time, only comments.
CREATE OR REPLACE FUNCTION private.entry_condition(sees_history boolean, by_author boolean, by_time boolean, at_time boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select concat_ws(' and ',
    'true',
    case when by_author then '$2 = any (m.authors)' end,
    case when by_time then '(coalesce(m.written_at >= $3, true) and coalesce(m.written_at <= $4, true)
      or m.to_time is not null and coalesce(m.to_time >= $3, true) and coalesce(m.to_time <= $4, true))' end,
    case when not sees_history and (by_author or by_time) then 'm.kind = ''comment''' end,
    case
      when at_time and sees_history then 'm.from_time <= $5 and (m.to_time is null or m.to_time > $5)'
      when at_time then '(select v.at from public.versions v
          join public.events e on e.stream_id = v.document_id and e.version = v.at
          where v.document_id = m.stream_id and e.recorded_at <= $5
          order by v.at desc limit 1) = any (m.named_at)'
      when not sees_history then 'case when m.class = ''n'' then exists (
          select from private.search_states s
          where s.stream_id = m.stream_id and private.is_current(s.stream_id, s.version))
        else exists (select from public.versions v where v.document_id = m.stream_id and v.at = any (m.named_at)) end'
    end)
$function$
;

-- The chain: SHA-256 over the hash of the row before (null at version 1) and every column of the row except `hash`.
-- Lengths of fields that are never null and of fixed length are literals, which halves the work of an append.
CREATE OR REPLACE FUNCTION private.event_hash(previous bytea, event public.events)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN sha256((((((((((((((((((((((((((((private.hash_field('\x70616c696d70736573742d6576656e742f31'::bytea) || private.hash_field(previous)) || '\x00000010'::bytea) || uuid_send((event).id)) || '\x00000010'::bytea) || uuid_send((event).stream_id)) || private.hash_field(convert_to((event).stream_kind, 'UTF8'::name))) || private.hash_field(uuid_send((event).workspace_id))) || '\x00000008'::bytea) || int8send((event).version)) || private.hash_field(int8send((event)."position"))) || private.hash_field(convert_to((event).type, 'UTF8'::name))) || private.hash_field(convert_to((event).subject_kind, 'UTF8'::name))) || '\x00000010'::bytea) || uuid_send((event).subject_id)) || private.hash_field(convert_to((event).from_phase, 'UTF8'::name))) || private.hash_field(convert_to((event).to_phase, 'UTF8'::name))) || '\x00000008'::bytea) || int8send(((event).schema)::bigint)) || '\x00000010'::bytea) || uuid_send((event).actor_id)) || CASE WHEN ((event).client_ids IS NULL) THEN '\xffffffff'::bytea ELSE private.hash_field(private.integers_send((event).client_ids)) END) || '\x00000008'::bytea) || private.time_send((event).client_time)) || '\x00000008'::bytea) || private.time_send((event).recorded_at)) || '\x00000020'::bytea) || (event).payload_hash))
;

-- The entries of one class that match a query: all if they are at most 2000, otherwise the newest 400. In a search as
-- of a day, the newest are those with the latest `from_time`.
CREATE OR REPLACE FUNCTION private.find_entries(workspace uuid, asked tsquery, of_class text, sees_history boolean, author uuid, since timestamp with time zone, until timestamp with time zone, at_time timestamp with time zone)
 RETURNS SETOF private.found_entry
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET enable_seqscan TO 'off'
 SET jit TO 'off'
AS $function$
declare
  by_day constant boolean := at_time is not null and sees_history;
  condition constant text := private.entry_condition(sees_history, author is not null,
    since is not null or until is not null, at_time is not null);
  found_at constant text := case when by_day then 'm.from_time' else 'm.stamp' end;
  entry constant text := format('(m.stream_id, m.place, m.nth, m.class, m.kind, %s)::private.found_entry', found_at);
  few private.found_entry[];
  is_all boolean;
begin
  if by_day then
    -- The limit comes before the condition, since most entries of other times fail it.
    execute format('
      select coalesce(array_agg(%s) filter (where %s), ''{}''), count(*) <= 2000
      from (select * from private.search_entries m where m.words @@ $1 limit 2001) m', entry, condition)
      into few, is_all using asked, author, since, until, at_time;
  else
    execute format('select array(select %s from private.search_entries m where m.words @@ $1 and %s limit 2001)',
      entry, condition)
      into few using asked, author, since, until, at_time;
    is_all := cardinality(few) <= 2000;
  end if;
  if is_all then
    return query select * from unnest(few);
    return;
  end if;
  return query execute format('
    select m.stream_id, m.place, m.nth, m.class, m.kind, %s from private.search_entries m
    where m.workspace_id = $6 and m.class = $7 and m.words @@ $1 and %s %s
    order by %1$s desc limit 400', found_at, condition,
    -- Present entries have no end. Without an `or`, the index serves the condition.
    case when by_day and of_class <> 'n' then 'and m.to_time > $5' end)
    using asked, author, since, until, at_time, workspace, of_class;
end;
$function$
;

-- The palette index of a member whose member.joined recorded none; machines/member.ts has the same order.
CREATE OR REPLACE FUNCTION private.first_color(user_id uuid)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select ('{8,0,5,6,3,9,10,1,11,7,2,4}'::int[])[get_byte(uuid_send(user_id), 15) % 12 + 1]
$function$
;

-- Folds text for searching: drops case, accents, points and vowel signs, and unifies the forms of a letter.
CREATE OR REPLACE FUNCTION private.folded(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select translate(
    replace(replace(replace(replace(
      lower(normalize(regexp_replace(normalize(content, NFKD),
        '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a'
        '\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff'
        '\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufeff]',
        '', 'g'), NFC)),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øđðłıςىة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'oddliσيه01234567890123456789')
$function$
;

-- The bytes of base64 text, or null for any other text. decode() alone accepts line breaks and raises on other text.
CREATE OR REPLACE FUNCTION private.from_base64(content text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (((length(content) % 4) = 0) AND (content ~ '^[A-Za-z0-9+/]*={0,2}$'::text)) THEN decode(content, 'base64'::text) ELSE NULL::bytea END
;

-- Whether the head of the stream is an event of the caller's import from this source: its beginning or a step.
CREATE OR REPLACE FUNCTION private.goes_on_importing(stream uuid, reached bigint, source uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from public.events e join public.event_payloads p on p.event_id = e.id
    where e.stream_id = stream and e.version = reached and e.actor_id = (select auth.uid())
      and (e.type = 'document.step_imported' or (e.type = 'document.imported' and reached = 2))
      and private.carried_from(p.update) = source
  )
$function$
;

-- Restricts a table of derived states to readers of the documents' history. Private tables have no row level security,
-- and no API role may use their schema.
CREATE OR REPLACE FUNCTION private.grade_cache(cache regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if not (select c.relrowsecurity from pg_catalog.pg_class c where c.oid = cache) then
    if (select c.relnamespace <> 'private'::regnamespace from pg_catalog.pg_class c where c.oid = cache) then
      raise exception using message = format('%s has no row level security', cache);
    end if;
    return;
  end if;
  execute format('create policy "and who sees the history of its document" on %s
    as restrictive for select to authenticated
    using (stream_id in (select d.id from public.documents d
      where d.workspace_id in (select private.my_open_workspaces())))', cache);
end;
$function$
;

-- Letters of scripts that write no spaces between words, or only between groups of words: Thai to Burmese, Han, kana,
-- Hangul, and pictographs. Every two consecutive ones are a token.
CREATE OR REPLACE FUNCTION private.gram_letters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select '\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u2600-\u27bf\u2e80-\u2fdf'
    '\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff'
    '\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff'
    '\U0001f000-\U0001faff\U00020000-\U0003ffff'
$function$
;

-- Refuses a derived state from before a redaction, since it may contain the destroyed text.
CREATE OR REPLACE FUNCTION private.guard_cache()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.version < (select s.redacted_at from private.streams s where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  return new;
end;
$function$
;

-- Checks new events against the head of their stream, the phases of their subjects, the caller's identity and the
-- chain, and moves the head. It trusts nothing that the append path computed; a foreign key enforces the law.
CREATE OR REPLACE FUNCTION private.guard_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  caller uuid := auth.uid();
  e public.events;
  before public.events;
  head private.streams;
  phase text;
  first_position bigint;
begin
  for e in select * from added order by stream_id, version loop
    if before.stream_id is distinct from e.stream_id then
      if before.stream_id is not null then
        perform private.move_head(head, first_position, before.position);
      end if;
      select * into head from private.streams s where s.id = e.stream_id for update;
      first_position := e.position;
      before := null;
    end if;
    if before.subject_id is distinct from e.subject_id or before.subject_kind is distinct from e.subject_kind then
      phase := null;
      -- The phase after the subject's last earlier row in this statement, otherwise the one before the statement.
      if before.id is not null then
        select a.to_phase into phase from added a
        where a.stream_id = e.stream_id and a.subject_kind = e.subject_kind
          and a.subject_id = e.subject_id and a.version < e.version
        order by a.version desc limit 1;
      end if;
      if phase is null then
        select s.phase into phase from private.subjects s
        where s.stream_id = e.stream_id and s.kind = e.subject_kind and s.id = e.subject_id;
      end if;
    end if;
    if head.kind is distinct from e.stream_kind
      or head.workspace_id is distinct from e.workspace_id
      or e.version is distinct from head.version + 1
      or e.recorded_at <= head.recorded_at
      or e.client_time < head.client_time
      or e.actor_id is distinct from caller
      or e.from_phase is distinct from coalesce(phase, 'absent')
    then
      raise exception using errcode = '23514', message = 'the event does not continue its stream';
    end if;
    if before.id is not null and e.position is distinct from before.position + 1 then
      raise exception using errcode = '23514', message = 'the event does not continue its workspace';
    end if;
    head.hash := private.event_hash(head.hash, e);
    if e.hash is distinct from head.hash then
      raise exception using errcode = '23514', message = 'the event does not continue the chain';
    end if;
    head.version := e.version;
    head.recorded_at := e.recorded_at;
    head.client_time := e.client_time;
    phase := e.to_phase;
    before := e;
  end loop;
  if before.id is not null then
    perform private.move_head(head, first_position, before.position);
  end if;
  return null;
end;
$function$
;

-- Checks that each new payload has the hash that its event committed to.
CREATE OR REPLACE FUNCTION private.guard_payloads()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- One subquery for each row, so that no plan scans the whole log.
  if exists (
    select from added a
    where (select e.payload_hash from public.events e where e.id = a.event_id)
      is distinct from private.payload_hash(a.salt, a.body, a.update)
  ) then
    raise exception using errcode = '23514', message = 'the payload is not the one its event committed to';
  end if;
  return null;
end;
$function$
;

-- Allows four changes of a payload: by a recorded redaction of its event, purge of its document or deletion of its
-- account, or when the last member leaves its workspace.
CREATE OR REPLACE FUNCTION private.guard_redaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.event_id is distinct from old.event_id or old.redacted_by is not null or new.salt is not null
    or new.body is distinct from private.redacted_body(old.body)
    or not exists (
      select from public.events e
      join public.events r on r.stream_id = e.stream_id and r.version = new.redacted_by and r.version > e.version
      join public.event_payloads said on said.event_id = r.id
      where e.id = old.event_id and (
        r.type = 'document.redacted' and (said.body::jsonb ->> 'event')::uuid = e.id
          and new.update is not distinct from case when old.update is not null then private.in_place(said.update) end
        or r.type = 'document.purged' and new.update is not distinct from private.purged_update(old.update)
        or r.type = 'account.deleted' and new.update is null and old.update is null
        or r.type = 'member.left' and new.update is null and old.update is null and not exists (
          select from public.members m where m.workspace_id = r.stream_id and m.phase = 'active'
        )
      )
    )
  then
    raise exception using errcode = '42501', message = 'event_payloads is append-only: no redaction makes this change';
  end if;
  return new;
end;
$function$
;

-- Refuses a snapshot folded from a log that was read before a redaction. The snapshot itself may be of an earlier
-- version.
CREATE OR REPLACE FUNCTION private.guard_snapshot()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if coalesce(new.seen, new.version) < (select s.redacted_at from private.streams s
    where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  return new;
end;
$function$
;

-- Refuses an edit of an unknown version of the document's schema.
CREATE OR REPLACE FUNCTION private.guard_text_schema()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from private.schemas s where s.event_type = new.type and s.carries_update)
    and not exists (select from private.text_schemas t where t.version = new.schema)
  then
    perform private.refuse('invalid-event', 'schema-unknown', 'this version of the text’s schema is unknown');
  end if;
  return new;
end;
$function$
;

-- Whether all links of a document are known for its present text.
CREATE OR REPLACE FUNCTION private.has_current_links(stream uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from private.link_states k
    where k.stream_id = has_current_links.stream and k.whole and private.is_current(k.stream_id, k.version))
$function$
;

-- Whether a document has room for all of these edits, so that no limit can refuse one.
CREATE OR REPLACE FUNCTION private.has_room(stream uuid, edits private.proposal[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.stopped_at is null and more.payload <= most.payload_bytes and s.bytes + more.bytes <= most.document_bytes
    and s.pieces + more.pieces <= most.document_pieces and s.history + more.bytes <= most.document_history
    and s.version + cardinality(edits) <= most.document_events
  from private.streams s,
    (
      select max(load.bytes) as payload, sum(load.bytes) as bytes, sum(load.pieces) as pieces
      from unnest(edits) as p cross join lateral private.load_of(p.update) as load
    ) as more,
    (
      select max(l.most) filter (where l.name = 'payload_bytes') as payload_bytes,
        max(l.most) filter (where l.name = 'document_bytes') as document_bytes,
        max(l.most) filter (where l.name = 'document_pieces') as document_pieces,
        max(l.most) filter (where l.name = 'document_history') as document_history,
        max(l.most) filter (where l.name = 'document_events') as document_events
      from private.limits l
    ) as most
  where s.id = stream
$function$
;

-- One field: its length in bytes as a big-endian 32-bit integer, then the bytes; null is the length 0xFFFFFFFF alone.
-- Different lists of fields therefore never encode to the same bytes.
CREATE OR REPLACE FUNCTION private.hash_field(field bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((int4send(octet_length(field)) || field), '\xffffffff'::bytea)
;

-- Whether the actor holds the right that a rule needs, given their role, the subject, its author and an invitation.
CREATE OR REPLACE FUNCTION private.holds(needs text, actor uuid, role text, subject_id uuid, author_id uuid, invited boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(CASE needs WHEN 'anyone'::text THEN true WHEN 'self'::text THEN (subject_id = actor) WHEN 'author'::text THEN ((author_id = actor) AND (role IS NOT NULL)) WHEN 'invited'::text THEN invited ELSE (private.rank(role) >= private.rank(needs)) END, false)
;

-- The tombstone as stored in the update's place: with the mark 00 00 05 instead of the attested 00 00 04.
CREATE OR REPLACE FUNCTION private.in_place(tombstone bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select '\x000005'::bytea || substring(tombstone from 4)
$function$
;

-- The integers as consecutive 64-bit big-endian values; null for null.
CREATE OR REPLACE FUNCTION private.integers_send(items bigint[])
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg(int8send(list.item), '\x'::bytea ORDER BY list.place) AS string_agg FROM unnest(integers_send.items) WITH ORDINALITY list(item, place))
;

-- The invitation of this token; null for a wrong token and a missing invitation alike.
CREATE OR REPLACE FUNCTION private.invitation_for(invitation uuid, token text)
 RETURNS public.invitations
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select i.* from public.invitations i join private.invitation_tokens t on t.invitation_id = i.id
  where i.id = invitation and length(token) >= 22
    and t.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex')
$function$
;

-- Whether events of this type carry content from another document.
CREATE OR REPLACE FUNCTION private.is_carrying(type text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (type = ANY (ARRAY['document.forked'::text, 'document.merged'::text, 'document.imported'::text, 'document.step_imported'::text]))
;

-- Whether derived rows cover the newest event of their stream. Only then may restricted readers see their text.
CREATE OR REPLACE FUNCTION private.is_current(stream uuid, derived_version bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select from private.streams s where s.id = is_current.stream and s.version <= derived_version)
$function$
;

-- Whether a text is exactly one emoji: a keycap, a flag of two letters or of tags, or up to five joined pictographs,
-- each alone or with a skin tone or a variation selector. events/core/text/emoji.ts has the same ranges, Unicode's
-- Extended_Pictographic.
CREATE OR REPLACE FUNCTION private.is_emoji(content text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select content ~ replace(
    '^([0-9#*]\ufe0f\u20e3'
    '|[\U0001f1e6-\U0001f1ff]{2}'
    '|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f'
    '|PICTOGRAPH[\ufe0f\U0001f3fb-\U0001f3ff]?(\u200dPICTOGRAPH[\ufe0f\U0001f3fb-\U0001f3ff]?){0,4})$',
    'PICTOGRAPH',
    '['
    '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3'
    '\u23f8-\u23fa\u24c2\u25aa-\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2615\u2618'
    '\u261d\u2620\u2622-\u2623\u2626\u262a\u262e-\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2660'
    '\u2663\u2665-\u2666\u2668\u267b\u267e-\u267f\u2692-\u2697\u2699\u269b-\u269c\u26a0-\u26a1\u26a7'
    '\u26aa-\u26ab\u26b0-\u26b1\u26bd-\u26be\u26c4-\u26c5\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4\u26e9-\u26ea'
    '\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728'
    '\u2733-\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27a1\u27b0\u27bf'
    '\u2934-\u2935\u2b05-\u2b07\u2b1b-\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004\U0001f02c-\U0001f02f'
    '\U0001f094-\U0001f09f\U0001f0af-\U0001f0b0\U0001f0c0\U0001f0cf-\U0001f0d0\U0001f0f6-\U0001f0ff'
    '\U0001f170-\U0001f171\U0001f17e-\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ae-\U0001f1e5'
    '\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f\U0001f249-\U0001f25f'
    '\U0001f266-\U0001f321\U0001f324-\U0001f393\U0001f396-\U0001f397\U0001f399-\U0001f39b\U0001f39e-\U0001f3f0'
    '\U0001f3f3-\U0001f3f5\U0001f3f7-\U0001f3fa\U0001f400-\U0001f4fd\U0001f4ff-\U0001f53d\U0001f549-\U0001f54e'
    '\U0001f550-\U0001f567\U0001f56f-\U0001f570\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d\U0001f590'
    '\U0001f595-\U0001f596\U0001f5a4-\U0001f5a5\U0001f5a8\U0001f5b1-\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4'
    '\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3'
    '\U0001f5fa-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2\U0001f6d5-\U0001f6e5\U0001f6e9'
    '\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff\U0001f7da-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f'
    '\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae-\U0001f8af\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf'
    '\U0001f8d9-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f'
    '\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd'
    ']'
  )
$function$
;

-- Whether a snapshot is unchanged since it was stored and belongs to the present log.
CREATE OR REPLACE FUNCTION private.is_sound(s public.snapshots)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.head is not null
    and s.head = (select e.hash from public.events e where e.stream_id = s.stream_id and e.version = s.version)
    and s.digest = private.snapshot_digest(s.stream_id, s.version, s.head, s.state)
$function$
;

-- Whether a text has a visible character; events/core/text/visible-text.ts has the same list of invisible ones.
CREATE OR REPLACE FUNCTION private.is_visible(content text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select content ~ (
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f'
    '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
  )
$function$
;

-- Updates private.branches when a document is created, moved, purged or deleted.
CREATE OR REPLACE FUNCTION private.keep_branches()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before private.branches;
  is_counted boolean := tg_op <> 'DELETE' and new.phase <> 'purged';
begin
  select * into before from private.branches b where b.document_id = case when tg_op = 'INSERT' then new.id else old.id end;
  if not is_counted then
    delete from private.branches b where b.document_id = old.id;
  else
    insert into private.branches (document_id, parent_id) values (new.id, new.parent_id)
    on conflict (document_id) do update set parent_id = excluded.parent_id;
  end if;
  if before.parent_id is not null then
    update private.branches b set children = b.children - 1 where b.document_id = before.parent_id;
    perform private.settle_heights(before.parent_id);
  end if;
  if is_counted and new.parent_id is not null then
    update private.branches b set children = b.children + 1 where b.document_id = new.parent_id;
    perform private.settle_heights(new.parent_id);
  end if;
  return null;
end;
$function$
;

-- An upper bound of the cost of an update to its readers: `bytes` expanded, `pieces` (structs that do not continue the
-- letters before them), and `cuts`, whether it only deletes. The same as loadOf in
-- events/crdt/payload/payload-load.ts.
CREATE OR REPLACE FUNCTION private.load_of(update bytea, OUT bytes bigint, OUT pieces bigint, OUT cuts boolean)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  payload bytea := case when private.carried_from(update) is null then update else substring(update from 20) end;
  length bigint := octet_length(payload);
  form int := case when octet_length(payload) > 2 and substring(payload from 1 for 2) = '\x0000'
    then get_byte(payload, 2) end;
begin
  cuts := false;
  bytes := length;
  pieces := length / 4;
  if form is null then
    -- A plain Yjs update. It begins with the number of clients whose structs it has; 0 means that it only deletes.
    cuts := length > 0 and get_byte(payload, 0) = 0;
  elsif form = 2 then
    bytes := least(8388608, length * 1032);
    pieces := length;
  elsif form = 6 then
    bytes := length * 4;
  elsif form = 7 and length >= 11 then
    bytes := ('x' || encode(substring(payload from 4 for 4), 'hex'))::bit(32)::bigint;
    pieces := ('x' || encode(substring(payload from 8 for 4), 'hex'))::bit(32)::bigint;
    cuts := pieces = 0;
  else
    cuts := form in (4, 5, 8);
  end if;
  if cuts then
    pieces := 0;
  end if;
end;
$function$
;

-- Locks the rows that the ruling (the acknowledgement) depends on: account, then memberships. The caller has locked
-- the stream before and locks the workspace's counter last. A batch about members locks all memberships, because the
-- check for a remaining owner reads all of them. On a hosted project the token of a deleted account stays valid for
-- minutes, so a deleted account may not begin or join a stream, and its address is not stored again.
CREATE OR REPLACE FUNCTION private.lock_dependencies(head private.streams, actor uuid, batch private.proposal[], invited boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  phase text;
begin
  if head.kind = 'account' or invited or head.version = 0 then
    select a.phase into phase from public.accounts a where a.user_id = actor for share;
    if phase is distinct from 'deleted' then
      perform private.remember_email(actor);
    elsif head.kind <> 'account' then
      perform private.refuse('not-permitted', 'account-deleted', 'the account was deleted');
    end if;
  end if;
  if head.kind = 'workspace' and exists (select from unnest(batch) as p where p.subject_kind = 'member') then
    perform from public.members where workspace_id = head.workspace_id order by user_id for update;
  else
    perform from public.members where workspace_id = head.workspace_id and user_id = actor for share;
  end if;
end;
$function$
;

-- Locks the head of a stream, or inserts one for an event that begins a stream. Any other event of a missing stream
-- gets the same refusal as one of a stream that the caller may not see.
CREATE OR REPLACE FUNCTION private.lock_stream(stream uuid, first private.proposal)
 RETURNS private.streams
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  head private.streams;
  begins private.transitions;
begin
  select * into head from private.streams where id = stream for update;
  if found then
    return head;
  end if;
  select * into begins from private.transitions t
  where t.subject_kind = t.stream_kind and t.from_phase = 'absent' and t.event_type = first.type
    and t.subject_kind = first.subject_kind and t.retired_at is null;
  -- A user's id is the id of their account's stream. Another stream under this id would block the account.
  if not found or begins.stream_kind <> 'account' and exists (select from auth.users u where u.id = stream) then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  insert into private.streams (id, kind, workspace_id)
  values (stream, begins.stream_kind, case begins.stream_kind
    when 'workspace' then stream
    when 'document' then (first.body::jsonb ->> 'workspaceId')::uuid
  end)
  on conflict do nothing;
  -- A concurrent transaction that inserted this row first has committed by now, and its row is locked here.
  select * into head from private.streams where id = stream for update;
  return head;
end;
$function$
;

-- A batch of one event about the stream itself, with an empty body.
CREATE OR REPLACE FUNCTION private.lone_event(type text)
 RETURNS jsonb
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', type, 'body', '{}'))
$function$
;

-- Marks a document every 32 versions.
CREATE OR REPLACE FUNCTION private.mark_grown_stream()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.need_upkeep(new.id);
  return null;
end;
$function$
;

-- Marks a document at every large update.
CREATE OR REPLACE FUNCTION private.mark_heavy_payload()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.need_upkeep(e.stream_id)
  from public.events e where e.id = new.event_id and e.stream_kind = 'document';
  return null;
end;
$function$
;

-- Marks a document whenever private.announce broadcasts it to its workspace: for edits at most once in five seconds, so
-- that a keystroke costs nothing more.
CREATE OR REPLACE FUNCTION private.mark_stale_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.stale_lines as known (stream_id) values (new.id)
  on conflict (stream_id) do update set tries = 0, taken_at = null, marked_at = now() where known.tries >= 3;
  return null;
end;
$function$
;

-- Whether the caller may read the log of a stream; false for a missing stream as for a forbidden one. The service
-- reads everything, as it does in the tables.
CREATE OR REPLACE FUNCTION private.may_read(stream uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    stream = (select auth.uid())
    or current_setting('role', true) = 'service_role'
    or (
      select case s.kind when 'workspace' then private.role_in(s.workspace_id) is not null
        else private.sees_history(s.workspace_id) end
      from private.streams s where s.id = stream and s.workspace_id is not null
    ),
    false)
$function$
;

-- Whether the caller may read a document at a version. Readers without the right to the history may read the present
-- version and the named ones.
CREATE OR REPLACE FUNCTION private.may_read_version(stream uuid, at_version bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    private.may_read(stream)
    or (
      select private.role_in(s.workspace_id) is not null and (
        at_version = s.version
          or exists (select from public.versions v where v.document_id = stream and v.at = at_version))
      from private.streams s where s.id = stream and s.kind = 'document'
    ),
    false)
$function$
;

-- The limit of this name.
CREATE OR REPLACE FUNCTION private.most(name text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select l.most from private.limits l where l.name = most.name
$function$
;

-- Stores the head of a stream and the position of its workspace, whose counter must be one below the first new
-- position.
CREATE OR REPLACE FUNCTION private.move_head(head private.streams, first_position bigint, last_position bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.streams s
  set version = head.version, hash = head.hash, client_time = head.client_time, recorded_at = head.recorded_at
  where s.id = head.id;
  if head.workspace_id is not null then
    update private.feeds f set position = last_position
    where f.workspace_id = head.workspace_id and f.position = first_position - 1;
    if not found then
      raise exception using errcode = '23514', message = 'the event does not continue its workspace';
    end if;
  end if;
end;
$function$
;

-- The workspaces in which the caller may read the history of documents. A workspace may limit viewers and commenters
-- to named versions. They then read the present text, named versions, comments and members, but no event and no
-- payload of a document. Tables, functions, caches and channels enforce this through this function or
-- private.may_read.
CREATE OR REPLACE FUNCTION private.my_open_workspaces()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.workspace_id from public.members m join public.workspaces w on w.id = m.workspace_id
  where m.user_id = (select auth.uid()) and m.phase = 'active'
    and case m.role when 'viewer' then w.viewer_history when 'commenter' then w.commenter_history
      else 'everything' end = 'everything'
$function$
;
grant execute on function private.my_open_workspaces() to anon, authenticated;

-- The people who share a workspace with the caller now.
CREATE OR REPLACE FUNCTION private.my_people()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select distinct user_id from public.members where workspace_id in (select private.my_workspaces())
    and phase = 'active'
$function$
;
grant execute on function private.my_people() to anon, authenticated;

-- The caller's workspaces. A policy that calls this in a subselect evaluates it once per statement.
CREATE OR REPLACE FUNCTION private.my_workspaces()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select workspace_id from public.members where user_id = (select auth.uid()) and phase = 'active'
$function$
;
grant execute on function private.my_workspaces() to anon, authenticated;

-- Copies a person's name, colour, address and picture into their memberships, or into one of them, if they have
-- changed. Former memberships keep the name and lose the address.
CREATE OR REPLACE FUNCTION private.name_member(person uuid, workspace uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.members m
  set name = known.name, color = coalesce(known.color, m.given_color), picture = known.picture, email = case
    when m.phase = 'active' then known.email end
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name, a.color, a.picture, e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.picture, m.email) is distinct from (known.name, coalesce(known.color, m.given_color),
      known.picture, case when m.phase = 'active' then known.email end)
$function$
;

-- Marks a document. A taken mark is renewed, since its taker may have read the document before this change.
CREATE OR REPLACE FUNCTION private.need_upkeep(stream uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.upkeep as known (stream_id) values (stream)
  on conflict (stream_id) do update set taken_at = null, marked_at = now() where known.taken_at is not null
$function$
;

-- The colour that a workspace assigns to a person who joins: the one that the fewest other active members have. Ties go
-- to the colour that the fewest members have, former ones included, then to the person's own colour, then to the one
-- assigned to them before, then to the first in order.
CREATE OR REPLACE FUNCTION private.next_color(workspace uuid, person uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select o.color
  from unnest('{8,0,5,6,3,9,10,1,11,7,2,4}'::int[]) with ordinality as o (color, place)
  left join public.members m on m.workspace_id = workspace and m.user_id <> person and m.color = o.color
  group by o.color, o.place
  order by count(m.user_id) filter (where m.phase = 'active'), count(m.user_id),
    o.color is distinct from (select a.color from public.accounts a where a.user_id = person),
    o.color is distinct from (
      select own.given_color from public.members own where own.workspace_id = workspace and own.user_id = person
    ),
    o.place
  limit 1
$function$
;

-- Refuses every caller but the service.
CREATE OR REPLACE FUNCTION private.only_indexer()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service indexes documents');
  end if;
end;
$function$
;

-- Parses the proposals of a batch one by one, in order.
CREATE OR REPLACE FUNCTION private.parse_any(stream uuid, events jsonb)
 RETURNS private.proposal[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  parsed private.proposal[] := '{}';
  entry jsonb;
begin
  for entry in select value from jsonb_array_elements(events) with ordinality as list (value, place) order by place loop
    parsed := parsed || private.parse_proposal(stream, entry);
  end loop;
  if (select count(distinct p.id) from unnest(parsed) as p) < cardinality(parsed) then
    perform private.refuse('invalid-event', 'id-repeated', 'two events of a batch have the same id');
  end if;
  return parsed;
exception
  -- The JSON parser recurses, so a body of nested brackets exhausts its stack.
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$function$
;

-- Parses a batch whose events all have one type, an empty body and an update, as edits do; null if an event differs or
-- has a fault. One statement does the work of parse_proposal at a tenth of its cost.
CREATE OR REPLACE FUNCTION private.parse_edits(stream uuid, events jsonb)
 RETURNS private.proposal[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  known private.schemas;
  parsed private.proposal[];
  is_plain boolean;
  wanted text := events #>> '{0,type}';
begin
  select * into known from private.schemas s
  where s.event_type = wanted and s.retired_at is null order by s.version desc limit 1;
  if not found or not known.carries_update or known.subject_kind <> known.stream_kind
    or known.shape <> '{"type": "object", "properties": {}}' then
    return null;
  end if;
  select
    array_agg(row(id, known.event_type, '{}', known.subject_kind, stream, bytes, client_ids, version,
      client_time, null)::private.proposal order by place),
    count(distinct id) = count(*) and bool_and(coalesce(
      entry ->> 'type' = known.event_type and entry -> 'body' = '"{}"' and coalesce(entry -> 'subject', 'null') = 'null'
      and octet_length(bytes) between 1 and 524288 and id is not null and client_ids is not null and version is not null
      and (client_time is null) = (said_time is null), false))
  into parsed, is_plain
  from (
    select entry, place, said_time,
      case when entry ->> 'id' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
        then (entry ->> 'id')::uuid end as id,
      case when length(entry ->> 'update') <= 699052 then private.from_base64(entry ->> 'update') end as bytes,
      case when coalesce(entry -> 'clientIds', 'null') in ('null', '[]') then '{}'::bigint[]
        when jsonb_typeof(entry -> 'clientIds') = 'array' and jsonb_array_length(entry -> 'clientIds') <= 64
          and (entry -> 'clientIds')::text ~ '^\[\d{1,15}(, \d{1,15})*\]$'
            then private.client_ids(entry) end as client_ids,
      case when coalesce(entry -> 'schema', 'null') = 'null' then known.version
        when jsonb_typeof(entry -> 'schema') = 'number' and entry ->> 'schema' ~ '^[1-9][0-9]{0,8}$'
          then (entry ->> 'schema')::int end as version,
      case when said_time ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$'
        and pg_input_is_valid(said_time, 'timestamptz') then said_time::timestamptz end as client_time
    from (select entry, place, entry ->> 'clientTime' as said_time
      from jsonb_array_elements(events) with ordinality as list (entry, place)) as list
    -- `offset 0` keeps the planner from inlining this subquery and decoding each update at every reference.
    offset 0
  ) as entries;
  return case when is_plain then parsed end;
end;
$function$
;

-- Parses a proposal and checks everything that does not depend on the state of the log, so that a refusal reveals
-- nothing about the log.
CREATE OR REPLACE FUNCTION private.parse_proposal(stream uuid, entry jsonb)
 RETURNS private.proposal
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  p private.proposal;
  known private.schemas;
  fault text;
  encoded text;
begin
  if jsonb_typeof(entry) is distinct from 'object' then
    perform private.refuse('invalid-event', 'event-malformed', 'an event is not an object');
  end if;
  if not coalesce(entry ->> 'id' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
    perform private.refuse('invalid-event', 'id-malformed', 'id is not a uuid');
  end if;
  p.id := entry ->> 'id';
  p.type := entry ->> 'type';
  if jsonb_typeof(entry -> 'body') is distinct from 'string' then
    perform private.refuse('invalid-event', 'body-malformed', 'body is not JSON text');
  end if;
  p.body := entry ->> 'body';
  if octet_length(p.body) > 65536 then
    perform private.refuse('too-large', 'body-too-large', 'a body has at most 64 KiB');
  end if;

  select * into known from private.schemas s
  where s.event_type = p.type and s.retired_at is null order by s.version desc limit 1;
  if not found then
    perform private.refuse('invalid-event', 'type-unknown', 'type is unknown');
  end if;
  if coalesce(jsonb_typeof(entry -> 'schema'), 'null') = 'null' then
    p.schema := known.version;
  elsif entry ->> 'schema' ~ '^[1-9][0-9]{0,8}$' and jsonb_typeof(entry -> 'schema') = 'number' then
    p.schema := entry ->> 'schema';
  else
    perform private.refuse('invalid-event', 'schema-malformed', 'schema is not a version');
  end if;
  -- For an event with an update, `schema` is the version of the document's schema; otherwise of the body's.
  if not known.carries_update and p.schema <> known.version then
    select * into known from private.schemas s
    where s.event_type = p.type and s.version = p.schema and s.retired_at is null;
    if not found then
      perform private.refuse('invalid-event', 'schema-unknown', 'this version of the schema is unknown');
    end if;
  end if;

  if not pg_input_is_valid(p.body, 'jsonb') then
    perform private.refuse('invalid-event', 'body-malformed', 'body is not JSON');
  end if;
  fault := private.body_fault(known.shape, p.body::json, 'body');
  if fault is not null then
    perform private.refuse('invalid-event', 'body-malformed', fault);
  end if;

  p.subject_kind := known.stream_kind;
  p.subject_id := stream;
  if coalesce(jsonb_typeof(entry -> 'subject'), 'null') <> 'null' then
    if not coalesce(entry #>> '{subject,id}' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
      perform private.refuse('invalid-event', 'subject-malformed', 'subject is not a kind and an id');
    end if;
    p.subject_kind := entry #>> '{subject,kind}';
    p.subject_id := entry #>> '{subject,id}';
  end if;
  if p.subject_kind is distinct from known.subject_kind
    or (p.subject_kind = known.stream_kind and p.subject_id <> stream) then
    perform private.refuse('invalid-event', 'subject-of-other-kind', 'this event has another kind of subject');
  end if;

  encoded := case when jsonb_typeof(entry -> 'update') = 'null' then null else entry ->> 'update' end;
  if length(encoded) > 699052 then
    perform private.refuse('too-large', 'update-too-large', 'an update has at most 512 KiB');
  end if;
  if encoded is not null then
    p.update := private.from_base64(encoded);
    if p.update is null then
      perform private.refuse('invalid-event', 'update-malformed', 'update is not base64');
    end if;
    if octet_length(p.update) > 524288 then
      perform private.refuse('too-large', 'update-too-large', 'an update has at most 512 KiB');
    end if;
  end if;
  if known.carries_update <> (coalesce(octet_length(p.update), 0) > 0) then
    perform private.refuse('invalid-event', 'update-malformed',
      case when known.carries_update then 'update is missing' else 'this event carries no update' end);
  end if;
  p.client_ids := private.client_ids(entry);
  if not known.carries_update and cardinality(p.client_ids) > 0 then
    perform private.refuse('invalid-event', 'client-ids-without-update', 'clientIds belong to an update');
  end if;

  if coalesce(jsonb_typeof(entry -> 'clientTime'), 'null') <> 'null' then
    if entry ->> 'clientTime' !~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$'
      or not pg_input_is_valid(entry ->> 'clientTime', 'timestamptz') then
      perform private.refuse('invalid-event', 'client-time-malformed', 'clientTime is not a time');
    end if;
    p.client_time := entry ->> 'clientTime';
  end if;
  if coalesce(jsonb_typeof(entry -> 'replaces'), 'null') not in ('null', 'string') then
    perform private.refuse('invalid-event', 'event-malformed', 'replaces is not text');
  end if;
  p.replaces := entry ->> 'replaces';
  return p;
end;
$function$
;

-- Parses the proposals of a batch, in order; refuses an empty batch and one of more than 200 events.
CREATE OR REPLACE FUNCTION private.parse_proposals(stream uuid, events jsonb)
 RETURNS private.proposal[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  parsed private.proposal[];
begin
  if jsonb_typeof(events) = 'string' then
    events := private.decoded_again(events);
  end if;
  if jsonb_typeof(events) is distinct from 'array' or jsonb_array_length(events) = 0 then
    perform private.refuse('invalid-event', 'batch-malformed', 'events is not a list of events');
  end if;
  if jsonb_array_length(events) > 200 then
    perform private.refuse('too-large', 'batch-too-large', 'a batch has at most 200 events');
  end if;
  parsed := private.parse_edits(stream, events);
  if parsed is not null then
    return parsed;
  end if;
  return private.parse_any(stream, events);
end;
$function$
;

-- A document (level 1) and its ancestors, from the document upwards.
CREATE OR REPLACE FUNCTION private.path_of(document uuid)
 RETURNS TABLE(id uuid, parent_id uuid, phase text, level integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with recursive up as (
    select d.id, d.parent_id, d.phase, 1 as level from public.documents d where d.id = document
    union all
    select d.id, d.parent_id, d.phase, up.level + 1 from up join public.documents d on d.id = up.parent_id
  )
  select up.id, up.parent_id, up.phase, up.level from up
$function$
;

-- The commitment of an event to its payload: SHA-256 over its fields. A redaction destroys the salt, without which a
-- short body cannot be guessed from its hash.
CREATE OR REPLACE FUNCTION private.payload_hash(salt bytea, body text, update bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN sha256((((private.hash_field('\x70616c696d70736573742d7061796c6f61642f31'::bytea) || private.hash_field(salt)) || private.hash_field(convert_to(body, 'UTF8'::name))) || private.hash_field(update)))
;

-- For each proposal of a batch, whether it is a plain edit, which only the law, the right and the limits can refuse: it
-- declares no client ids, names a known schema, and has neither copied content nor a tombstone.
CREATE OR REPLACE FUNCTION private.plain_edits(batch private.proposal[])
 RETURNS boolean[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  p private.proposal;
  plain boolean[] := '{}';
  known int[] := array(select t.version from private.text_schemas t);
begin
  foreach p in array batch loop
    plain := plain || (p.type = 'document.edited' and cardinality(p.client_ids) = 0 and p.schema = any (known)
      and coalesce(substring(p.update from 1 for 3) not in ('\x000003', '\x000004', '\x000005'), false));
  end loop;
  return plain;
end;
$function$
;

-- Projects an event: the phase of its subject, then the read models. An event of a thread or comment moves the
-- document's version, but not updated_by and updated_at.
CREATE OR REPLACE FUNCTION private.project(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  hook text;
begin
  insert into private.subjects (stream_id, kind, id, phase, author_id, version)
  values (e.stream_id, e.subject_kind, e.subject_id, e.to_phase, e.actor_id, e.version)
  on conflict (stream_id, kind, id) do update set phase = excluded.phase, version = excluded.version;
  case
    when e.subject_kind = 'thread' then
      update public.documents set version = e.version where id = e.stream_id;
      perform private.project_thread(e, body);
    when e.subject_kind = 'comment' then
      update public.documents set version = e.version where id = e.stream_id;
      perform private.project_comment(e, body);
    when e.stream_kind = 'account' then perform private.project_account(e, body);
    when e.stream_kind = 'workspace' then perform private.project_workspace(e, body);
    when e.stream_kind = 'document' then perform private.project_document(e, body);
  end case;
  for hook in select h.function from private.projection_hooks h where h.event_type = e.type order by h.function loop
    execute format('select private.%I($1, $2)', hook) using e, body;
  end loop;
end;
$function$
;

-- Projects an event of an account. private.append copies the changes into the memberships once for a batch; a rebuild
-- projects memberships after all accounts.
CREATE OR REPLACE FUNCTION private.project_account(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'account.created' then
    insert into public.accounts (user_id, name, color, phase, version, created_at, updated_at)
    values (e.stream_id, '', null, e.to_phase, e.version, e.recorded_at, e.recorded_at);
    return;
  end if;
  -- Sign-ins are private, so they leave updated_at, which members of the same workspace can read.
  update public.accounts
  set phase = e.to_phase,
      version = e.version,
      name = case when e.type = 'account.profile_changed' then body ->> 'name' else name end,
      color = case when e.type = 'account.profile_changed' then (body ->> 'color')::int else color end,
      updated_at = case when e.type like 'account.%' then e.recorded_at else updated_at end
  where user_id = e.stream_id;
end;
$function$
;

-- Removes the personal data of a deleted account. A rebuild finds nothing to remove.
CREATE OR REPLACE FUNCTION private.project_account_deletion(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.destroy_words(e);
  update public.accounts a set name = 'Former member', color = null where a.user_id = e.stream_id;
  delete from private.emails k where k.user_id = e.stream_id;
  delete from public.personal_documents k where k.user_id = e.stream_id;
  delete from public.personal_workspaces k where k.user_id = e.stream_id;
  delete from private.open_uploads k where k.user_id = e.stream_id;
  delete from auth.sessions s where s.user_id = e.stream_id;
  insert into private.deleted_accounts (user_id) values (e.stream_id) on conflict do nothing;
  perform private.name_member(e.stream_id);
end;
$function$
;

-- Projects an event of a comment, and refuses a comment whose thread is not in the same document. Retired hosting
-- phases count, because a rebuild projects old events. A redacted body names no thread.
CREATE OR REPLACE FUNCTION private.project_comment(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'comment.added' then
    if body is null then
      return;
    end if;
    if not exists (
      select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
      where s.stream_id = e.stream_id and s.kind = 'thread' and s.id = (body ->> 'thread')::uuid
    ) then
      perform private.refuse('illegal-transition', 'thread-missing', 'there is no such thread in this document');
    end if;
    insert into public.comments
      (id, document_id, thread_id, workspace_id, phase, version, text, author_id, added_at)
    values (e.subject_id, e.stream_id, (body ->> 'thread')::uuid, e.workspace_id, e.to_phase, e.version,
      body ->> 'text', e.actor_id, e.recorded_at);
    return;
  end if;
  update public.comments
  set phase = e.to_phase,
      version = e.version,
      text = case e.type when 'comment.edited' then coalesce(body ->> 'text', '') when 'comment.deleted'
        then '' else text end,
      edited_at = case when e.type = 'comment.edited' then e.recorded_at else edited_at end
  where document_id = e.stream_id and id = e.subject_id;
end;
$function$
;

-- Projects an event of a document.
CREATE OR REPLACE FUNCTION private.project_document(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'document.created' then
    insert into public.documents
      (id, workspace_id, title, phase, version, created_by, created_at, updated_by, updated_at, edits)
    values (e.stream_id, e.workspace_id, body ->> 'title', e.to_phase, e.version,
      e.actor_id, e.recorded_at, e.actor_id, e.recorded_at, 0);
    return;
  end if;
  update public.documents
  set version = e.version,
      updated_by = e.actor_id,
      updated_at = e.recorded_at,
      phase = case when e.subject_kind = 'document' then e.to_phase else phase end,
      title = case when e.type = 'document.renamed' then body ->> 'title' else title end,
      edits = edits + (e.type = 'document.edited')::int,
      forked_from = case when e.type = 'document.forked' then (body ->> 'document')::uuid else forked_from end,
      forked_at = case when e.type = 'document.forked' then (body ->> 'version')::bigint else forked_at end
  where id = e.stream_id;
  if e.subject_kind <> 'document' then
    perform private.project_inside_document(e, body);
  end if;
end;
$function$
;

-- Projects the icon of a document. private.project_document updates the other columns.
CREATE OR REPLACE FUNCTION private.project_document_icon(e public.events, body jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.documents d set icon = body ->> 'emoji' where d.id = e.stream_id
$function$
;

-- Projects the place of a document. A new document comes last at the top level. A moved one comes after the sibling
-- `after`, last if that sibling has moved elsewhere meanwhile, or first if `after` is null. A restored one keeps its
-- place; if an ancestor is in the trash, it comes last in the parent of the topmost trashed ancestor.
CREATE OR REPLACE FUNCTION private.project_document_place(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  own public.documents;
  parent uuid;
  list uuid;
  low text;
  high text;
  place text;
begin
  select * into own from public.documents d where d.id = e.stream_id;
  if e.type = 'document.moved' then
    parent := (body ->> 'parent')::uuid;
  elsif e.type = 'document.restored' then
    select above.parent_id into parent from private.path_of(own.parent_id) as above
    where above.phase <> 'live' order by above.level desc limit 1;
    if not found then
      return;
    end if;
  end if;
  list := coalesce(parent, own.workspace_id);
  if e.type = 'document.moved' and body ->> 'after' is null then
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
  else
    select d.rank into low from public.documents d
    where d.id = (body ->> 'after')::uuid and coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    if not found then
      select max(d.rank) into low from public.documents d
      where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    end if;
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id and d.rank > low;
  end if;
  place := private.rank_between(low, high);
  if length(place) > 1000 then
    perform private.refuse('illegal-transition', 'no-room-between',
      'there is no more room between these two documents');
  end if;
  update public.documents d set parent_id = parent, rank = place where d.id = own.id;
end;
$function$
;

-- Destroys all text of a purged document, in payloads, read models and derived states. A rebuild finds nothing to
-- destroy. The anchor of a thread is no text: a purge leaves it, as a redaction does.
CREATE OR REPLACE FUNCTION private.project_document_purge(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  delete from private.upkeep u where u.stream_id = e.stream_id;
  delete from private.tombstones t using public.events before
  where before.stream_id = e.stream_id and t.event_id = before.id;
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), update = private.purged_update(p.update),
    redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null;
  update private.streams s set redacted_at = e.version where s.id = e.stream_id and s.redacted_at < e.version;
  perform private.drop_caches(e.stream_id);
  update public.comments c set text = '' where c.document_id = e.stream_id;
  update public.threads t set quote = '' where t.document_id = e.stream_id;
  update public.versions v set name = '' where v.document_id = e.stream_id;
  update public.documents d set title = '', icon = null, template = false where d.id = e.stream_id;
end;
$function$
;

-- Projects whether a document is a template.
CREATE OR REPLACE FUNCTION private.project_document_template(e public.events, body jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.documents d set template = (body ->> 'template')::boolean where d.id = e.stream_id
$function$
;

-- Projects `count` consecutive edits that end with `last`, with the same result as private.project for each.
CREATE OR REPLACE FUNCTION private.project_edits(last public.events, count integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update private.subjects s set phase = last.to_phase, version = last.version
  where s.stream_id = last.stream_id and s.kind = last.subject_kind and s.id = last.subject_id;
  update public.documents d
  set version = last.version, updated_by = last.actor_id, updated_at = last.recorded_at,
    edits = d.edits + project_edits.count
  where d.id = last.stream_id;
end;
$function$
;

-- Projects a file. A redacted event has an empty name and gets no row.
CREATE OR REPLACE FUNCTION private.project_file(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if body ->> 'name' = '' then
    return;
  end if;
  if not exists (
    select from private.files f where f.workspace_id = e.workspace_id and f.sha256 = body ->> 'sha256'
  ) then
    perform private.count_file(e.workspace_id, (body ->> 'bytes')::bigint);
  end if;
  insert into private.files
    (version, bytes, attached_at, width, height, id, document_id, workspace_id, actor_id, sha256, type, name)
  values (e.version, (body ->> 'bytes')::bigint, e.recorded_at, (body ->> 'width')::int, (body ->> 'height')::int,
    e.subject_id, e.stream_id, e.workspace_id, e.actor_id, body ->> 'sha256', body ->> 'type', body ->> 'name');
  delete from private.pending_deletions d where d.workspace_id = e.workspace_id and d.sha256 = body ->> 'sha256';
end;
$function$
;

-- Deletes the files of a purged document.
CREATE OR REPLACE FUNCTION private.project_files_purge(e public.events, body jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from private.files f where f.document_id = e.stream_id
$function$
;

-- Projects an event of a subject inside a document other than threads and comments.
CREATE OR REPLACE FUNCTION private.project_inside_document(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  case e.subject_kind
    when 'version' then perform private.project_version(e, body);
    else null;
  end case;
end;
$function$
;

-- Projects an event of an invitation.
CREATE OR REPLACE FUNCTION private.project_invitation(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'invitation.created' then
    insert into public.invitations (id, workspace_id, kind, email, role, phase, expires_at, created_by, created_at)
    values (e.subject_id, e.stream_id, body ->> 'kind', body ->> 'email', body ->> 'role', e.to_phase,
      to_timestamp((body ->> 'expiresAt')::numeric / 1000), e.actor_id, e.recorded_at);
    insert into private.invitation_tokens (invitation_id, token_hash, version)
    values (e.subject_id, body ->> 'tokenHash', e.version);
  else
    update public.invitations set phase = e.to_phase where id = e.subject_id;
  end if;
end;
$function$
;

-- Destroys the text of a workspace when its last member has left, after which no person can read it again.
CREATE OR REPLACE FUNCTION private.project_last_departure(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.members m where m.workspace_id = e.stream_id and m.phase = 'active') then
    return;
  end if;
  perform private.destroy_words(e);
  update public.workspaces w set name = '' where w.id = e.stream_id;
  update public.invitations i set email = '' where i.workspace_id = e.stream_id and i.email is not null;
end;
$function$
;

-- Projects a change of a member's role or phase. An event that takes a right away moves the workspace's channels to a
-- new epoch. A viewer who becomes a commenter loses a right if the workspace limits commenters, but not viewers, to
-- named versions.
CREATE OR REPLACE FUNCTION private.project_member(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before public.members;
begin
  if e.type = 'member.joined' then
    perform private.admit(e, e.subject_id, body ->> 'role',
      coalesce((body ->> 'color')::int, private.first_color(e.subject_id)));
    return;
  end if;
  select * into before from public.members where workspace_id = e.stream_id and user_id = e.subject_id;
  update public.members
  set phase = e.to_phase,
      role = coalesce(case when e.type = 'member.role_changed' then body ->> 'role' end, role),
      email = case when e.to_phase = 'active' then email end,
      updated_at = e.recorded_at
  where workspace_id = e.stream_id and user_id = e.subject_id;
  if e.to_phase <> 'active' or private.rank(body ->> 'role') < private.rank(before.role)
    or before.role = 'viewer' and body ->> 'role' = 'commenter' and exists (
      select from public.workspaces w
      where w.id = e.stream_id and w.viewer_history = 'everything' and w.commenter_history = 'versions'
    )
  then
    update private.feeds set epoch = e.version where workspace_id = e.stream_id;
  end if;
end;
$function$
;

-- Projects the picture of a person. private.name_member copies it into their memberships.
CREATE OR REPLACE FUNCTION private.project_picture(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.accounts a set picture = (body ->> 'picture')::uuid where a.user_id = e.stream_id;
end;
$function$
;

-- Removes the text of a redacted event from the read models, unless a later event has replaced it. The redaction of
-- file.attached deletes the file's row. The result equals a projection of the redacted log.
CREATE OR REPLACE FUNCTION private.project_redaction(e public.events)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'thread.opened' then
    update public.threads set quote = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type = 'file.attached' then
    delete from private.files f where f.document_id = e.stream_id and f.id = e.subject_id;
  elsif exists (
    select from public.events later
    where later.stream_id = e.stream_id and later.version > e.version
      and later.subject_kind = e.subject_kind and later.subject_id = e.subject_id
      and later.type in ('document.renamed', 'version.renamed', 'comment.edited', 'comment.deleted')
  ) then
    return;
  elsif e.type in ('comment.added', 'comment.edited') then
    update public.comments set text = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('version.named', 'version.renamed') then
    update public.versions set name = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('document.created', 'document.renamed') then
    update public.documents set title = '' where id = e.stream_id;
  end if;
end;
$function$
;

-- Projects an event of a thread. A redacted body has no anchor and no quote.
CREATE OR REPLACE FUNCTION private.project_thread(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'thread.opened' then
    insert into public.threads
      (id, document_id, workspace_id, phase, version, anchor_start, anchor_end, quote, opened_by,
        opened_at, opened_version)
    values (e.subject_id, e.stream_id, e.workspace_id, e.to_phase, e.version,
      coalesce(body ->> 'start', ''), coalesce(body ->> 'end', ''), coalesce(body ->> 'quote', ''),
        e.actor_id, e.recorded_at, e.version);
    return;
  end if;
  update public.threads
  set phase = e.to_phase,
      version = e.version,
      resolved_by = case when e.type = 'thread.resolved' then e.actor_id end,
      resolved_at = case when e.type = 'thread.resolved' then e.recorded_at end
  where document_id = e.stream_id and id = e.subject_id;
end;
$function$
;

-- Projects an event of a named version.
CREATE OR REPLACE FUNCTION private.project_version(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if e.type = 'version.named' then
    insert into public.versions
      (id, document_id, workspace_id, at, name, pinned, phase, created_by, created_at, updated_at)
    values (e.subject_id, e.stream_id, e.workspace_id, (body ->> 'at')::bigint, body ->> 'name', false, e.to_phase,
      e.actor_id, e.recorded_at, e.recorded_at);
    return;
  end if;
  update public.versions
  set phase = e.to_phase,
      pinned = e.to_phase = 'pinned',
      name = case when e.type = 'version.renamed' then body ->> 'name' else name end,
      updated_at = e.recorded_at
  where document_id = e.stream_id and id = e.subject_id;
end;
$function$
;

-- Projects an event of a workspace.
CREATE OR REPLACE FUNCTION private.project_workspace(e public.events, body jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  before public.workspaces;
begin
  if e.type = 'workspace.created' then
    insert into public.workspaces (id, name, phase, version, created_by, created_at, updated_at)
    values (e.stream_id, body ->> 'name', e.to_phase, e.version, e.actor_id, e.recorded_at, e.recorded_at);
    -- This event also makes the creator the first owner, as in machines/member.ts; no member.joined follows.
    insert into private.subjects (stream_id, kind, id, phase, author_id, version)
    values (e.stream_id, 'member', e.actor_id, 'active', e.actor_id, e.version);
    perform private.admit(e, e.actor_id, 'owner', 8);
    return;
  end if;
  select * into before from public.workspaces where id = e.stream_id;
  update public.workspaces
  set version = e.version,
      updated_at = e.recorded_at,
      viewer_history = case when e.type = 'workspace.history_graded' then body ->> 'viewer' else viewer_history end,
      commenter_history = case when e.type = 'workspace.history_graded' then body ->> 'commenter'
        else commenter_history end,
      phase = case when e.subject_kind = 'workspace' then e.to_phase else phase end,
      name = case when e.type = 'workspace.renamed' then body ->> 'name' else name end
  where id = e.stream_id;
  if e.type = 'workspace.history_graded' and (
    before.viewer_history = 'everything' and body ->> 'viewer' = 'versions'
    or before.commenter_history = 'everything' and body ->> 'commenter' = 'versions'
  ) then
    -- Clients that have joined a document's channel keep the lost right until the channel's name changes.
    update private.feeds set epoch = e.version where workspace_id = e.stream_id;
  end if;
  if e.subject_kind = 'member' then
    perform private.project_member(e, body);
  elsif e.subject_kind = 'invitation' then
    perform private.project_invitation(e, body);
  end if;
end;
$function$
;

-- The stored form of an update in a purged document, which is never folded.
CREATE OR REPLACE FUNCTION private.purged_update(update bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when update is not null then '\x000005'::bytea end
$function$
;

-- The rank of a role: each role has the rights of all lower ones. Null for any other text.
CREATE OR REPLACE FUNCTION private.rank(role text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE role WHEN 'owner'::text THEN 4 WHEN 'editor'::text THEN 3 WHEN 'commenter'::text THEN 2 WHEN 'viewer'::text THEN 1 ELSE NULL::integer END
;

-- A rank between two others (null `low`: before all; null `high`: after all). A rank is a counter of eight hexadecimal
-- digits, followed by as many fractional digits as needed, the last of which is not 0.
CREATE OR REPLACE FUNCTION private.rank_between(low text, high text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  digits constant text := '0123456789abcdef';
  whole bigint;
  found text;
  lesser int;
  greater int;
begin
  if low is null and high is null then
    return '80000000';
  end if;
  whole := ('x' || lpad(left(coalesce(low, high), 8), 16, '0'))::bit(64)::bigint;
  whole := whole + case when low is null then -1 else 1 end;
  found := lpad(to_hex(whole), 8, '0');
  if low is null or high is null or found collate "C" < high collate "C" then
    return found;
  end if;
  found := left(low, 8);
  -- The counter of `low` is smaller, so its fraction has no upper bound.
  if left(high, 8) <> found then
    high := null;
  end if;
  loop
    -- Past the end of a rank `substring` is empty, and `strpos` finds an empty text at 1: the digit 0.
    lesser := strpos(digits, substring(low from length(found) + 1 for 1)) - 1;
    greater := coalesce(strpos(digits, substring(high from length(found) + 1 for 1)) - 1, 16);
    if greater - lesser > 1 then
      return found || substring(digits from (lesser + greater) / 2 + 1 for 1);
    end if;
    found := found || substring(digits from lesser + 1 for 1);
    if greater > lesser then
      high := null;
    end if;
  end loop;
end;
$function$
;

-- A body without the text that people wrote and without the address of an invitation. Ids and numbers stay.
CREATE OR REPLACE FUNCTION private.redacted_body(body text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select (body::jsonb || coalesce(
    (select jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then '[]'::jsonb else '""'::jsonb end)
     from jsonb_each(body::jsonb)
     where key in ('title', 'text', 'quote', 'name', 'label', 'authors', 'email') and jsonb_typeof(value) <> 'null'),
    '{}'))::text
$function$
;

-- Refuses a call. The message is one of the names in events/log/refusal-reasons.ts, and the SQLSTATE selects the HTTP
-- status of PostgREST's response. The hint is the reason, a code that clients branch on. The detail says the same in
-- words and reveals nothing that the caller may not see.
CREATE OR REPLACE FUNCTION private.refuse(name text, reason text, detail text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    message = name,
    hint = reason,
    detail = detail,
    errcode = case name
      when 'version-conflict' then 'PT409'
      when 'illegal-transition' then 'PT422'
      when 'not-permitted' then 'PT403'
      when 'invalid-event' then 'PT400'
      when 'too-large' then 'PT413'
    end;
end;
$function$
;

-- Refuses the statement that it is attached to.
CREATE OR REPLACE FUNCTION private.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using
    errcode = '42501',
    message = format('%I is append-only: %s is refused for everyone', tg_table_name, tg_op);
end;
$function$
;

-- Refuses an event that would exceed a limit; the reason is the limit's name.
CREATE OR REPLACE FUNCTION private.refuse_limit(name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform private.refuse('too-large', name, format('limit %s: %s', name, private.most(name)));
end;
$function$
;

-- Refuses a statement of any role but the owner of the table, which also owns append_events.
CREATE OR REPLACE FUNCTION private.refuse_others()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    raise exception using
      errcode = '42501',
      message = format('%I is written by append_events alone: %s is refused', tg_table_name, tg_op);
  end if;
  return null;
end;
$function$
;

-- Registers a table of derived states: redactions delete its rows, and restricted readers cannot read it.
CREATE OR REPLACE FUNCTION private.register_cache(cache regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.caches (relation) values (cache);
  execute format('create trigger b_guard_cache before insert or update on %s
    for each row execute function private.guard_cache()', cache);
  execute format('alter table %s enable always trigger b_guard_cache', cache);
  perform private.grade_cache(cache);
end;
$function$
;

-- Stores the e-mail address in the caller's token and copies a changed one into their memberships.
CREATE OR REPLACE FUNCTION private.remember_email(person uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.emails as known (user_id, email)
  select person, lower(auth.jwt() ->> 'email') where coalesce(auth.jwt() ->> 'email', '') <> ''
  on conflict (user_id) do update set email = excluded.email where known.email <> excluded.email;
  if found then
    perform private.name_member(person);
  end if;
end;
$function$
;

-- The stored event that a resent proposal repeats, if the caller still holds the right for it; null for a new id.
-- Refuses an id that belongs to another event.
CREATE OR REPLACE FUNCTION private.repeated(p private.proposal, stream uuid, actor uuid, role text, invited boolean)
 RETURNS public.events
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  stored public.events;
  subject private.subjects;
  needs text;
begin
  select * into stored from public.events where id = p.id;
  if not found then
    return null;
  end if;
  select s.* into subject from private.subjects s
  where s.stream_id = stored.stream_id and s.kind = stored.subject_kind and s.id = stored.subject_id;
  select t.needs into needs from private.transitions t
  where t.subject_kind = stored.subject_kind and t.from_phase = stored.from_phase
    and t.event_type = stored.type and t.to_phase = stored.to_phase;
  if stored.stream_id = stream and stored.actor_id = actor and stored.type = p.type
    and stored.subject_kind = p.subject_kind and stored.subject_id = p.subject_id
    and private.holds(needs, actor, role, stored.subject_id, subject.author_id, invited)
    and exists (
      select from public.event_payloads as kept
      where kept.event_id = stored.id and stored.payload_hash = private.payload_hash(kept.salt, p.body, p.update)
    ) then
    return stored;
  end if;
  if role is null then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  perform private.refuse('invalid-event', 'id-taken', 'this id belongs to another event');
end;
$function$
;

-- Revokes open invitations to a workspace, so that no person can join it; stops after the batch during which `until`
-- passes.
CREATE OR REPLACE FUNCTION private.revoke_invitations(workspace uuid, until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  events jsonb;
begin
  loop
    select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.revoked', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', open.id)))
    into events from (
      select i.id from public.invitations i where i.workspace_id = workspace and i.phase = 'open' limit 200
    ) as open;
    exit when events is null;
    perform private.append(workspace, null, events, false);
    exit when clock_timestamp() > until;
  end loop;
end;
$function$
;

-- The caller's role in a workspace; null for strangers and former members.
CREATE OR REPLACE FUNCTION private.role_in(workspace uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select role from public.members
  where workspace_id = workspace and user_id = (select auth.uid()) and phase = 'active'
$function$
;
grant execute on function private.role_in(uuid) to anon, authenticated;

-- Appends one new proposal: checks the law, the right and the body, then writes the row, the payload and the
-- projections.
CREATE OR REPLACE FUNCTION private.rule(p private.proposal, head private.streams, actor uuid, role text, invited boolean)
 RETURNS public.events
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  -- In a workspace an earlier event of the batch may have changed the role; in a document the membership is locked.
  rule private.transitions := private.check_law(p, head, actor,
    case head.kind when 'workspace' then private.role_in(head.workspace_id) when 'document' then role end, invited);
  e public.events;
  previous bytea;
  salt bytea := uuid_send(gen_random_uuid());
  body jsonb := p.body;
begin
  select s.version + 1, greatest(clock_timestamp(), s.recorded_at + interval '1 microsecond'), s.client_time, s.hash,
    (select f.position + 1 from private.feeds f where f.workspace_id = s.workspace_id)
  into e.version, e.recorded_at, e.client_time, previous, e.position
  from private.streams s where s.id = head.id;
  perform private.check_meaning(p, body, head.id, e.version - 1);
  e.id := p.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  e.type := p.type;
  e.subject_kind := p.subject_kind;
  e.subject_id := p.subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.schema := p.schema;
  e.actor_id := actor;
  if cardinality(p.client_ids) > 0 then
    e.client_ids := private.bind_clients(head.id, p.client_ids, actor, e.version, private.carried_from(p.update));
  end if;
  e.client_time := greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), e.client_time);
  e.payload_hash := private.payload_hash(salt, p.body, p.update);
  e.hash := private.event_hash(previous, e);
  insert into public.events select e.*;
  insert into public.event_payloads (event_id, salt, body, update) values (e.id, salt, p.body, p.update);
  perform private.project(e, body);
  if p.type = 'document.redacted' then
    perform private.destroy_payload((body ->> 'event')::uuid, e.stream_id, e.version, p.update);
  end if;

  -- A workspace may lose its last owner only when its last member leaves because their account was deleted.
  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) and not (
    p.type = 'member.left'
    and not exists (select from public.members m where m.workspace_id = head.id and m.phase = 'active')
    and exists (select from public.accounts a where a.user_id = actor and a.phase = 'deleted')
  ) then
    perform private.refuse('not-permitted', 'last-owner',
      'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$function$
;

-- Appends consecutive plain edits with one statement for each table, with the same result as private.rule for each.
-- Returns null, and appends nothing, if a limit could refuse one of several or if a hook projects edits.
CREATE OR REPLACE FUNCTION private.rule_edits(edits private.proposal[], head private.streams, actor uuid, role text)
 RETURNS public.events[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  rule private.transitions := private.check_law(edits[1], head, actor, role, false);
  rows public.events[] := '{}';
  salts bytea[] := '{}';
  p private.proposal;
  e public.events;
  previous bytea;
begin
  -- A single edit beyond a limit is refused by the trigger that counts it.
  if rule.from_phase <> rule.to_phase or cardinality(edits) > 1 and not private.has_room(head.id, edits)
    or exists (select from private.projection_hooks h where h.event_type = rule.event_type) then
    return null;
  end if;
  select s.version, s.recorded_at, s.client_time, s.hash,
    (select f.position from private.feeds f where f.workspace_id = s.workspace_id)
  into e.version, e.recorded_at, e.client_time, previous, e.position
  from private.streams s where s.id = head.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  e.type := rule.event_type;
  e.subject_kind := rule.subject_kind;
  e.subject_id := edits[1].subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.actor_id := actor;
  foreach p in array edits loop
    e.id := p.id;
    e.version := e.version + 1;
    e.position := e.position + 1;
    e.recorded_at := greatest(clock_timestamp(), e.recorded_at + interval '1 microsecond');
    e.client_time := greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), e.client_time);
    e.schema := p.schema;
    salts := salts || uuid_send(gen_random_uuid());
    e.payload_hash := private.payload_hash(salts[cardinality(salts)], p.body, p.update);
    previous := private.event_hash(previous, e);
    e.hash := previous;
    rows := rows || e;
  end loop;
  insert into public.events select r.* from unnest(rows) as r;
  insert into public.event_payloads (event_id, salt, body, update)
  select edit.id, salts[edit.place], edit.body, edit.update
  from unnest(edits) with ordinality
    as edit (id, type, body, subject_kind, subject_id, update, client_ids, schema, client_time, replaces,
      place);
  perform private.project_edits(e, cardinality(rows));
  return rows;
end;
$function$
;

-- The ruling on one event of a batch (its acknowledgement).
CREATE OR REPLACE FUNCTION private.ruling(e public.events)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN jsonb_build_object('id', (e).id, 'version', (e).version, 'hash', encode((e).hash, 'hex'::text), 'recordedAt', to_char(((e).recorded_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text), 'toPhase', (e).to_phase)
;

-- A query for all words (the first 24), in any order, without operators. A word from 3 letters on, the last one from 2,
-- also matches longer words that begin with it; text in quotation marks matches whole words in sequence. Empty without
-- a word.
CREATE OR REPLACE FUNCTION private.search_query(words text, belongs text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  with terms as (
    select coalesce(found.parts[1], found.parts[2]) as term, found.parts[1] is not null as quoted, found.n,
      found.n = count(*) over () as is_last
    from regexp_matches(translate(words, '“”„‟«»＂', '"""""""'), '"([^"]*)"?|([^"\s]+)', 'g')
      with ordinality as found (parts, n)
  ), tokens as (
    select terms.n, terms.quoted, terms.is_last, t.word, t.at, t.alone, t.is_gram,
      t.at - lag(t.at) over each as distance, row_number() over each = count(*) over (partition by terms.n) as closes
    from terms cross join lateral private.search_tokens(terms.term) as t
    where not t.ends
    window each as (partition by terms.n order by t.at)
  ), written as (
    select t.n, string_agg(
      coalesce('<' || t.distance || '>', '') || '''' || belongs || t.word || ''''
      || case when t.alone or (not t.quoted and t.closes and not t.is_gram
        and char_length(t.word) >= case when t.is_last then 2 else 3 end) then ':*' else '' end,
      ' ' order by t.at) as part
    from tokens t group by t.n
  )
  select coalesce(string_agg('(' || w.part || ')', ' & ' order by w.n), '')::tsquery from written w where w.n <= 24
$function$
;

-- The tokens of a text, each with its place: words, and pairs of letters in scripts without word breaks. `alone` marks
-- a run of a single such letter; `ends` marks the last letter of a longer run, a token of one letter.
CREATE OR REPLACE FUNCTION private.search_tokens(content text)
 RETURNS TABLE(word text, at integer, alone boolean, ends boolean, is_gram boolean)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  with pieces as (
    select found.parts[1] as grams, found.parts[2] as word, found.n,
      coalesce(char_length(found.parts[1]), 1) as length
    from regexp_matches(private.folded(content),
      '([' || private.gram_letters() || ']+)|([^' || private.gram_letters() || private.word_breaks() || ']+)', 'g')
      with ordinality as found (parts, n)
  ), placed as (
    select p.*, (sum(p.length) over (order by p.n) - p.length)::int as before from pieces p
  )
  select left(p.word, 40), p.before + 1, false, false, false from placed p where p.grams is null
  union all
  select substr(p.grams, i, 2), p.before + i, p.length = 1, p.length > 1 and i = p.length, true
  from placed p cross join lateral generate_series(1, p.length) as i where p.grams is not null
$function$
;

-- The tokens of an entry as a text search vector. Each begins with the number of the workspace and the class of the
-- entry, so a query reads no entry that its caller may not read, and its duration reveals nothing about such entries.
-- Arabic and Hebrew words are also indexed without article or particle.
CREATE OR REPLACE FUNCTION private.search_vector(content text, belongs text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  with tokens as (select t.word, t.at from private.search_tokens(content) as t)
  select coalesce(string_agg('''' || belongs || each.word || ''':' || each.at, ' '), '')::tsvector
  from (
    select t.word, t.at from tokens t
    union all
    select substring(t.word from '^[وفبكل]?(?:ال|لل)(..+)$'), t.at from tokens t
    where t.word ~ '^[وفبكل]?(ال|لل)..'
    union all
    select substr(t.word, 2), t.at from tokens t
    where t.word ~ '^([והבלמשכ][א-ת]{3}|[وفبكل][ء-ي]{3})' and t.word !~ '^[وفبكل]?(ال|لل)..'
  ) as each
$function$
;

-- Whether the caller may read the history of a workspace's documents.
CREATE OR REPLACE FUNCTION private.sees_history(workspace uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select workspace in (select private.my_open_workspaces())
$function$
;

-- Updates the heights of a document and its ancestors, up to the first that stays the same.
CREATE OR REPLACE FUNCTION private.settle_heights(document uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  while document is not null loop
    update private.branches b set height = tallest.height
    from (select coalesce(max(c.height), 0) + 1 as height from private.branches c where c.parent_id = document) as tallest
    where b.document_id = document and b.height <> tallest.height
    returning b.parent_id into document;
    exit when not found;
  end loop;
end;
$function$
;

-- The digest of a snapshot: SHA-256 over its stream, version, event hash and state.
CREATE OR REPLACE FUNCTION private.snapshot_digest(stream uuid, version bigint, head bytea, state bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select sha256(convert_to('palimpsest snapshot' || stream::text || ' ' || version::text || ' ', 'UTF8')
    || head || state)
$function$
;

-- Adds to the count of a kind; refuses a count beyond its limit.
CREATE OR REPLACE FUNCTION private.tally(scope uuid, part uuid, kind text, more bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  reached bigint;
begin
  insert into private.tallies as known (scope, part, kind, count) values (scope, part, kind, more)
  on conflict on constraint tallies_pkey do update set count = known.count + excluded.count
  returning known.count into reached;
  if reached > private.most(kind) then
    perform private.refuse_limit(kind);
  end if;
end;
$function$
;

-- A time as microseconds since 1970, a 64-bit big-endian integer.
CREATE OR REPLACE FUNCTION private.time_send(moment timestamp with time zone)
 RETURNS bytea
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN int8send(((EXTRACT(epoch FROM moment) * (1000000)::numeric))::bigint)
;

-- A found entry as the caller receives it. Restricted readers get the author and time of comments only, and for past
-- text the newest named version in which it is present.
CREATE OR REPLACE FUNCTION private.told_entry(m private.search_entries, sees_history boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('document', m.stream_id, 'kind', m.kind, 'text', m.text, 'stands', m.class = 'n',
      'thread', m.thread_id)
    || case
      when sees_history then jsonb_build_object('author', m.author_id, 'authors', m.authors, 'since', m.written_at,
        'from', m.from_version, 'until', m.to_time, 'endedBy', m.ended_by, 'gone', m.class in ('g', 'h'),
        'stoodAt', m.stood_version, 'stoodEdit', m.stood_edit)
      when m.kind = 'comment' then jsonb_build_object('author', m.author_id, 'since', m.written_at)
      else coalesce((select jsonb_build_object('named', v.name, 'stoodAt', v.at) from public.versions v
        where m.class <> 'n' and v.document_id = m.stream_id and v.at = any (m.named_at)
        order by v.at desc limit 1), '{}')
    end
$function$
;

-- The caller's right on a topic: 'speak' or 'listen'; null without a right, or for any name but the present one.
CREATE OR REPLACE FUNCTION private.topic_access(topic text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  stream uuid := substring(topic
    from '^(?:account|workspace|document):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):[0-9]{1,18}$')::uuid;
begin
  if stream is null or public.stream_topic(stream) is distinct from topic then
    return null;
  end if;
  if topic like 'document:%' and private.rank(
    (select private.role_in(workspace_id) from private.streams where id = stream)) >= private.rank('editor') then
    return 'speak';
  end if;
  return 'listen';
end;
$function$
;
grant execute on function private.topic_access(text) to anon, authenticated;

-- The present topic of a stream, without a check of the caller.
CREATE OR REPLACE FUNCTION private.topic_of(stream uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.kind || ':' || s.id || ':' || coalesce(f.epoch, 0)
  from private.streams s left join private.feeds f on f.workspace_id = s.workspace_id
  where s.id = stream
$function$
;

-- The characters between words.
CREATE OR REPLACE FUNCTION private.word_breaks()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f'
    '\u066a-\u066d\u06d4\u06dd\u06de\u0964\u0965\u0e2f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u17d4-\u17da\u1680'
    '\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004'
    '\u3008-\u3020\u3030\u303d-\u3040\u30a0\u30fb\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff01-\uff0f\ufff0-\uffff'
$function$
;

-- The workspace of a document whose present version the caller may read; null for any other.
CREATE OR REPLACE FUNCTION private.workspace_of_document(document uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.workspace_id from private.streams s
  where s.id = document and s.kind = 'document' and private.role_in(s.workspace_id) is not null
$function$
;

-- The workspaces of a person with the effect of their leaving: `alone` if no other member is active, `kept` if others
-- are but this person is the only owner, otherwise `left`.
CREATE OR REPLACE FUNCTION private.workspaces_without(person uuid)
 RETURNS TABLE(id uuid, name text, effect text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select w.id, w.name, case
    when count(o.user_id) = 0 then 'alone'
    when own.role = 'owner' and count(o.user_id) filter (where o.role = 'owner') = 0 then 'kept'
    else 'left' end
  from public.members own
  join public.workspaces w on w.id = own.workspace_id
  left join public.members o on o.workspace_id = w.id and o.user_id <> person and o.phase = 'active'
  where own.user_id = person and own.phase = 'active'
  group by w.id, w.name, own.role
  order by w.id
$function$
;

-- Rows of private.transitions
--   {"needs": "self", "to_phase": "active", "event_type": "account.created", "from_phase": "absent", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "invited", "to_phase": "deleted", "event_type": "account.deleted", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "account.picture_set", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "account.profile_changed", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "auth.password_recovery", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "auth.signed_in", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "auth.signed_out", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "auth.token_refreshed", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "self", "to_phase": "active", "event_type": "auth.user_updated", "from_phase": "active", "stream_kind": "account", "subject_kind": "account"}
--   {"needs": "commenter", "to_phase": "shown", "event_type": "comment.added", "from_phase": "absent", "stream_kind": "document", "subject_kind": "comment"}
--   {"needs": "author", "to_phase": "deleted", "event_type": "comment.deleted", "from_phase": "shown", "stream_kind": "document", "subject_kind": "comment"}
--   {"needs": "author", "to_phase": "shown", "event_type": "comment.edited", "from_phase": "shown", "stream_kind": "document", "subject_kind": "comment"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.created", "from_phase": "absent", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.edited", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.forked", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.icon_set", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.imported", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.merged", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.moved", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "owner", "to_phase": "purged", "event_type": "document.purged", "from_phase": "trashed", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "owner", "to_phase": "live", "event_type": "document.redacted", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "owner", "to_phase": "trashed", "event_type": "document.redacted", "from_phase": "trashed", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.renamed", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.restored", "from_phase": "trashed", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.reverted", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.reworked", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.step_imported", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "live", "event_type": "document.template_set", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "trashed", "event_type": "document.trashed", "from_phase": "live", "stream_kind": "document", "subject_kind": "document"}
--   {"needs": "editor", "to_phase": "attached", "event_type": "file.attached", "from_phase": "absent", "stream_kind": "document", "subject_kind": "file"}
--   {"needs": "commenter", "to_phase": "open", "event_type": "thread.opened", "from_phase": "absent", "stream_kind": "document", "subject_kind": "thread"}
--   {"needs": "commenter", "to_phase": "open", "event_type": "thread.reopened", "from_phase": "resolved", "stream_kind": "document", "subject_kind": "thread"}
--   {"needs": "commenter", "to_phase": "resolved", "event_type": "thread.resolved", "from_phase": "open", "stream_kind": "document", "subject_kind": "thread"}
--   {"needs": "editor", "to_phase": "named", "event_type": "version.named", "from_phase": "absent", "stream_kind": "document", "subject_kind": "version"}
--   {"needs": "editor", "to_phase": "pinned", "event_type": "version.pinned", "from_phase": "named", "stream_kind": "document", "subject_kind": "version"}
--   {"needs": "editor", "to_phase": "named", "event_type": "version.renamed", "from_phase": "named", "stream_kind": "document", "subject_kind": "version"}
--   {"needs": "editor", "to_phase": "pinned", "event_type": "version.renamed", "from_phase": "pinned", "stream_kind": "document", "subject_kind": "version"}
--   {"needs": "editor", "to_phase": "named", "event_type": "version.unpinned", "from_phase": "pinned", "stream_kind": "document", "subject_kind": "version"}
--   {"needs": "invited", "to_phase": "accepted", "event_type": "invitation.accepted", "from_phase": "open", "stream_kind": "workspace", "subject_kind": "invitation"}
--   {"needs": "owner", "to_phase": "open", "event_type": "invitation.created", "from_phase": "absent", "stream_kind": "workspace", "subject_kind": "invitation"}
--   {"needs": "invited", "to_phase": "declined", "event_type": "invitation.declined", "from_phase": "open", "stream_kind": "workspace", "subject_kind": "invitation"}
--   {"needs": "owner", "to_phase": "revoked", "event_type": "invitation.revoked", "from_phase": "open", "stream_kind": "workspace", "subject_kind": "invitation"}
--   {"needs": "invited", "to_phase": "active", "event_type": "member.joined", "from_phase": "absent", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "invited", "to_phase": "active", "event_type": "member.joined", "from_phase": "left", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "invited", "to_phase": "active", "event_type": "member.joined", "from_phase": "removed", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "self", "to_phase": "left", "event_type": "member.left", "from_phase": "active", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "owner", "to_phase": "removed", "event_type": "member.removed", "from_phase": "active", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "owner", "to_phase": "active", "event_type": "member.role_changed", "from_phase": "active", "stream_kind": "workspace", "subject_kind": "member"}
--   {"needs": "anyone", "to_phase": "active", "event_type": "workspace.created", "from_phase": "absent", "stream_kind": "workspace", "subject_kind": "workspace"}
--   {"needs": "owner", "to_phase": "active", "event_type": "workspace.history_graded", "from_phase": "active", "stream_kind": "workspace", "subject_kind": "workspace"}
--   {"needs": "owner", "to_phase": "active", "event_type": "workspace.renamed", "from_phase": "active", "stream_kind": "workspace", "subject_kind": "workspace"}

-- Rows of private.hosting
--   {"phase": "live", "subject_kind": "document"}
--   {"phase": "open", "subject_kind": "thread"}
--   {"phase": "resolved", "subject_kind": "thread"}
--   {"phase": "active", "subject_kind": "workspace"}

-- Rows of private.schemas
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "account.created", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "account.deleted", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"picture": {"type": "uuid", "nullable": true}}}, "version": 1, "event_type": "account.picture_set", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 80, "min": 0, "type": "string", "visible": true}, "color": {"max": 11, "min": 0, "type": "integer"}}}, "version": 1, "event_type": "account.profile_changed", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 80, "min": 0, "type": "string", "visible": true}, "color": {"max": 11, "min": 0, "type": "integer", "nullable": true}}}, "version": 2, "event_type": "account.profile_changed", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 80, "min": 0, "type": "string", "visible": true}, "color": {"max": 11, "min": 0, "type": "integer", "nullable": true}}}, "version": 3, "event_type": "account.profile_changed", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "auth.password_recovery", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "auth.signed_in", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "auth.signed_out", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "auth.token_refreshed", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"fields": {"max": 20, "min": 0, "type": "array", "items": {"max": 40, "min": 1, "type": "string"}}}}, "version": 1, "event_type": "auth.user_updated", "stream_kind": "account", "subject_kind": "account", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"text": {"max": 10000, "min": 1, "type": "string", "visible": true}, "thread": {"type": "uuid"}}}, "version": 1, "event_type": "comment.added", "stream_kind": "document", "subject_kind": "comment", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"text": {"max": 10000, "min": 1, "type": "string", "visible": true}, "thread": {"type": "uuid"}}}, "version": 2, "event_type": "comment.added", "stream_kind": "document", "subject_kind": "comment", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "comment.deleted", "stream_kind": "document", "subject_kind": "comment", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"text": {"max": 10000, "min": 1, "type": "string", "visible": true}}}, "version": 1, "event_type": "comment.edited", "stream_kind": "document", "subject_kind": "comment", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"text": {"max": 10000, "min": 1, "type": "string", "visible": true}}}, "version": 2, "event_type": "comment.edited", "stream_kind": "document", "subject_kind": "comment", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"title": {"max": 300, "min": 0, "type": "string", "visible": true}, "workspaceId": {"type": "uuid"}}}, "version": 1, "event_type": "document.created", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"title": {"max": 300, "min": 0, "type": "string", "visible": true}, "workspaceId": {"type": "uuid"}}}, "version": 2, "event_type": "document.created", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "document.edited", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"version": {"max": 9007199254740991, "min": 1, "type": "integer"}, "document": {"type": "uuid"}}}, "version": 1, "event_type": "document.forked", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"emoji": {"max": 16, "min": 0, "type": "string", "format": "emoji", "nullable": true}}}, "version": 1, "event_type": "document.icon_set", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"head": {"max": 64, "min": 64, "type": "string"}, "label": {"max": 300, "min": 0, "type": "string"}, "bundle": {"max": 64, "min": 64, "type": "string"}, "events": {"max": 9007199254740991, "min": 1, "type": "integer"}, "authors": {"max": 500, "min": 0, "type": "array", "items": {"type": "object", "properties": {"name": {"max": 80, "min": 0, "type": "string"}, "clients": {"max": 5000, "min": 0, "type": "array", "items": {"max": 9007199254740991, "min": 0, "type": "integer"}}}}}, "version": {"max": 9007199254740991, "min": 1, "type": "integer"}, "document": {"type": "uuid"}}}, "version": 1, "event_type": "document.imported", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"version": {"max": 9007199254740991, "min": 1, "type": "integer"}, "document": {"type": "uuid"}}}, "version": 1, "event_type": "document.merged", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"after": {"type": "uuid", "nullable": true}, "parent": {"type": "uuid", "nullable": true}}}, "version": 1, "event_type": "document.moved", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "document.purged", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"event": {"type": "uuid"}, "reason": {"max": 300, "min": 0, "type": "string"}}}, "version": 1, "event_type": "document.redacted", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"title": {"max": 300, "min": 0, "type": "string", "visible": true}}}, "version": 1, "event_type": "document.renamed", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"title": {"max": 300, "min": 0, "type": "string", "visible": true}}}, "version": 2, "event_type": "document.renamed", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "document.restored", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"toVersion": {"max": 9007199254740991, "min": 1, "type": "integer"}}}, "version": 1, "event_type": "document.reverted", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"to": {"max": 9007199254740991, "min": 1, "type": "integer"}, "from": {"max": 9007199254740991, "min": 1, "type": "integer", "nullable": true}, "kind": {"type": "enum", "values": ["passage", "author"]}, "quote": {"max": 300, "min": 0, "type": "string", "nullable": true}, "author": {"type": "uuid", "nullable": true}}}, "version": 1, "event_type": "document.reworked", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"kept": {"max": 4000, "min": 0, "type": "string"}, "text": {"max": 65536, "min": 0, "type": "string"}, "type": {"max": 100, "min": 0, "type": "string"}, "phase": {"max": 100, "min": 0, "type": "string"}, "author": {"max": 499, "min": 0, "type": "integer"}, "subject": {"type": "object", "nullable": true, "properties": {"id": {"type": "uuid"}, "kind": {"max": 100, "min": 0, "type": "string"}}}, "version": {"max": 9007199254740991, "min": 1, "type": "integer"}}}, "version": 1, "event_type": "document.step_imported", "stream_kind": "document", "subject_kind": "document", "carries_update": true}
--   {"shape": {"type": "object", "properties": {"template": {"type": "boolean"}}}, "version": 1, "event_type": "document.template_set", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "document.trashed", "stream_kind": "document", "subject_kind": "document", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 255, "min": 1, "type": "string", "visible": true}, "type": {"type": "enum", "values": ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "application/octet-stream"]}, "bytes": {"max": 26214400, "min": 1, "type": "integer"}, "width": {"max": 65535, "min": 1, "type": "integer", "nullable": true}, "height": {"max": 65535, "min": 1, "type": "integer", "nullable": true}, "sha256": {"max": 64, "min": 64, "type": "string"}}}, "version": 1, "event_type": "file.attached", "stream_kind": "document", "subject_kind": "file", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "invitation.accepted", "stream_kind": "workspace", "subject_kind": "invitation", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"kind": {"type": "enum", "values": ["email", "link"]}, "role": {"type": "enum", "values": ["editor", "commenter", "viewer"]}, "email": {"max": 254, "min": 3, "type": "string", "nullable": true}, "expiresAt": {"max": 253402300799999, "min": 0, "type": "integer", "nullable": true}, "tokenHash": {"max": 64, "min": 64, "type": "string"}}}, "version": 1, "event_type": "invitation.created", "stream_kind": "workspace", "subject_kind": "invitation", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "invitation.declined", "stream_kind": "workspace", "subject_kind": "invitation", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "invitation.revoked", "stream_kind": "workspace", "subject_kind": "invitation", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"role": {"type": "enum", "values": ["owner", "editor", "commenter", "viewer"]}, "invitationId": {"type": "uuid"}}}, "version": 1, "event_type": "member.joined", "stream_kind": "workspace", "subject_kind": "member", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"role": {"type": "enum", "values": ["owner", "editor", "commenter", "viewer"]}, "color": {"max": 11, "min": 0, "type": "integer", "nullable": true}, "invitationId": {"type": "uuid"}}}, "version": 2, "event_type": "member.joined", "stream_kind": "workspace", "subject_kind": "member", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "member.left", "stream_kind": "workspace", "subject_kind": "member", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "member.removed", "stream_kind": "workspace", "subject_kind": "member", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"role": {"type": "enum", "values": ["owner", "editor", "commenter", "viewer"]}}}, "version": 1, "event_type": "member.role_changed", "stream_kind": "workspace", "subject_kind": "member", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"end": {"max": 200, "min": 1, "type": "string"}, "quote": {"max": 1000, "min": 1, "type": "string"}, "start": {"max": 200, "min": 1, "type": "string"}}}, "version": 1, "event_type": "thread.opened", "stream_kind": "document", "subject_kind": "thread", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "thread.reopened", "stream_kind": "document", "subject_kind": "thread", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "thread.resolved", "stream_kind": "document", "subject_kind": "thread", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"at": {"max": 9007199254740991, "min": 1, "type": "integer"}, "name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 1, "event_type": "version.named", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"at": {"max": 9007199254740991, "min": 1, "type": "integer"}, "name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 2, "event_type": "version.named", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "version.pinned", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 1, "event_type": "version.renamed", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 2, "event_type": "version.renamed", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {}}, "version": 1, "event_type": "version.unpinned", "stream_kind": "document", "subject_kind": "version", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 1, "event_type": "workspace.created", "stream_kind": "workspace", "subject_kind": "workspace", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 2, "event_type": "workspace.created", "stream_kind": "workspace", "subject_kind": "workspace", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"viewer": {"type": "enum", "values": ["versions", "everything"]}, "commenter": {"type": "enum", "values": ["versions", "everything"]}}}, "version": 1, "event_type": "workspace.history_graded", "stream_kind": "workspace", "subject_kind": "workspace", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 1, "event_type": "workspace.renamed", "stream_kind": "workspace", "subject_kind": "workspace", "carries_update": false}
--   {"shape": {"type": "object", "properties": {"name": {"max": 120, "min": 1, "type": "string", "visible": true}}}, "version": 2, "event_type": "workspace.renamed", "stream_kind": "workspace", "subject_kind": "workspace", "carries_update": false}

-- Rows of private.text_schemas
--   {"version": 1}
--   {"version": 2}
--   {"version": 3}

-- Rows of private.limits
--   {"most": 1000000, "name": "account_events"}
--   {"most": 21474836480, "name": "account_file_bytes"}
--   {"most": 64, "name": "account_uploads"}
--   {"most": 500, "name": "account_workspaces"}
--   {"most": 16777216, "name": "document_bytes"}
--   {"most": 10000, "name": "document_children"}
--   {"most": 100000, "name": "document_clients"}
--   {"most": 50000, "name": "document_comments"}
--   {"most": 5000000, "name": "document_events"}
--   {"most": 20000, "name": "document_files"}
--   {"most": 134217728, "name": "document_history"}
--   {"most": 64, "name": "document_levels"}
--   {"most": 1500000, "name": "document_pieces"}
--   {"most": 33554432, "name": "document_talk"}
--   {"most": 10000, "name": "document_threads"}
--   {"most": 5000, "name": "document_versions"}
--   {"most": 8388608, "name": "payload_bytes"}
--   {"most": 1048576, "name": "reserve_bytes"}
--   {"most": 100000, "name": "reserve_pieces"}
--   {"most": 4096, "name": "small_bytes"}
--   {"most": 512, "name": "small_pieces"}
--   {"most": 2000, "name": "thread_comments"}
--   {"most": 25000, "name": "workspace_documents"}
--   {"most": 1000000, "name": "workspace_events"}
--   {"most": 5368709120, "name": "workspace_file_bytes"}
--   {"most": 10000, "name": "workspace_invitations"}
--   {"most": 2000, "name": "workspace_members"}

-- Rows of private.caches
--   {"relation": "private.document_links"}
--   {"relation": "private.link_states"}
--   {"relation": "private.search_entries"}
--   {"relation": "private.search_states"}
--   {"relation": "private.snapshot_parts"}
--   {"relation": "public.change_lines"}
--   {"relation": "public.segments"}
--   {"relation": "public.snapshots"}
