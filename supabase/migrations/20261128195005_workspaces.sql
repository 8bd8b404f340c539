-- The projections of accounts, workspaces, members and invitations.

-- The palette index of a member whose member.joined recorded none; machines/member.ts has the same order.
create function private.first_color(user_id uuid) returns int
language sql immutable set search_path = '' as $$
  select ('{8,0,5,6,3,9,10,1,11,7,2,4}'::int[])[get_byte(uuid_send(user_id), 15) % 12 + 1]
$$;

-- The colour that a workspace assigns to a person who joins: the one that the fewest other active members have. Ties go
-- to the colour that the fewest members have, former ones included, then to the person's own colour, then to the one
-- assigned to them before, then to the first in order.
create function private.next_color(workspace uuid, person uuid) returns int
language sql stable set search_path = '' as $$
  select o.color
  from unnest('{8,0,5,6,3,9,10,1,11,7,2,4}'::int[]) with ordinality as o (color, place)
  left join public.members m on m.workspace_id = workspace and m.user_id <> person and m.color = o.color
  group by o.color, o.place
  order by count(m.user_id) filter (where m.phase = 'active'), count(m.user_id),
    o.color is distinct from (select a.color from public.accounts a where a.user_id = person),
    o.color is distinct from (
      select own.given_color from public.members own where own.workspace_id = workspace and own.user_id = person
    ),
    o.place
  limit 1
$$;

-- Copies a person's name, colour, address and picture into their memberships, or into one of them, if they have
-- changed. Former memberships keep the name and lose the address.
create function private.name_member(person uuid, workspace uuid default null) returns void
language sql set search_path = '' as $$
  update public.members m
  set name = known.name, color = coalesce(known.color, m.given_color), picture = known.picture, email = case
    when m.phase = 'active' then known.email end
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name, a.color, a.picture, e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.picture, m.email) is distinct from (known.name, coalesce(known.color, m.given_color),
      known.picture, case when m.phase = 'active' then known.email end)
$$;

-- Stores the e-mail address in the caller's token and copies a changed one into their memberships.
create function private.remember_email(person uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.emails as known (user_id, email)
  select person, lower(auth.jwt() ->> 'email') where coalesce(auth.jwt() ->> 'email', '') <> ''
  on conflict (user_id) do update set email = excluded.email where known.email <> excluded.email;
  if found then
    perform private.name_member(person);
  end if;
end;
$$;

-- Projects an event of an account. private.append copies the changes into the memberships once for a batch; a rebuild
-- projects memberships after all accounts.
create function private.project_account(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'account.created' then
    insert into public.accounts (user_id, name, color, phase, version, created_at, updated_at)
    values (e.stream_id, '', null, e.to_phase, e.version, e.recorded_at, e.recorded_at);
    return;
  end if;
  -- Sign-ins are private, so they leave updated_at, which members of the same workspace can read.
  update public.accounts
  set phase = e.to_phase,
      version = e.version,
      name = case when e.type = 'account.profile_changed' then body ->> 'name' else name end,
      color = case when e.type = 'account.profile_changed' then (body ->> 'color')::int else color end,
      updated_at = case when e.type like 'account.%' then e.recorded_at else updated_at end
  where user_id = e.stream_id;
end;
$$;

-- Adds a member with a role and a colour, or makes a former one active again with new ones.
create function private.admit(e public.events, person uuid, role text, color int) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.members (workspace_id, user_id, role, phase, name, color, given_color, joined_at, updated_at)
  values (e.stream_id, person, role, 'active', '', color, color, e.recorded_at, e.recorded_at)
  on conflict (workspace_id, user_id) do update
    set role = excluded.role, phase = 'active', given_color = excluded.given_color,
      joined_at = excluded.joined_at, updated_at = excluded.updated_at;
  perform private.name_member(person, e.stream_id);
end;
$$;

-- Projects a change of a member's role or phase. An event that takes a right away moves the workspace's channels to a
-- new epoch. A viewer who becomes a commenter loses a right if the workspace limits commenters, but not viewers, to
-- named versions.
create function private.project_member(e public.events, body jsonb) returns void
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

-- Projects an event of an invitation.
create function private.project_invitation(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'invitation.created' then
    insert into public.invitations (id, workspace_id, kind, email, role, phase, expires_at, created_by, created_at)
    values (e.subject_id, e.stream_id, body ->> 'kind', body ->> 'email', body ->> 'role', e.to_phase,
      to_timestamp((body ->> 'expiresAt')::numeric / 1000), e.actor_id, e.recorded_at);
    insert into private.invitation_tokens (invitation_id, token_hash, version)
    values (e.subject_id, body ->> 'tokenHash', e.version);
  else
    update public.invitations set phase = e.to_phase where id = e.subject_id;
  end if;
end;
$$;

-- Projects an event of a workspace.
create function private.project_workspace(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  before public.workspaces;
begin
  if e.type = 'workspace.created' then
    insert into public.workspaces (id, name, phase, version, created_by, created_at, updated_at)
    values (e.stream_id, body ->> 'name', e.to_phase, e.version, e.actor_id, e.recorded_at, e.recorded_at);
    -- This event also makes the creator the first owner, as in machines/member.ts; no member.joined follows.
    insert into private.subjects (stream_id, kind, id, phase, author_id, version)
    values (e.stream_id, 'member', e.actor_id, 'active', e.actor_id, e.version);
    perform private.admit(e, e.actor_id, 'owner', 8);
    return;
  end if;
  select * into before from public.workspaces where id = e.stream_id;
  update public.workspaces
  set version = e.version,
      updated_at = e.recorded_at,
      viewer_history = case when e.type = 'workspace.history_graded' then body ->> 'viewer' else viewer_history end,
      commenter_history = case when e.type = 'workspace.history_graded' then body ->> 'commenter'
        else commenter_history end,
      phase = case when e.subject_kind = 'workspace' then e.to_phase else phase end,
      name = case when e.type = 'workspace.renamed' then body ->> 'name' else name end
  where id = e.stream_id;
  if e.type = 'workspace.history_graded' and (
    before.viewer_history = 'everything' and body ->> 'viewer' = 'versions'
    or before.commenter_history = 'everything' and body ->> 'commenter' = 'versions'
  ) then
    -- Clients that have joined a document's channel keep the lost right until the channel's name changes.
    update private.feeds set epoch = e.version where workspace_id = e.stream_id;
  end if;
  if e.subject_kind = 'member' then
    perform private.project_member(e, body);
  elsif e.subject_kind = 'invitation' then
    perform private.project_invitation(e, body);
  end if;
end;
$$;

revoke execute on all functions in schema private from public;
