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
