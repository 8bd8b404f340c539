-- A person's colour. Who has chosen one wears it everywhere. Who has not wears what each workspace gives them when they
-- join: the first of the order that nobody there wears. It depends on what others wear at that moment, so it is ruled once
-- and recorded in member.joined; the fold, and whoever folds again, only reads it. Who creates a workspace has the first.

alter table public.accounts alter column color drop not null;

-- A migration of the law that follows lets account.profile_changed say so by null; until somebody does, all colours are chosen
-- but those of accounts that never said who they are.
update public.accounts a set color = null
where not exists (
  select from public.events e where e.stream_id = a.user_id and e.type = 'account.profile_changed'
);

alter table public.members add column given_color int not null default 8;
alter table public.members alter column given_color drop default;
-- Who joined before colours were recorded wears one by their id; machines/member.ts says the same.
update public.members m set given_color = private.first_color(m.user_id)
where exists (
  select from public.events e
  where e.stream_id = m.workspace_id and e.type = 'member.joined' and e.subject_id = m.user_id
);
update public.members m set color = coalesce((select a.color from public.accounts a where a.user_id = m.user_id), m.given_color);

-- The colour that a workspace gives to somebody who joins: one that nobody active wears, rather one that nobody ever wore,
-- rather their own of before, and else the first of the order. When all are worn, the one that the fewest wear.
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

create or replace function private.name_member(person uuid, workspace uuid default null) returns void
language sql set search_path = '' as $$
  update public.members m
  set name = known.name, color = coalesce(known.color, m.given_color), email = known.email
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name, a.color, e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.email) is distinct from (known.name, coalesce(known.color, m.given_color), known.email)
$$;

create or replace function private.project_account(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'account.created' then
    insert into public.accounts (user_id, name, color, phase, version, created_at, updated_at)
    values (e.stream_id, '', null, e.to_phase, e.version, e.recorded_at, e.recorded_at);
    perform private.name_member(e.stream_id);
    return;
  end if;
  -- Signing in is nobody else's business: it does not touch updated_at, which people of the same workspace can read.
  update public.accounts
  set phase = e.to_phase,
      version = e.version,
      name = case when e.type = 'account.profile_changed' then body ->> 'name' else name end,
      color = case when e.type = 'account.profile_changed' then (body ->> 'color')::int else color end,
      updated_at = case when e.type like 'account.%' then e.recorded_at else updated_at end
  where user_id = e.stream_id;
  if e.type = 'account.profile_changed' then
    perform private.name_member(e.stream_id);
  end if;
end;
$$;

-- A member joins with a role and a colour, or comes back with others.
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

-- The first member, whom workspace.created brings with it.
create or replace function private.admit(e public.events, person uuid, role text) returns void
language sql set search_path = '' as $$
  select private.admit(e, person, role, 8)
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
      updated_at = e.recorded_at
  where workspace_id = e.stream_id and user_id = e.subject_id;
  if e.to_phase <> 'active' or private.rank(body ->> 'role') < private.rank(before.role) then
    update private.feeds set epoch = e.version where workspace_id = e.stream_id;
  end if;
end;
$$;

-- Makes the caller a member: { workspaceId, role }. Asked again by somebody who is one already, it changes nothing.
-- A link stays open for others; an invitation by email is used up.
create or replace function public.accept_invitation(invitation uuid, token text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- From here on the workspace is locked: two who come in at once do not get the same colour.
  i public.invitations := private.claim_invitation(invitation, token);
  actor uuid := auth.uid();
  events jsonb := '[]';
begin
  if private.role_in(i.workspace_id) is not null then
    return jsonb_build_object('workspaceId', i.workspace_id, 'role', private.role_in(i.workspace_id));
  end if;
  if i.phase <> 'open' then
    perform private.refuse('illegal-transition', 'the invitation is ' || i.phase);
  end if;
  if i.expires_at <= clock_timestamp() then
    perform private.refuse('illegal-transition', 'the invitation has expired');
  end if;
  -- Who was removed does not come back through a link they still have.
  if exists (
    select from private.subjects s join private.invitation_tokens t on t.invitation_id = i.id
    where s.stream_id = i.workspace_id and s.kind = 'member' and s.id = actor
      and s.phase = 'removed' and s.version > t.version
  ) then
    perform private.refuse('not-permitted', 'the invitation is older than the removal');
  end if;
  if i.kind = 'email' then
    events := jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.accepted', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', i.id)));
  end if;
  events := events || jsonb_build_object('id', gen_random_uuid(), 'type', 'member.joined',
    'body', json_build_object('role', i.role, 'invitationId', i.id, 'color', private.next_color(i.workspace_id, actor))::text,
    'subject', jsonb_build_object('kind', 'member', 'id', actor));
  perform private.append(i.workspace_id, null, events, true);
  return jsonb_build_object('workspaceId', i.workspace_id, 'role', i.role);
end;
$$;

revoke execute on function private.next_color(uuid, uuid), private.admit(public.events, uuid, text, int) from public;
