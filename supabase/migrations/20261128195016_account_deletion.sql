-- Deleting an account. The person's events stay, so every chain verifies. The transaction that records
-- `account.deleted` removes the person's data from payloads and tables: their name everywhere, their address, their
-- personal state and their sessions. Ordinary events end their memberships. A workspace without another member is
-- emptied first: ordinary events purge its documents, and its own text is destroyed when its last member leaves.

-- Deleted accounts whose users the authentication service has yet to delete.
create table private.deleted_accounts (
  since timestamptz not null default now(),
  user_id uuid primary key
);
revoke all on private.deleted_accounts from public, anon, authenticated, service_role;

-- Destroys the text in the payloads of an account's or workspace's stream before an event. Documents are purged
-- instead.
create function private.destroy_words(e public.events) returns void
language sql set search_path = '' as $$
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null and p.update is null and private.redacted_body(p.body)::jsonb <> p.body::jsonb
$$;

-- Removes the personal data of a deleted account. A rebuild finds nothing to remove.
create function private.project_account_deletion(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.destroy_words(e);
  update public.accounts a set name = 'Former member', color = null where a.user_id = e.stream_id;
  delete from private.emails k where k.user_id = e.stream_id;
  delete from public.personal_documents k where k.user_id = e.stream_id;
  delete from public.personal_workspaces k where k.user_id = e.stream_id;
  delete from private.open_uploads k where k.user_id = e.stream_id;
  delete from auth.sessions s where s.user_id = e.stream_id;
  insert into private.deleted_accounts (user_id) values (e.stream_id) on conflict do nothing;
  perform private.name_member(e.stream_id);
end;
$$;

-- Destroys the text of a workspace when its last member has left, after which no person can read it again.
create function private.project_last_departure(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from public.members m where m.workspace_id = e.stream_id and m.phase = 'active') then
    return;
  end if;
  perform private.destroy_words(e);
  update public.workspaces w set name = '' where w.id = e.stream_id;
  update public.invitations i set email = '' where i.workspace_id = e.stream_id and i.email is not null;
end;
$$;
insert into private.projection_hooks (event_type, function) values
  ('account.deleted', 'project_account_deletion'),
  ('member.left', 'project_last_departure');

-- The workspaces of a person with the effect of their leaving: `alone` if no other member is active, `kept` if others
-- are but this person is the only owner, otherwise `left`.
create function private.workspaces_without(person uuid)
returns table (id uuid, name text, effect text)
language sql stable set search_path = '' as $$
  select w.id, w.name, case
    when count(o.user_id) = 0 then 'alone'
    when own.role = 'owner' and count(o.user_id) filter (where o.role = 'owner') = 0 then 'kept'
    else 'left' end
  from public.members own
  join public.workspaces w on w.id = own.workspace_id
  left join public.members o on o.workspace_id = w.id and o.user_id <> person and o.phase = 'active'
  where own.user_id = person and own.phase = 'active'
  group by w.id, w.name, own.role
  order by w.id
$$;

-- A batch of one event about the stream itself, with an empty body.
create function private.lone_event(type text) returns jsonb
language sql set search_path = '' as $$
  select jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', type, 'body', '{}'))
$$;

-- Revokes open invitations to a workspace, so that no person can join it; stops after the batch during which `until`
-- passes.
create function private.revoke_invitations(workspace uuid, until timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  events jsonb;
begin
  loop
    select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.revoked', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', open.id)))
    into events from (
      select i.id from public.invitations i where i.workspace_id = workspace and i.phase = 'open' limit 200
    ) as open;
    exit when events is null;
    perform private.append(workspace, null, events, false);
    exit when clock_timestamp() > until;
  end loop;
end;
$$;

-- The effect of deleting the caller's account on each of their workspaces: [{ id, name, effect, documents }] with the
-- effects of private.workspaces_without and, for `alone`, the number of documents that would be purged.
create function public.read_account_end() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'effect', w.effect, 'documents', (
    select count(*) from public.documents d
    where w.effect = 'alone' and d.workspace_id = w.id and d.phase <> 'purged'
  )) order by w.name, w.id), '[]')
  from private.workspaces_without((select auth.uid())) as w
$$;

