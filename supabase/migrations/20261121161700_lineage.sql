-- Copies with a lineage. A fork begins with a moment of another document, a merge brings into one of the two what the other
-- has more, an import begins with a bundle. What they carry was written elsewhere: the payload's first bytes say where
-- (00 00 03 and the source's id), and the client ids in it belong to that source. So nobody writes under them here, a later
-- merge from the same source may go on, and who wrote what is asked of the source's log, never of who carried it.

alter table public.documents add column forked_from uuid, add column forked_at bigint,
  add check ((forked_from is null) = (forked_at is null));
create index documents_by_origin on public.documents (forked_from) where forked_from is not null;

-- Null: the actor's own hand. Otherwise the document in whose log these ids have their hands.
alter table private.stream_clients add column source uuid;

-- The document that an update was carried from; null for one that was written where it stands.
create function private.carried_from(update bytea) returns uuid
language sql immutable set search_path = '' as $$
  select case when octet_length(update) > 19 and substring(update from 1 for 3) = '\x000003'
    then encode(substring(update from 4 for 16), 'hex')::uuid end
$$;

-- Whether an event of this type carries what was written elsewhere.
create function private.is_carrying(type text) returns boolean
language sql immutable set search_path = '' as $$
  select type in ('document.forked', 'document.merged', 'document.imported')
$$;

-- Refuses an update that does not say truly whether it was written here, a moment of another document that the caller may
-- not read or that has not come, a copy into what has begun otherwise, and a merge of documents that are not related.
create function private.check_carrying(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  other uuid := (body ->> 'document')::uuid;
  head private.streams;
begin
  if not private.is_carrying(p.type) then
    if substring(p.update from 1 for 3) in ('\x000003', '\x000004') then
      perform private.refuse('invalid-event', 'the update was not written in this document');
    end if;
    return;
  end if;
  if private.carried_from(p.update) is distinct from other then
    perform private.refuse('invalid-event', 'the update does not say which document it comes from');
  end if;
  -- A state that is too large for one event comes in several that follow each other.
  if p.type <> 'document.merged' and reached > 1 and not exists (
    select from public.events e join public.event_payloads before on before.event_id = e.id
    where e.stream_id = stream and e.version = reached and e.type = p.type and e.actor_id = (select auth.uid())
      and before.body = p.body
  ) then
    perform private.refuse('illegal-transition', 'a document begins as a copy or not at all');
  end if;
  if p.type = 'document.imported' then
    return;
  end if;
  select * into head from private.streams s where s.id = other and s.kind = 'document';
  if not found or not private.may_read(other) then
    perform private.refuse('not-permitted', 'there is no such stream, or you have no access to it');
  end if;
  if other = stream or (body ->> 'version')::bigint > head.version then
    perform private.refuse('invalid-event', 'the other document has not reached the version that is named');
  end if;
  if p.type = 'document.merged' and not exists (
    select from public.documents d
    where (d.id = stream and d.forked_from = other) or (d.id = other and d.forked_from = stream)
  ) then
    perform private.refuse('invalid-event', 'neither document began as a copy of the other');
  end if;
end;
$$;

create or replace function private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if p.type = 'invitation.created' and (body ->> 'kind' = 'email') <> (body ->> 'email' is not null) then
    perform private.refuse('invalid-event', 'an invitation by email has an address, one by link has none');
  elsif p.type = 'version.named' and (body ->> 'at')::bigint > reached
    or p.type = 'document.reverted' and (body ->> 'toVersion')::bigint > reached then
    perform private.refuse('invalid-event', 'the document has not reached the version that is named');
  elsif p.type = 'document.reworked' then
    perform private.check_reworking(body, stream, reached);
  end if;
  if p.update is not null then
    perform private.check_carrying(p, body, stream, reached);
  end if;
end;
$$;

-- Who carries a state names every hand in it, and old documents have had many.
create or replace function private.client_ids(entry jsonb) returns bigint[]
language plpgsql immutable set search_path = '' as $$
declare
  ids bigint[];
begin
  if coalesce(jsonb_typeof(entry -> 'clientIds'), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(entry -> 'clientIds') <> 'array'
    or jsonb_array_length(entry -> 'clientIds') > (case when private.is_carrying(entry ->> 'type') then 16384 else 64 end)
    or exists (select from jsonb_array_elements_text(entry -> 'clientIds') as item where item !~ '^(0|[1-9][0-9]{0,15})$') then
    perform private.refuse('invalid-event', 'clientIds is not a list of client ids');
  end if;
  select coalesce(array_agg(distinct item::bigint), '{}') into ids from jsonb_array_elements_text(entry -> 'clientIds') as item;
  if 9007199254740991 < any (ids) then
    perform private.refuse('invalid-event', 'clientIds is not a list of client ids');
  end if;
  return ids;
end;
$$;

drop function private.bind_clients(uuid, bigint[], uuid, bigint);

-- Binds the update's client ids to the actor, or to the document it was carried from; the ids bound just now, or null.
create function private.bind_clients(stream uuid, ids bigint[], actor uuid, version bigint, source uuid) returns bigint[]
language plpgsql set search_path = '' as $$
declare
  bound bigint[];
begin
  if cardinality(ids) = 0 then
    return null;
  end if;
  if exists (
    select from private.stream_clients c
    where c.stream_id = stream and c.client_id = any (ids)
      and (c.source is distinct from bind_clients.source or (c.source is null and c.actor_id <> actor))
  ) then
    perform private.refuse('not-permitted', 'a client id belongs to somebody else');
  end if;
  with added as (
    insert into private.stream_clients (stream_id, client_id, actor_id, version, source)
    select stream, id, actor, bind_clients.version, bind_clients.source from unnest(ids) as id
    on conflict do nothing
    returning client_id
  )
  select array_agg(client_id order by client_id) into bound from added;
  return bound;
end;
$$;

create or replace function private.rule(p private.proposal, head private.streams, actor uuid, invited boolean) returns public.events
language plpgsql set search_path = '' as $$
declare
  subject private.subjects;
  rule private.transitions;
  role text := private.role_in(head.workspace_id);
  e public.events;
  salt bytea := uuid_send(gen_random_uuid());
begin
  select * into subject from private.subjects s
  where s.stream_id = head.id and s.kind = p.subject_kind and s.id = p.subject_id;
  select * into rule from private.transitions t
  where t.subject_kind = p.subject_kind and t.from_phase = coalesce(subject.phase, 'absent')
    and t.event_type = p.type and t.stream_kind = head.kind and t.retired_at is null;
  if not found then
    perform private.refuse('illegal-transition', coalesce(subject.phase, 'absent') || ' does not allow ' || p.type);
  end if;
  if p.subject_kind <> head.kind and not exists (
    select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
    where s.stream_id = head.id and s.kind = head.kind and s.id = head.id and h.retired_at is null
  ) then
    perform private.refuse('illegal-transition', 'what it lives in does not allow it now');
  end if;
  if not private.holds(rule.needs, actor, role, p.subject_id, subject.author_id, invited) then
    perform private.refuse('not-permitted', 'this needs the right ' || rule.needs);
  end if;

  e.id := p.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  select s.version + 1, greatest(clock_timestamp(), s.recorded_at + interval '1 microsecond')
    into e.version, e.recorded_at from private.streams s where s.id = head.id;
  perform private.check_meaning(p, p.body::jsonb, head.id, e.version - 1);
  select f.position + 1 into e.position from private.feeds f where f.workspace_id = head.workspace_id;
  e.type := p.type;
  e.subject_kind := p.subject_kind;
  e.subject_id := p.subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.schema := p.schema;
  e.actor_id := actor;
  e.client_ids := private.bind_clients(head.id, p.client_ids, actor, e.version, private.carried_from(p.update));
  select greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), s.client_time)
    into e.client_time from private.streams s where s.id = head.id;
  e.payload_hash := private.payload_hash(salt, p.body, p.update);
  insert into public.events select e.* returning * into e;
  insert into public.event_payloads (event_id, salt, body, update) values (e.id, salt, p.body, p.update);
  perform private.project(e, p.body::jsonb);

  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) then
    perform private.refuse('not-permitted', 'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$$;

create or replace function private.project_document(e public.events, body jsonb) returns void
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
      edits = edits + (e.type = 'document.edited')::int,
      forked_from = case when e.type = 'document.forked' then (body ->> 'document')::uuid else forked_from end,
      forked_at = case when e.type = 'document.forked' then (body ->> 'version')::bigint else forked_at end
  where id = e.stream_id;
  if e.subject_kind <> 'document' then
    perform private.project_inside_document(e, body);
  end if;
end;
$$;

-- Whose hand each Yjs client id of a stream is: a user's, or where `source` names a document, that of its log.
create or replace function public.read_clients(stream uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('clientId', c.client_id, 'actorId', c.actor_id, 'version', c.version)
      || case when c.source is null then '{}' else jsonb_build_object('source', c.source) end
    order by c.version, c.client_id), '[]')
  from private.stream_clients c
  where c.stream_id = stream and (select private.may_read(stream))
$$;

revoke execute on function private.carried_from(bytea), private.is_carrying(text),
  private.check_carrying(private.proposal, jsonb, uuid, bigint), private.bind_clients(uuid, bigint[], uuid, bigint, uuid) from public;
