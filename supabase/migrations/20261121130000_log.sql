-- The log: one row per ruling, append-only, and the private tables from which the next ruling is made.

-- Internals. Nobody but the owner of these functions reaches into this schema.
create schema private;
revoke all on schema private from public;

-- What may happen: compiled from machines/*.ts, never written by hand. Retired rules stay, for history refers to them.
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
-- One living answer to each question.
create unique index transitions_living on private.transitions (subject_kind, from_phase, event_type)
  where retired_at is null;

-- What a body must look like, and whether an event of this type carries a Yjs update.
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

-- The phases in which a subject may have others living in it.
create table private.hosting (
  subject_kind text not null,
  phase text not null,
  retired_at timestamptz,
  primary key (subject_kind, phase)
);

create table public.events (
  id uuid primary key,
  stream_id uuid not null,
  stream_kind text not null check (stream_kind in ('account', 'workspace', 'document')),
  workspace_id uuid check ((workspace_id is null) = (stream_kind = 'account')),
  version bigint not null check (version > 0),
  position bigint check ((position is null) = (workspace_id is null)),
  type text not null,
  subject_kind text not null,
  subject_id uuid not null,
  from_phase text not null,
  to_phase text not null,
  schema int not null check (schema > 0),
  actor_id uuid not null,
  client_ids bigint[] check (cardinality(client_ids) > 0),
  client_time timestamptz not null check (client_time <= recorded_at),
  recorded_at timestamptz not null,
  payload_hash bytea not null check (octet_length(payload_hash) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  unique (stream_id, version),
  unique (workspace_id, position),
  -- An event which no rule allows, now or ever, cannot be stored by anyone below superuser.
  constraint events_obey_the_law foreign key (subject_kind, from_phase, type, to_phase)
    references private.transitions (subject_kind, from_phase, event_type, to_phase)
);

-- What can be redacted. The body is the client's JSON text byte for byte: jsonb would rewrite numbers and key order.
create table public.event_payloads (
  event_id uuid primary key references public.events (id),
  salt bytea not null check (octet_length(salt) = 16),
  body text not null,
  update bytea check (octet_length(update) <= 524288)
);
-- Updates come compressed; trying again would only cost time.
alter table public.event_payloads alter column update set storage external;

-- The head of each stream. Locking this row is what gives a stream one order.
create table private.streams (
  id uuid primary key,
  kind text not null,
  workspace_id uuid,
  version bigint not null default 0,
  hash bytea,
  client_time timestamptz not null default '-infinity',
  recorded_at timestamptz not null default '-infinity',
  announced_at timestamptz not null default '-infinity'
);

-- The counter of a workspace: locked after the stream and held to commit, so that positions commit in their order.
-- The epoch is the version of the last event that took a right from somebody.
create table private.feeds (
  workspace_id uuid primary key,
  position bigint not null default 0,
  epoch bigint not null default 0
);

-- The present phase of everything that has a lifecycle, and who began it.
create table private.subjects (
  stream_id uuid not null,
  kind text not null,
  id uuid not null,
  phase text not null,
  author_id uuid not null,
  version bigint not null,
  primary key (stream_id, kind, id)
);

-- Whose hand a Yjs client id is, for one stream. Bound by the first event that declares it, never rebound.
create table private.stream_clients (
  stream_id uuid not null,
  client_id bigint not null,
  actor_id uuid not null,
  version bigint not null,
  primary key (stream_id, client_id)
);

-- Addresses are personal data and deliberately not in the log: they are taken from the caller's token.
create table private.emails (
  user_id uuid primary key,
  email text not null
);

-- Refuses an append: the error's message is one of the names in events/refusal.ts, its SQLSTATE makes PostgREST answer
-- with the fitting HTTP status, its detail says why without telling anything about what the caller may not see.
create function private.refuse(name text, reason text) returns void
language plpgsql set search_path = '' as $$
begin
  raise exception using
    message = name,
    detail = reason,
    errcode = case name
      when 'version-conflict' then 'PT409'
      when 'illegal-transition' then 'PT422'
      when 'not-permitted' then 'PT403'
      when 'invalid-event' then 'PT400'
      when 'too-large' then 'PT413'
    end;
end;
$$;
