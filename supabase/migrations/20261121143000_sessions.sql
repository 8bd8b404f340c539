-- A person sees where they are signed in and may end one of these sessions. Both functions speak of the caller's own
-- sessions alone; on a hosted project the role of the migrations may read and delete in this table of the auth service.

create function public.read_sessions() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(own) order by own.current desc, own.used_at desc), '[]')
  from (
    select
      s.id,
      coalesce(s.user_agent, '') as user_agent,
      s.created_at,
      -- The service writes this one time without a zone, in UTC.
      greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at,
      s.id::text is not distinct from (select auth.jwt()) ->> 'session_id' as current
    from auth.sessions s
    where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
    order by 4 desc
    limit 100
  ) own
$$;

-- Ends another of the caller's sessions and with it, by their foreign key, its refresh tokens; false when there is none.
create function public.end_session(session uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and s.id::text is distinct from (select auth.jwt()) ->> 'session_id';
  return found;
end $$;

revoke execute on function public.read_sessions(), public.end_session(uuid) from public, anon;
grant execute on function public.read_sessions(), public.end_session(uuid) to authenticated;
