-- Deleting an account. Its events stay where they are, so every chain verifies; what they and the
-- tables beside them say of the person goes, in the transaction that records `account.deleted`:
-- their name everywhere it is derived, their address, what they keep for themselves, their sessions.
-- Memberships end by the ordinary events. A workspace in which they are alone is emptied first: its
-- documents are purged by the ordinary events, and its own words go when its last member has left.

-- Accounts that are deleted here and not yet with the authentication service, which alone deletes its users.
create table private.deleted_accounts (
  since timestamptz not null default now(),
  user_id uuid primary key
);
revoke all on private.deleted_accounts from public, anon, authenticated, service_role;

-- A body without its words: those that people wrote into it, and whom an invitation was for.
create or replace function private.redacted_body(body text) returns text
language sql immutable set search_path = '' as $$
  select (body::jsonb || coalesce(
    (select jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then '[]'::jsonb else '""'::jsonb end)
     from jsonb_each(body::jsonb)
     where key in ('title', 'text', 'quote', 'name', 'label', 'authors', 'email') and jsonb_typeof(value) <> 'null'),
    '{}'))::text
$$;

-- Allows four changes of a payload: those that a recorded redaction of its event, purge of its document, or deletion
-- of its account makes, and the one that the last member makes who leaves its workspace.
create or replace function private.guard_redaction() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.event_id is distinct from old.event_id or old.redacted_by is not null or new.salt is not null
    or new.body is distinct from private.redacted_body(old.body)
    or not exists (
      select from public.events e
      join public.events r on r.stream_id = e.stream_id and r.version = new.redacted_by and r.version > e.version
      join public.event_payloads said on said.event_id = r.id
      where e.id = old.event_id and (
        r.type = 'document.redacted' and (said.body::jsonb ->> 'event')::uuid = e.id
          and new.update is not distinct from case when old.update is not null then private.in_place(said.update) end
        or r.type = 'document.purged' and new.update is not distinct from private.purged_update(old.update)
        or r.type = 'account.deleted' and new.update is null and old.update is null
        or r.type = 'member.left' and new.update is null and old.update is null and not exists (
          select from public.members m where m.workspace_id = r.stream_id and m.phase = 'active'
        )
      )
    )
  then
    raise exception using errcode = '42501', message = 'event_payloads is append-only: no redaction makes this change';
  end if;
  return new;
end;
$$;

-- Destroys the words of a stream's own events before one of them, of documents and accounts apart from each other.
create function private.destroy_words(e public.events) returns void
language sql set search_path = '' as $$
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null and p.update is null and private.redacted_body(p.body)::jsonb <> p.body::jsonb
$$;

-- Takes away what is kept of a person whose account is deleted, and what they kept for themselves. A rebuilding finds
-- nothing to take away.
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

-- Destroys the words of a workspace when its last member has left: nobody reads it any more, nor ever can again.
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

-- Locks what an append depends on beside its stream. Whose account was deleted begins and joins nothing more: on a
-- hosted project their token goes on for minutes.
create or replace function private.lock_dependencies(
  head private.streams, actor uuid, batch private.proposal[], invited boolean
) returns void
language plpgsql set search_path = '' as $$
declare
  phase text;
begin
  if head.kind = 'account' or invited or head.version = 0 then
    perform private.remember_email(actor);
    select a.phase into phase from public.accounts a where a.user_id = actor for share;
    if phase = 'deleted' and head.kind <> 'account' then
      perform private.refuse('not-permitted', 'account-deleted', 'the account was deleted');
    end if;
  end if;
  if head.kind = 'workspace' and exists (select from unnest(batch) as p where p.subject_kind = 'member') then
    perform from public.members where workspace_id = head.workspace_id order by user_id for update;
  else
    perform from public.members where workspace_id = head.workspace_id and user_id = actor for share;
  end if;
end;
$$;

-- Appends one proposal that is new: the law, the right, then the row, the payload and the projections.
create or replace function private.rule(p private.proposal, head private.streams, actor uuid, role text,
  invited boolean) returns public.events
language plpgsql set search_path = '' as $$
declare
  -- In a workspace an event of the same batch may have changed it; elsewhere the membership is locked.
  rule private.transitions := private.check_law(p, head, actor,
    case head.kind when 'workspace' then private.role_in(head.workspace_id) when 'document' then role end, invited);
  e public.events;
  previous bytea;
  salt bytea := uuid_send(gen_random_uuid());
  body jsonb := p.body;
