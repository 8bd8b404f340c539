-- The log: one row for each event, append-only, and the private tables from which the next event is judged.
--
-- Columns are ordered by alignment (8 bytes, then 4, then those that need none), so that rows carry no padding.
-- Functions run with an empty search path and name every object with its schema.

-- Internals. Only the owner of these functions reads or writes this schema; the grants of a few
-- functions that policies call stand beside them. Supabase Lite grants everything on every schema
-- that has a table with row level security, with default privileges that stay in the database: so
-- no table of `private` has row level security, and the defaults are revoked.
create schema private;
revoke all on schema private from public, anon, authenticated, service_role;
alter default privileges in schema private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema private revoke all on sequences from anon, authenticated, service_role;

-- The law: which event leads which subject from which phase to which, and the right it needs.
-- Compiled from machines/*.ts, never written by hand. Retired rules stay, because events refer to
-- them.
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
-- Of the rules in force, at most one for a subject, a phase and an event type.
create unique index transitions_living on private.transitions (subject_kind, from_phase, event_type)
  where retired_at is null;

-- The compiled schema of each event type's body, and whether an event of this type has a Yjs update.
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

-- The phases in which a subject may have other subjects inside it.
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
  -- An event that no rule allows, now or ever, cannot be stored by anyone below superuser.
  constraint events_obey_the_law foreign key (subject_kind, from_phase, type, to_phase)
    references private.transitions (subject_kind, from_phase, event_type, to_phase)
);

-- What of an event can be redacted. The body is the client's JSON text byte for byte: jsonb would
-- rewrite numbers and key order. A redacted payload has no salt, and `redacted_by` is the version
-- of the redaction.
create table public.event_payloads (
  redacted_by bigint,
  event_id uuid primary key references public.events (id),
  salt bytea check (octet_length(salt) = 16),
  body text not null,
  update bytea check (octet_length(update) <= 524288),
  check ((salt is null) = (redacted_by is not null))
);
-- Updates arrive compressed; compressing them again would only cost time.
alter table public.event_payloads alter column update set storage external;

-- The head of each stream. Locking this row is what gives the events of a stream one order.
create table private.streams (
  version bigint not null default 0,
  -- The epoch of Unix, not -infinity: client times are stored no earlier than the one before them.
  client_time timestamptz not null default '1970-01-01T00:00:00Z',
  recorded_at timestamptz not null default '-infinity',
  announced_at timestamptz not null default '-infinity',
  -- The version of the last redaction.
  redacted_at bigint not null default 0,
  -- The size of the present document in bytes and pieces: measured by the service at the version
  -- `measured_at`, with what every event since then may have added. `history` is the sum over all
  -- events.
  bytes bigint not null default 0,
  pieces bigint not null default 0,
  history bigint not null default 0,
  measured_at bigint,
  -- The version at which folding the document had to be given up; until when, and how often in a
  -- row. Null for how long: for good.
  stopped_at bigint,
  stopped_until timestamptz,
  stops int not null default 0,
  id uuid primary key,
  workspace_id uuid,
  kind text not null,
  hash bytea
);
create index on private.streams (stopped_until) where stopped_until is not null;

-- The position counter of a workspace: locked after the stream and held to commit, so that
-- positions commit in their order. The epoch is the version of the last event that took a right
-- from somebody; it is part of the channels' names.
create table private.feeds (
  position bigint not null default 0,
  epoch bigint not null default 0,
  workspace_id uuid primary key
);

-- The present phase of everything that has a lifecycle, and who created it.
create table private.subjects (
  version bigint not null,
  stream_id uuid not null,
  id uuid not null,
  author_id uuid not null,
  kind text not null,
  phase text not null,
  primary key (stream_id, kind, id)
);

-- The author of each Yjs client id of a stream. Bound by the first event that declares it, never bound again.
create table private.stream_clients (
  client_id bigint not null,
  version bigint not null,
  stream_id uuid not null,
  actor_id uuid not null,
  -- Null: the actor wrote under this id. Otherwise the document from which the content was copied;
  -- its log has the authors.
  source uuid,
  primary key (stream_id, client_id)
);

-- E-mail addresses are personal data and deliberately not in the log: they are taken from the caller's token.
create table private.emails (
  user_id uuid primary key,
  email text not null
);

-- Refuses an append or another call: the message is one of the names in
-- events/log/refusal-reasons.ts, the SQLSTATE makes PostgREST answer with the fitting HTTP status,
-- and the hint is the reason, a code by which clients decide. The detail says the same for people,
-- and tells nothing about what the caller may not see.
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

revoke execute on all functions in schema private from public;
