-- The roles, schemas and grants that every Supabase project has before its first migration.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'nologin noinherit'),
      ('supabase_admin', 'nologin'),
      ('supabase_auth_admin', 'nologin noinherit createrole'),
      ('supabase_storage_admin', 'nologin noinherit createrole'),
      ('supabase_realtime_admin', 'nologin noinherit')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      execute format('create role %I %s', wanted.name, wanted.attributes);
    end if;
  end loop;
end
$$;

grant anon, authenticated, service_role to authenticator;

alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';

create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
grant usage on schema extensions to anon, authenticated, service_role;

do $$
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end
$$;

grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;

CREATE SCHEMA IF NOT EXISTS auth;
CREATE TABLE IF NOT EXISTS auth.users (
id              uuid PRIMARY KEY,  -- app-generated UUID
aud             varchar(255) DEFAULT 'authenticated',
role            varchar(255) DEFAULT 'authenticated',
email               varchar(255),
encrypted_password  varchar(255),
phone               text UNIQUE,
email_confirmed_at      timestamptz,
confirmed_at            timestamptz GENERATED ALWAYS AS (
CASE
WHEN email_confirmed_at IS NULL THEN phone_confirmed_at
WHEN phone_confirmed_at IS NULL THEN email_confirmed_at
WHEN email_confirmed_at < phone_confirmed_at THEN email_confirmed_at
ELSE phone_confirmed_at
END
) STORED,
invited_at              timestamptz,
confirmation_token      varchar(255),
confirmation_sent_at    timestamptz,
recovery_token          varchar(255),
recovery_sent_at        timestamptz,
email_change                varchar(255),
email_change_token_new      varchar(255),
email_change_token_current  varchar(255),
email_change_sent_at        timestamptz,
email_change_confirm_status smallint DEFAULT 0
CHECK (email_change_confirm_status BETWEEN 0 AND 2),
phone_confirmed_at      timestamptz,
phone_change            text,
phone_change_token      varchar(255),
phone_change_sent_at    timestamptz,
reauthentication_token      varchar(255),
reauthentication_sent_at    timestamptz,
raw_app_meta_data       jsonb DEFAULT '{}'::jsonb,
raw_user_meta_data      jsonb DEFAULT '{}'::jsonb,
banned_until            timestamptz,
deleted_at              timestamptz,
is_sso_user             boolean NOT NULL DEFAULT false,
is_anonymous            boolean NOT NULL DEFAULT false,
last_sign_in_at         timestamptz,
created_at              timestamptz DEFAULT now(),
updated_at              timestamptz DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS users_email_partial_key
ON auth.users (email)
WHERE is_sso_user = false;
CREATE INDEX IF NOT EXISTS users_is_anonymous_idx
ON auth.users (is_anonymous);
CREATE UNIQUE INDEX IF NOT EXISTS users_confirmation_token_idx
ON auth.users (confirmation_token)
WHERE length(confirmation_token) > 6;
CREATE UNIQUE INDEX IF NOT EXISTS users_recovery_token_idx
ON auth.users (recovery_token)
WHERE length(recovery_token) > 6;
CREATE UNIQUE INDEX IF NOT EXISTS users_email_change_token_current_idx
ON auth.users (email_change_token_current)
WHERE length(email_change_token_current) > 6;
CREATE UNIQUE INDEX IF NOT EXISTS users_email_change_token_new_idx
ON auth.users (email_change_token_new)
WHERE length(email_change_token_new) > 6;
CREATE UNIQUE INDEX IF NOT EXISTS users_reauthentication_token_idx
ON auth.users (reauthentication_token)
WHERE length(reauthentication_token) > 6;
CREATE TABLE IF NOT EXISTS auth.sessions (
id          uuid PRIMARY KEY,  -- app-generated UUID
user_id     uuid NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
not_after   timestamptz,
refreshed_at timestamp without time zone,
user_agent  text,
ip          inet,
tag         text,
refresh_token_hmac_key text,
refresh_token_counter  bigint,
scopes      text CHECK (scopes IS NULL OR length(scopes) <= 4096),
created_at  timestamptz DEFAULT now(),
updated_at  timestamptz DEFAULT now(),
aal         text CHECK (aal IN ('aal1', 'aal2', 'aal3')),
factor_id   uuid
);
CREATE INDEX IF NOT EXISTS sessions_user_id_idx ON auth.sessions (user_id);
CREATE TABLE IF NOT EXISTS auth.refresh_tokens (
id          text PRIMARY KEY,  -- app-generated UUID
token       varchar(255) NOT NULL,
user_id     uuid NOT NULL,
session_id  uuid REFERENCES auth.sessions(id) ON DELETE CASCADE,
revoked     boolean DEFAULT false,
parent      varchar(255),  -- previous token value, for rotation family tracking
created_at  timestamptz DEFAULT now(),
updated_at  timestamptz DEFAULT now()
);
CREATE INDEX IF NOT EXISTS refresh_tokens_token_idx ON auth.refresh_tokens (token);
CREATE INDEX IF NOT EXISTS refresh_tokens_user_id_idx ON auth.refresh_tokens (user_id);
CREATE INDEX IF NOT EXISTS refresh_tokens_session_id_revoked_idx ON auth.refresh_tokens (session_id, revoked);
CREATE TABLE IF NOT EXISTS auth.identities (
id              uuid PRIMARY KEY,  -- app-generated UUID
provider        text NOT NULL,
provider_id     text NOT NULL,     -- external provider's user ID (e.g. Google sub claim)
user_id         uuid NOT NULL REFERENCES auth.users(id) ON DELETE CASCADE,
identity_data   jsonb NOT NULL DEFAULT '{}'::jsonb,
email           varchar(255) GENERATED ALWAYS AS (lower(identity_data->>'email')) STORED,
last_sign_in_at timestamptz,
created_at      timestamptz DEFAULT now(),
updated_at      timestamptz DEFAULT now(),
UNIQUE (provider, provider_id)
);
CREATE INDEX IF NOT EXISTS identities_user_id_idx ON auth.identities (user_id);
CREATE INDEX IF NOT EXISTS identities_email_idx ON auth.identities (email);
CREATE TABLE IF NOT EXISTS auth.flow_state (
id                     uuid PRIMARY KEY,  -- app-generated UUID
user_id                uuid,
auth_code              text,
authentication_method  text NOT NULL,
code_challenge_method  text CHECK (code_challenge_method IN ('s256', 'plain')),
code_challenge         text,
provider_type          text NOT NULL,
provider_access_token  text,
provider_refresh_token text,
auth_code_issued_at    timestamptz,
invite_token           text,
referrer               text,
oauth_client_state_id  uuid,
linking_target_id      uuid,
email_optional         boolean NOT NULL DEFAULT false,
created_at             timestamptz DEFAULT now(),
updated_at             timestamptz DEFAULT now()
);
CREATE INDEX IF NOT EXISTS idx_auth_code ON auth.flow_state (auth_code);
CREATE INDEX IF NOT EXISTS idx_user_id_auth_method ON auth.flow_state (user_id, authentication_method);
CREATE INDEX IF NOT EXISTS flow_state_created_at_idx ON auth.flow_state (created_at);
CREATE TABLE IF NOT EXISTS auth.audit_log_entries (
id          uuid PRIMARY KEY,  -- app-generated UUID
payload     json,
created_at  timestamptz DEFAULT now(),
ip_address  varchar(64) DEFAULT ''
);
CREATE SCHEMA IF NOT EXISTS storage;
CREATE TABLE IF NOT EXISTS storage.buckets (
id                 text NOT NULL PRIMARY KEY,
name               text NOT NULL UNIQUE,
owner              uuid,
owner_id           text,
public             boolean DEFAULT false,
file_size_limit    bigint,
allowed_mime_types text[],
created_at         timestamptz DEFAULT now(),
updated_at         timestamptz DEFAULT now()
);
CREATE TABLE IF NOT EXISTS storage.objects (
id                 uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
bucket_id          text REFERENCES storage.buckets(id),
name               text,
owner              uuid,
owner_id           text,
metadata           jsonb,
user_metadata      jsonb,
path_tokens        text[] GENERATED ALWAYS AS (string_to_array(name, '/')) STORED,
version            text,
created_at         timestamptz DEFAULT now(),
updated_at         timestamptz DEFAULT now(),
last_accessed_at   timestamptz DEFAULT now(),
UNIQUE (bucket_id, name)
);
CREATE INDEX IF NOT EXISTS storage_objects_name_pattern_search ON storage.objects (name text_pattern_ops);
ALTER TABLE storage.buckets ENABLE ROW LEVEL SECURITY;
ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
CREATE OR REPLACE FUNCTION storage.foldername(name text)
RETURNS text[]
LANGUAGE plpgsql
IMMUTABLE
AS $function$
DECLARE
_parts text[];
BEGIN
SELECT string_to_array(name, '/') INTO _parts;
RETURN _parts[1:array_length(_parts, 1) - 1];
END
$function$;
CREATE OR REPLACE FUNCTION storage.filename(name text)
RETURNS text
LANGUAGE plpgsql
IMMUTABLE
AS $function$
DECLARE
_parts text[];
BEGIN
SELECT string_to_array(name, '/') INTO _parts;
RETURN _parts[array_length(_parts, 1)];
END
$function$;
CREATE OR REPLACE FUNCTION storage.extension(name text)
RETURNS text
LANGUAGE plpgsql
IMMUTABLE
AS $function$
DECLARE
_parts text[];
_filename text;
BEGIN
SELECT string_to_array(name, '/') INTO _parts;
SELECT _parts[array_length(_parts, 1)] INTO _filename;
RETURN reverse(split_part(reverse(_filename), '.', 1));
END
$function$;
CREATE OR REPLACE FUNCTION storage.operation()
RETURNS text
LANGUAGE plpgsql
STABLE
AS $function$
BEGIN
RETURN current_setting('storage.operation', true);
END
$function$;
CREATE OR REPLACE FUNCTION storage.allow_only_operation(expected_operation text)
RETURNS boolean
LANGUAGE sql
STABLE
AS $function$
WITH current_operation AS (
SELECT storage.operation() AS raw_operation
),
normalized AS (
SELECT
CASE WHEN raw_operation LIKE 'storage.%' THEN substr(raw_operation, 9) ELSE raw_operation END AS current_operation,
CASE WHEN expected_operation LIKE 'storage.%' THEN substr(expected_operation, 9) ELSE expected_operation END AS requested_operation
FROM current_operation
)
SELECT CASE
WHEN requested_operation IS NULL OR requested_operation = '' THEN false
ELSE COALESCE(current_operation = requested_operation, false)
END
FROM normalized;
$function$;
CREATE OR REPLACE FUNCTION storage.allow_any_operation(expected_operations text[])
RETURNS boolean
LANGUAGE sql
STABLE
AS $function$
WITH current_operation AS (
SELECT storage.operation() AS raw_operation
),
normalized AS (
SELECT CASE WHEN raw_operation LIKE 'storage.%' THEN substr(raw_operation, 9) ELSE raw_operation END AS current_operation
FROM current_operation
)
SELECT EXISTS (
SELECT 1
FROM normalized n
CROSS JOIN LATERAL unnest(expected_operations) AS expected_operation
WHERE expected_operation IS NOT NULL
AND expected_operation <> ''
AND n.current_operation = CASE
WHEN expected_operation LIKE 'storage.%' THEN substr(expected_operation, 9)
ELSE expected_operation
END
);
$function$;
-- The functions with which policies ask who is calling; the definitions are those of a hosted project.
create schema if not exists auth;
grant usage on schema auth to anon, authenticated, service_role;

create or replace function auth.uid() returns uuid language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;

create or replace function auth.role() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )::text
$$;

