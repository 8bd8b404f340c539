-- Who is no member any more cannot read the log that says so. They may be told that much: whether they left or were
-- removed, by whom, and when.

create function public.read_departure(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'phase', s.phase,
    'by', coalesce(m.name, ''),
    'at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from private.subjects s
  join public.events e on e.stream_id = s.stream_id and e.version = s.version
  left join public.members m on m.workspace_id = s.stream_id and m.user_id = e.actor_id
  where s.stream_id = workspace and s.kind = 'member' and s.id = (select auth.uid()) and s.phase <> 'active'
$$;

revoke execute on function public.read_departure(uuid) from public, anon;
grant execute on function public.read_departure(uuid) to authenticated;