begin
  select s.version + 1, greatest(clock_timestamp(), s.recorded_at + interval '1 microsecond'), s.client_time, s.hash,
    (select f.position + 1 from private.feeds f where f.workspace_id = s.workspace_id)
  into e.version, e.recorded_at, e.client_time, previous, e.position
  from private.streams s where s.id = head.id;
  perform private.check_meaning(p, body, head.id, e.version - 1);
  e.id := p.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  e.type := p.type;
  e.subject_kind := p.subject_kind;
  e.subject_id := p.subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.schema := p.schema;
  e.actor_id := actor;
  if cardinality(p.client_ids) > 0 then
    e.client_ids := private.bind_clients(head.id, p.client_ids, actor, e.version, private.carried_from(p.update));
  end if;
  e.client_time := greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), e.client_time);
  e.payload_hash := private.payload_hash(salt, p.body, p.update);
  e.hash := private.event_hash(previous, e);
  insert into public.events select e.*;
  insert into public.event_payloads (event_id, salt, body, update) values (e.id, salt, p.body, p.update);
  perform private.project(e, body);
  if p.type = 'document.redacted' then
    perform private.destroy_payload((body ->> 'event')::uuid, e.stream_id, e.version, p.update);
  end if;

  -- Whose account is deleted leaves a workspace to nobody, if nobody else is in it.
  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) and not (
    p.type = 'member.left'
    and not exists (select from public.members m where m.workspace_id = head.id and m.phase = 'active')
    and exists (select from public.accounts a where a.user_id = actor and a.phase = 'deleted')
  ) then
    perform private.refuse('not-permitted', 'last-owner',
      'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$$;

-- The workspaces of a person by what their going means for each: others are there and no other owner is (`kept`),
-- others are there (`left`), or nobody else is (`alone`).
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

-- A batch of one event that says nothing beside its type, about the stream itself.
create function private.lone_event(type text) returns jsonb
language sql set search_path = '' as $$
  select jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', type, 'body', '{}'))
$$;

-- Revokes invitations to a workspace that are open, so that nobody comes into it.
create function private.revoke_invitations(workspace uuid) returns void
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
  end loop;
end;
$$;

-- Tells somebody what deleting their account would do: which workspaces wait for another owner, which would be deleted
-- with how many documents, and which they would leave.
create function public.read_account_end() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'effect', w.effect, 'documents', (
    select count(*) from public.documents d
    where w.effect = 'alone' and d.workspace_id = w.id and d.phase <> 'purged'
  )) order by w.name, w.id), '[]')
  from private.workspaces_without((select auth.uid())) as w
$$;

-- Deletes the caller's account: of the documents of workspaces in which they are alone as many as a second is enough
-- for, and when none is left, everything else at once. Answers how many documents are left, and whether it is done;
-- who is told that it is not calls again. Called again afterwards it changes nothing. `address` is the account's own,
-- typed by whoever means it.
create function public.delete_account(address text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  began timestamptz := clock_timestamp();
  phase text;
  alone uuid[];
  workspace uuid;
  gone public.documents;
  events jsonb;
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  if lower(trim(address)) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('invalid-event', 'address-wrong', 'this is not the address of the account');
  end if;
  -- Whoever comes into a workspace at this moment waits here, or is in it.
  select a.phase into phase from public.accounts a where a.user_id = actor for update;
  if phase = 'deleted' then
    return jsonb_build_object('deleted', true, 'left', 0);
  end if;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  foreach workspace in array alone loop
    -- Nobody comes into what is being emptied.
    perform private.revoke_invitations(workspace);
    loop
      select * into gone from public.documents d
      where d.workspace_id = workspace and d.phase <> 'purged' and not exists (
        select from public.documents inside
        where coalesce(inside.parent_id, inside.workspace_id) = d.id and inside.phase <> 'purged'
      )
      limit 1;
      exit when not found;
      if clock_timestamp() > began + interval '1 second' then
        return jsonb_build_object('deleted', false, 'left', (
          select count(*) from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged'
        ));
      end if;
      if gone.phase = 'live' then
        perform private.append(gone.id, null, private.lone_event('document.trashed'), false);
      end if;
      perform private.append(gone.id, null, private.lone_event('document.purged'), false);
    end loop;
  end loop;
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

-- Tells somebody in which documents they wrote or commented, of those that they may read, in the order of ids: a page
-- behind one of them.
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

-- Accounts whose users the authentication service is still to delete, the oldest first. Service only.
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

-- Notes that the authentication service has deleted the user of an account. Service only.
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