create or replace function auth.email() returns text language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )::text
$$;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

-- How sessions were begun, for the claim `amr` of their tokens; the definition is that of a hosted project.
create table if not exists auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions (id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  id uuid not null constraint amr_id_pk primary key,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);

-- A token says of which session it is, and goes on for minutes after that has ended: the gateway and
-- Realtime hear of the end, whoever caused it, and do not take it any more.
create or replace function auth.announce_end() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('auth_session_ended', old.id::text);
  return null;
end
$$;
create or replace trigger announce_end after delete on auth.sessions
for each row execute function auth.announce_end();
alter table auth.sessions enable always trigger announce_end;
revoke execute on function auth.announce_end() from public, anon, authenticated, service_role;

-- The embedded backend's own way to append_events (supabase/local/append-path.ts): what PostgREST
-- does in four statements, in one. Only the owner of the database calls it, with claims that the
-- gateway has verified.
create schema if not exists embedded;
revoke all on schema embedded from public, anon, authenticated, service_role;

-- The form before `actor`.
drop function if exists embedded.append_events(text, uuid, bigint, jsonb);

create or replace function embedded.append_events(claims text, stream uuid, expected_version bigint,
  events jsonb, actor uuid) returns text
language plpgsql set search_path = ''
as $$
begin
  -- Until the end of the transaction, as PostgREST sets them: what follows runs with the rights of
  -- somebody who is signed in.
  perform pg_catalog.set_config('role', 'authenticated', true);
  perform pg_catalog.set_config('request.jwt.claims', claims, true);
  return public.append_events(stream, expected_version, events, actor)::text;
