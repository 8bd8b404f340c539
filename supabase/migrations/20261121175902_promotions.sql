-- Who rises from viewer to commenter may lose a right by it: where commenters are graded lower, they have heard letters that
-- are no longer theirs to hear. Their channel stays behind then, as for every right that is taken away.

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
