-- The fold in SQL: what each ruled event does to the read models. The append path and rebuild_projections() both call
-- private.project, so what is kept and what is rebuilt cannot differ.

-- The palette index of an account until its user chooses one; machines/account.ts has the same order.
create function private.first_color(user_id uuid) returns int
language sql immutable set search_path = '' as $$
  select ('{8,0,5,6,3,9,10,1,11,7,2,4}'::int[])[get_byte(uuid_send(user_id), 15) % 12 + 1]
$$;

-- Copies a person's name, colour and address into their memberships, or into one of them, where they have changed.
create function private.name_member(person uuid, workspace uuid default null) returns void
language sql set search_path = '' as $$
  update public.members m
  set name = known.name, color = known.color, email = known.email
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name,
      coalesce(a.color, private.first_color(person)) as color,
      e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.email) is distinct from (known.name, known.color, known.email)
$$;

create function private.project_account(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'account.created' then
    insert into public.accounts (user_id, name, color, phase, version, created_at, updated_at)
    values (e.stream_id, '', private.first_color(e.stream_id), e.to_phase, e.version, e.recorded_at, e.recorded_at);
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

-- A member joins with a role, or comes back with another.
create function private.admit(e public.events, person uuid, role text) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.members (workspace_id, user_id, role, phase, name, color, joined_at, updated_at)
  values (e.stream_id, person, role, 'active', '', 0, e.recorded_at, e.recorded_at)
  on conflict (workspace_id, user_id) do update
    set role = excluded.role, phase = 'active', joined_at = excluded.joined_at, updated_at = excluded.updated_at;
  perform private.name_member(person, e.stream_id);
end;
$$;

-- A member's role or phase changes; a right that is taken away moves the workspace's channels to a new epoch.
create function private.project_member(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  before public.members;
begin
  if e.type = 'member.joined' then
    perform private.admit(e, e.subject_id, body ->> 'role');
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

create function private.project_workspace(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'workspace.created' then
    insert into public.workspaces (id, name, phase, version, created_by, created_at, updated_at)
    values (e.stream_id, body ->> 'name', e.to_phase, e.version, e.actor_id, e.recorded_at, e.recorded_at);
    -- Who creates a workspace is its first owner, by this very event: machines/member.ts calls it the founder.
    insert into private.subjects (stream_id, kind, id, phase, author_id, version)
    values (e.stream_id, 'member', e.actor_id, 'active', e.actor_id, e.version);
    perform private.admit(e, e.actor_id, 'owner');
    return;
  end if;
  update public.workspaces
  set version = e.version,
      updated_at = e.recorded_at,
      phase = case when e.subject_kind = 'workspace' then e.to_phase else phase end,
      name = case when e.type = 'workspace.renamed' then body ->> 'name' else name end
  where id = e.stream_id;
  if e.subject_kind = 'member' then
    perform private.project_member(e, body);
  elsif e.subject_kind = 'invitation' then
    perform private.project_invitation(e, body);
  end if;
end;
$$;

create function private.project_document(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'document.created' then
    insert into public.documents
      (id, workspace_id, title, phase, version, created_by, created_at, updated_by, updated_at, edits)
    values (e.stream_id, e.workspace_id, body ->> 'title', e.to_phase, e.version,
      e.actor_id, e.recorded_at, e.actor_id, e.recorded_at, 0);
    return;
  end if;
  update public.documents
  set version = e.version,
      updated_by = e.actor_id,
      updated_at = e.recorded_at,
      phase = case when e.subject_kind = 'document' then e.to_phase else phase end,
      title = case when e.type = 'document.renamed' then body ->> 'title' else title end,
      edits = edits + (e.type = 'document.edited')::int
  where id = e.stream_id;
end;
$$;

-- Applies one ruled event to the phases and the read models.
create function private.project(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.subjects (stream_id, kind, id, phase, author_id, version)
  values (e.stream_id, e.subject_kind, e.subject_id, e.to_phase, e.actor_id, e.version)
  on conflict (stream_id, kind, id) do update set phase = excluded.phase, version = excluded.version;
  case e.stream_kind
    when 'account' then perform private.project_account(e, body);
    when 'workspace' then perform private.project_workspace(e, body);
    when 'document' then perform private.project_document(e, body);
  end case;
end;
$$;

-- Throws the read models away and folds the log again. Service only. Accounts come first: memberships copy names.
create function public.rebuild_projections() returns void
language plpgsql security definer set search_path = '' as $$
declare
  entry record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service rebuilds');
  end if;
  -- Appends lock rows of this table first, so none is under way while the fold runs.
  lock table private.streams in exclusive mode;
  delete from private.invitation_tokens;
  delete from private.subjects;
  delete from public.documents;
  delete from public.invitations;
  delete from public.members;
  delete from public.workspaces;
  delete from public.accounts;
  update private.feeds set epoch = 0;
  for entry in
    select e as event, p.body::jsonb as body
    from public.events e left join public.event_payloads p on p.event_id = e.id
    order by e.workspace_id nulls first, e.position, e.stream_id, e.version
  loop
    perform private.project(entry.event, entry.body);
  end loop;
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.rebuild_projections() from public, anon, authenticated;
grant execute on function public.rebuild_projections() to service_role;
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_people() to anon, authenticated;
