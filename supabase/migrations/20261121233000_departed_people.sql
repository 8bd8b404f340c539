-- Who is no member any more is known in the workspace by what they did there, not by how to reach them, and not by what they do
-- elsewhere: their address went on being copied into a membership that had ended, and their account could be read.

create or replace function private.name_member(person uuid, workspace uuid default null) returns void
language sql set search_path = '' as $$
  update public.members m
  set name = known.name, color = coalesce(known.color, m.given_color), email = case when m.phase = 'active' then known.email end
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name, a.color, e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.email) is distinct from
      (known.name, coalesce(known.color, m.given_color), case when m.phase = 'active' then known.email end)
$$;

create or replace function private.project_member(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
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
$$;

-- Everybody with whom the caller shares a workspace now.
create or replace function private.my_people() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct user_id from public.members where workspace_id in (select private.my_workspaces()) and phase = 'active'
$$;

update public.members set email = null where phase <> 'active';