end
$$;
revoke execute on function embedded.append_events(text, uuid, bigint, jsonb, uuid)
  from public, anon, authenticated, service_role;

-- As on a hosted project, REST is told when its tables or functions change, so that it looks at them
-- anew. What is in other schemas, such as the daily partitions of Realtime, it does not serve.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_ddl_commands() as command
    where command.command_tag in (
      'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
      'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
      'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'COMMENT'
    ) and command.schema_name = 'public'
  ) then
    perform pg_catalog.pg_notify('pgrst', 'reload schema');
  end if;
end $$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_dropped_objects() as dropped
    where dropped.object_type in (
      'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'rule'
    ) and dropped.schema_name = 'public'
  ) then
    perform pg_catalog.pg_notify('pgrst', 'reload schema');
  end if;
end $$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
exception
  -- On a server of somebody's own, whose user may not: there a notice has to be sent by hand.
  when insufficient_privilege then null;
end $$;

-- What Supabase Realtime keeps in every project: the table whose policies say who may read and write which topic,
-- and the functions that broadcast from a transaction. It is applied at every start.

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;
grant create, usage on schema realtime to supabase_realtime_admin with grant option;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  -- A hosted database runs in UTC; this one may not.
  updated_at timestamp without time zone not null default (now() at time zone 'utc'),
  inserted_at timestamp without time zone not null default (now() at time zone 'utc'),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  constraint messages_payload_exclusive check (payload is null or binary_payload is null),
  constraint messages_pkey primary key (id, inserted_at)
) partition by range (inserted_at);

alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;
grant insert, select, update on realtime.messages to anon, authenticated, service_role;

create or replace function realtime.topic()
returns text language sql stable set search_path = ''
as $$ select nullif(pg_catalog.current_setting('realtime.topic', true), '')::text $$;

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql set search_path = ''
as $$
declare
  generated uuid := pg_catalog.gen_random_uuid();
begin
  -- Whatever goes wrong, the caller's transaction goes on.
  begin
    if not payload ? 'id' then
      payload := pg_catalog.jsonb_set(payload, '{id}', pg_catalog.to_jsonb(generated));
    end if;
    perform pg_catalog.set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (generated, payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql set search_path = ''
as $$
begin
  begin
    perform pg_catalog.set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
)
returns void language plpgsql set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    pg_catalog.jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

create or replace function realtime.to_regrole(role_name text)
returns regrole language sql immutable set search_path = ''
as $$ select role_name::pg_catalog.regrole $$;
grant execute on function realtime.to_regrole(text) to anon, authenticated, service_role;

-- Hosted Realtime reads the write-ahead log; here the server listens. NOTIFY fires at commit, in the order of commits.
create or replace function realtime.announce_message()
returns trigger language plpgsql set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('realtime_messages', new.id::text);
  return null;
end
$$;

create or replace trigger announce_message after insert on realtime.messages
for each row when (new.event is not null and (new.payload is not null or new.binary_payload is not null))
execute function realtime.announce_message();

-- One partition a day, from yesterday to three days ahead; kept for 72 hours.
create or replace function realtime.keep_partitions()
returns void language plpgsql set search_path = ''
as $$
declare
  today date := (pg_catalog.now() at time zone 'utc')::date;
  first_day date;
  partition text;
begin
  for offset_days in -1..3 loop
    first_day := today + offset_days;
    partition := 'messages_' || pg_catalog.to_char(first_day, 'YYYY_MM_DD');
    if pg_catalog.to_regclass('realtime.' || partition) is null then
      execute pg_catalog.format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        partition, first_day, first_day + 1
      );
      -- Nobody is to go round the policies of the parent.
      execute pg_catalog.format('alter table realtime.%I enable row level security', partition);
    end if;
  end loop;
  for partition in
    select child.relname
    from pg_catalog.pg_inherits
    join pg_catalog.pg_class child on child.oid = inhrelid
    where inhparent = 'realtime.messages'::pg_catalog.regclass
      and child.relname < 'messages_' || pg_catalog.to_char(today - 3, 'YYYY_MM_DD')
  loop
    execute pg_catalog.format('drop table realtime.%I', partition);
  end loop;
end
$$;
revoke execute on function realtime.keep_partitions() from public, anon, authenticated, service_role;
revoke execute on function realtime.announce_message() from public, anon, authenticated, service_role;

select realtime.keep_partitions();

-- Migrations written for a hosted project may add tables to it.
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

-- The privileges of the API's roles on files, and on messages of Realtime: those by which policies
-- are asked, and no more. Supabase Lite grants everything on both schemas at each start, and what it
-- has granted stays in the database.
grant usage on schema storage to anon, authenticated, service_role;
revoke all on all tables in schema storage from public, anon, authenticated, service_role;
revoke all on all sequences in schema storage from public, anon, authenticated, service_role;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;
alter default privileges in schema storage revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema storage revoke all on sequences from anon, authenticated, service_role;

revoke all on all tables in schema realtime from public, anon, authenticated, service_role;
revoke all on all sequences in schema realtime from public, anon, authenticated, service_role;
grant insert, select, update on realtime.messages to anon, authenticated, service_role;
alter default privileges in schema realtime revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema realtime revoke all on sequences from anon, authenticated, service_role;
