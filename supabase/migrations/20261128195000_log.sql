-- The log: one row for each event, append-only, and the private tables against which the next event is checked.
--
-- These files are the migrations of release 0.1.0, in reading order, with one topic in each. They are frozen: every
-- later change of the schema is a new file. supabase/schema.sql shows the resulting schema.
--
-- Columns are ordered by alignment (8 bytes, then 4, then none), so that rows have no padding.
-- Functions run with an empty search path and qualify every name. Each file ends by revoking the `execute` privilege
-- that PostgreSQL grants to `public` on new functions.

-- Internals. Only the owner of these functions reads or writes this schema; the few functions that policies call are
-- granted where they are defined. Supabase Lite grants everything on each schema that has a table with row level
-- security, through default privileges that stay in the database. So no table of `private` has row level security,
-- and the defaults are revoked.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;
alter default privileges in schema private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema private revoke all on sequences from anon, authenticated, service_role;

-- The law (the transition table): each rule allows an event to move a subject from one phase to another, and names
-- the right that this requires. Compiled from machines/*.ts. Retired rules stay, because stored events refer to them.
create table private.transitions (
  stream_kind text not null,
  subject_kind text not null,
  from_phase text not null,
  event_type text not null,
  to_phase text not null,
  needs text not null
    check (needs in ('owner', 'editor', 'commenter', 'viewer', 'anyone', 'self', 'author', 'invited')),
  retired_at timestamptz,
  primary key (subject_kind, from_phase, event_type, to_phase)
);
-- At most one rule in force for a subject, a phase and an event type.
create unique index transitions_living on private.transitions (subject_kind, from_phase, event_type)
  where retired_at is null;

-- The compiled schema of each event type's body, and whether an event of the type carries a Yjs update.
create table private.schemas (
  event_type text not null,
  version int not null,
  stream_kind text not null,
  subject_kind text not null,
  shape jsonb not null,
  carries_update boolean not null,
  retired_at timestamptz,
  primary key (event_type, version)
);

-- The phases in which a subject may contain other subjects.
create table private.hosting (
  subject_kind text not null,
  phase text not null,
  retired_at timestamptz,
  primary key (subject_kind, phase)
);

create table public.events (
  version bigint not null check (version > 0),
  position bigint check ((position is null) = (workspace_id is null)),
  client_time timestamptz not null check (client_time <= recorded_at),
  recorded_at timestamptz not null,
  schema int not null check (schema > 0),
  id uuid primary key,
  stream_id uuid not null,
  workspace_id uuid check ((workspace_id is null) = (stream_kind = 'account')),
  subject_id uuid not null,
  actor_id uuid not null,
  stream_kind text not null check (stream_kind in ('account', 'workspace', 'document')),
  type text not null,
  subject_kind text not null,
  from_phase text not null,
  to_phase text not null,
  payload_hash bytea not null check (octet_length(payload_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  -- The Yjs client ids that this event bound to its actor; null for none.
  client_ids bigint[] check (cardinality(client_ids) > 0),
  unique (stream_id, version),
  unique (workspace_id, position),
  -- Only a superuser can store an event that no rule, in force or retired, allows.
  constraint events_obey_the_law foreign key (subject_kind, from_phase, type, to_phase)
    references private.transitions (subject_kind, from_phase, event_type, to_phase)
);
-- The activity shows a workspace's events without the edits, which are most of them.
create index events_but_edits on public.events (workspace_id, position) where type <> 'document.edited';
-- private.check_reworking looks up the versions that an author wrote.
create index events_by_actor on public.events (stream_id, actor_id, version) where stream_kind = 'document';
-- private.project_redaction checks whether a later event has replaced a subject's text.
create index events_by_subject on public.events (stream_id, subject_id, version)
  where type in ('document.renamed', 'version.renamed', 'comment.edited', 'comment.deleted');

-- The part of an event that can be redacted. The body is the client's JSON text byte for byte, because jsonb rewrites
-- numbers and key order. A redacted payload has no salt, and `redacted_by` is the version of the redaction.
create table public.event_payloads (
  redacted_by bigint,
  event_id uuid primary key references public.events (id),
  salt bytea check (octet_length(salt) = 16),
  body text not null,
  update bytea check (octet_length(update) <= 524288),
  check ((salt is null) = (redacted_by is not null))
);
-- Updates arrive compressed, so TOAST does not compress them again.
alter table public.event_payloads alter column update set storage external;

-- The head of each stream. Locking this row puts the events of a stream into one order.
create table private.streams (
  version bigint not null default 0,
  -- Unix epoch: each client time is stored no earlier than the one before it, so none precedes 1970.
  client_time timestamptz not null default '1970-01-01T00:00:00Z',
  recorded_at timestamptz not null default '-infinity',
  announced_at timestamptz not null default '-infinity',
  -- The version of the last redaction.
  redacted_at bigint not null default 0,
  -- The size of the present document in bytes and pieces: the service's measurement at the version
  -- `measured_at`, plus an upper bound for every event since. `history` is the sum over all events.
  bytes bigint not null default 0,
  pieces bigint not null default 0,
  history bigint not null default 0,
  measured_at bigint,
  -- The version at which folding the document was given up, until when, and how often in a row. A
  -- null `stopped_until` makes the stop permanent.
  stopped_at bigint,
  stopped_until timestamptz,
  stops int not null default 0,
  id uuid primary key,
  workspace_id uuid,
  kind text not null,
  hash bytea
);
create index on private.streams (stopped_until) where stopped_until is not null;
-- private.announce_move reads the streams of one workspace.
create index streams_workspace_id_idx on private.streams (workspace_id);

-- The position counter of a workspace. An append locks it after the stream and holds it to commit, so positions commit
-- in order. The epoch is the version of the last event that took a right away; it is part of the channels' names.
create table private.feeds (
  position bigint not null default 0,
  epoch bigint not null default 0,
  workspace_id uuid primary key
);

-- The present phase and the author of every subject.
create table private.subjects (
  version bigint not null,
  stream_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  kind text not null,
  phase text not null,
  primary key (stream_id, kind, id)
);

-- The author of each Yjs client id of a stream, bound once by the first event that declares the id.
create table private.stream_clients (
  client_id bigint not null,
  version bigint not null,
  stream_id uuid not null,
  actor_id uuid not null,
  -- Null if the actor wrote under this id. Otherwise the document from which the content was copied;
  -- its log has the authors.
  source uuid,
  primary key (stream_id, client_id)
);

-- E-mail addresses are personal data and not part of the log: they come from the caller's token.
create table private.emails (
  user_id uuid primary key,
  email text not null
);

-- Refuses a call. The message is one of the names in events/log/refusal-reasons.ts, and the SQLSTATE selects the HTTP
-- status of PostgREST's response. The hint is the reason, a code that clients branch on. The detail says the same in
-- words and reveals nothing that the caller may not see.
create function private.refuse(name text, reason text, detail text) returns void
language plpgsql set search_path = '' as $$
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
$$;

-- The hashes of the log, byte for byte as in docs/spec/hash.md and events/log/hash.ts.
--
-- Each is a single expression with a standard SQL body, whose names are bound at creation, so that the planner inlines
-- it: an append computes every hash twice, to store it and in the guard. Functions that call convert_to are `stable`,
-- because convert_to is: a conversion can be redefined.

-- One field: its length in bytes as a big-endian 32-bit integer, then the bytes; null is the length 0xFFFFFFFF alone.
-- Different lists of fields therefore never encode to the same bytes.
create function private.hash_field(field bytea) returns bytea
language sql immutable parallel safe
return coalesce(int4send(octet_length(field)) || field, '\xffffffff'::bytea);

-- The integers as consecutive 64-bit big-endian values; null for null.
create function private.integers_send(items bigint[]) returns bytea
language sql immutable parallel safe
return (select string_agg(int8send(item), ''::bytea order by place) from unnest(items) with ordinality
  as list (item, place));

-- A time as microseconds since 1970, a 64-bit big-endian integer.
create function private.time_send(moment timestamptz) returns bytea
language sql stable parallel safe
return int8send((extract(epoch from moment) * 1000000)::bigint);

-- The commitment of an event to its payload: SHA-256 over its fields. A redaction destroys the salt, without which a
-- short body cannot be guessed from its hash.
create function private.payload_hash(salt bytea, body text, update bytea) returns bytea
language sql stable parallel safe
return sha256(
  private.hash_field('palimpsest-payload/1'::bytea)
  || private.hash_field(salt)
  || private.hash_field(convert_to(body, 'UTF8'))
  || private.hash_field(update)
);

-- The chain: SHA-256 over the hash of the row before (null at version 1) and every column of the row except `hash`.
-- Lengths of fields that are never null and of fixed length are literals, which halves the work of an append.
create function private.event_hash(previous bytea, event public.events) returns bytea
language sql stable parallel safe
return sha256(
  private.hash_field('palimpsest-event/1'::bytea)
  || private.hash_field(previous)
  || '\x00000010'::bytea || uuid_send(event.id)
  || '\x00000010'::bytea || uuid_send(event.stream_id)
  || private.hash_field(convert_to(event.stream_kind, 'UTF8'))
  || private.hash_field(uuid_send(event.workspace_id))
  || '\x00000008'::bytea || int8send(event.version)
  || private.hash_field(int8send(event.position))
  || private.hash_field(convert_to(event.type, 'UTF8'))
  || private.hash_field(convert_to(event.subject_kind, 'UTF8'))
  || '\x00000010'::bytea || uuid_send(event.subject_id)
  || private.hash_field(convert_to(event.from_phase, 'UTF8'))
  || private.hash_field(convert_to(event.to_phase, 'UTF8'))
  || '\x00000008'::bytea || int8send(event.schema::bigint)
  || '\x00000010'::bytea || uuid_send(event.actor_id)
  || case when event.client_ids is null then '\xffffffff'::bytea
    else private.hash_field(private.integers_send(event.client_ids)) end
  || '\x00000008'::bytea || private.time_send(event.client_time)
  || '\x00000008'::bytea || private.time_send(event.recorded_at)
  || '\x00000020'::bytea || event.payload_hash
);

revoke execute on all functions in schema private from public;
