-- The embedded backend's own way to append_events (supabase/local/rest/append-path.ts): what PostgREST
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