-- Deletes the caller's account and returns { deleted, left }. In the workspaces in which the caller is alone it first
-- revokes invitations and purges documents, for a second; `left` counts the remaining documents. Once none is left, it
-- deletes the rest in one transaction. The client repeats the call until `deleted`; a further call changes nothing.
-- `address` is the account's own, typed to confirm. Locks order two owners who delete their accounts at once, so no
-- workspace with members is left without an owner.
create function public.delete_account(address text) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '4s' as $$
declare
  actor uuid := auth.uid();
  until timestamptz := clock_timestamp() + interval '1 second';
  phase text;
  alone uuid[];
  workspace uuid;
  gone public.documents;
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  if lower(trim(address)) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('invalid-event', 'address-wrong', 'this is not the address of the account');
  end if;
  -- Appends by which this person begins or joins a stream lock this row: they have committed, or wait.
  select a.phase into phase from public.accounts a where a.user_id = actor for update;
  if phase = 'deleted' then
    return jsonb_build_object('deleted', true, 'left', 0);
  end if;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  foreach workspace in array alone loop
    -- This lock keeps people from joining while the workspace is emptied. A member who joined before keeps it.
    perform from private.streams s where s.id = workspace for update;
    continue when exists (
      select from public.members m
      where m.workspace_id = workspace and m.user_id <> actor and m.phase = 'active'
    );
    perform private.revoke_invitations(workspace, until);
    loop
      exit when clock_timestamp() > until;
      select * into gone from public.documents d
      where d.workspace_id = workspace and d.phase <> 'purged' and not exists (
        select from public.documents inside
        where coalesce(inside.parent_id, inside.workspace_id) = d.id and inside.phase <> 'purged'
      )
      limit 1;
      exit when not found;
      if gone.phase = 'live' then
        perform private.append(gone.id, null, private.lone_event('document.trashed'), false);
      end if;
      perform private.append(gone.id, null, private.lone_event('document.purged'), false);
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  -- These locks order two members of a workspace who delete their accounts at once. The first leaves; the second is
  -- then alone and empties the workspace.
  perform from private.streams s
  where s.id = any (array(select w.id from private.workspaces_without(actor) as w)) order by s.id for update;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  if exists (select from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged')
    or exists (select from public.invitations i where i.workspace_id = any (alone) and i.phase = 'open') then
    return jsonb_build_object('deleted', false, 'left', (
      select count(*) from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged'
    ));
  end if;
  perform private.append(actor, null,
    case when phase is null then private.lone_event('account.created') else '[]' end
      || private.lone_event('account.deleted'), true);
  for workspace in select w.id from private.workspaces_without(actor) as w order by w.id loop
    perform private.append(workspace, null, jsonb_build_array(jsonb_build_object(
      'id', gen_random_uuid(), 'type', 'member.left', 'body', '{}',
      'subject', jsonb_build_object('kind', 'member', 'id', actor))), false);
  end loop;
  return jsonb_build_object('deleted', true, 'left', 0);
end;
$$;

-- One page, ordered by id, of the documents that the caller may read and has written or commented in: [{ id, workspace,
-- title, trashed }], after the given one.
create function public.read_own_documents(after uuid default null, max_count int default 500) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', own.id, 'workspace', own.workspace_id, 'title', own.title,
    'trashed', own.phase = 'trashed') order by own.id), '[]')
  from (
    select d.id, d.workspace_id, d.title, d.phase from public.documents d
    where d.workspace_id in (select private.my_workspaces()) and d.phase <> 'purged'
      and (after is null or d.id > after)
      and (exists (select from private.stream_clients c where c.stream_id = d.id
          and c.actor_id = (select auth.uid()) and c.source is null)
        or exists (select from public.comments c where c.document_id = d.id
          and c.author_id = (select auth.uid())))
    order by d.id
    limit greatest(0, least(coalesce(max_count, 500), 500))
  ) as own
$$;

-- Accounts whose users the authentication service has yet to delete, the oldest first. Service only.
create function public.read_deleted_accounts(max_count int default 20) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes users');
  end if;
  return (select coalesce(jsonb_agg(d.user_id), '[]') from (
    select k.user_id from private.deleted_accounts k order by k.since
    limit greatest(0, least(coalesce(max_count, 20), 100))
  ) as d);
end;
$$;

-- Records that the authentication service has deleted the user of an account. Service only.
create function public.forget_account(person uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes users');
  end if;
  delete from private.deleted_accounts k where k.user_id = person;
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.read_account_end(), public.delete_account(text), public.read_own_documents(uuid, int),
  public.read_deleted_accounts(int), public.forget_account(uuid) from public, anon;
revoke execute on function public.read_deleted_accounts(int), public.forget_account(uuid) from authenticated;
grant execute on function public.read_account_end(), public.delete_account(text),
  public.read_own_documents(uuid, int) to authenticated, service_role;
grant execute on function public.read_deleted_accounts(int), public.forget_account(uuid) to service_role;
