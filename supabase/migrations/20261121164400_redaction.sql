-- Redaction. An owner has the payload of one event destroyed; its place, actor, time and hash stay, so the chain verifies
-- and says what is missing. This is the one change that event_payloads admits, made in the append transaction alone.
--
-- The words go, and so does the salt, without which a short text could be guessed from its hash. In the update's place
-- stands a tombstone with the same ids, clocks and lengths, for everything written later hangs on them. What stood there
-- can never be compared again, so who makes the tombstone could write history: leave out a length, and all that follows
-- falls; add a deletion, and it is another's. Therefore an owner cannot bring one of their own: the service computes it from
-- the payload (events/redaction.ts) and vouches for it here, and the append takes no other. Readers pass over a tombstone
-- that has content. A service that lies can destroy text as a superuser can; it is seen that it did, and where.

create table private.tombstones (
  event_id uuid primary key,
  update bytea not null
);

-- The tables of derived states: a stream_id and a version. They are dropped when something in their stream is redacted.
create table private.caches (
  relation regclass primary key
);

alter table private.streams add column redacted_at bigint not null default 0;
alter table public.event_payloads
  alter column salt drop not null,
  add column redacted_by bigint,
  add check ((salt is null) = (redacted_by is not null));

-- What is left of a redacted body: who and where, none of the words.
create function private.redacted_body(body text) returns text
language sql immutable set search_path = '' as $$
  select (body::jsonb || coalesce(
    (select jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then '[]'::jsonb else '""'::jsonb end)
     from jsonb_each(body::jsonb)
     where key in ('title', 'text', 'quote', 'name', 'label', 'authors') and jsonb_typeof(value) <> 'null'),
    '{}'))::text
$$;

-- What takes the place of an update: the tombstone that was brought, marked as standing.
create function private.in_place(tombstone bytea) returns bytea
language sql immutable set search_path = '' as $$
  select '\x000005'::bytea || substring(tombstone from 4)
$$;

-- Keeps the tombstone (base64) that the service has computed for an event. Service only.
create function public.attest_tombstone(event uuid, tombstone text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  bytes bytea := private.from_base64(tombstone);
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service vouches for a tombstone');
  end if;
  if bytes is null or substring(bytes from 1 for 3) <> '\x000004' or octet_length(bytes) not between 4 and 524288 then
    perform private.refuse('invalid-event', 'this is no tombstone');
  end if;
  if not exists (
    select from public.event_payloads p where p.event_id = event and p.update is not null and p.redacted_by is null
  ) then
    perform private.refuse('invalid-event', 'there is no update to be redacted');
  end if;
  insert into private.tombstones (event_id, update) values (event, bytes)
  on conflict (event_id) do update set update = excluded.update;
end;
$$;

-- Refuses a redaction of what is not in this stream, is redacted, says nothing, or whose tombstone nobody vouches for.
create function private.check_redaction(p private.proposal, body jsonb, stream uuid) returns void
language plpgsql set search_path = '' as $$
declare
  target uuid := (body ->> 'event')::uuid;
  kind text;
  kept public.event_payloads;
begin
  select e.type into kind from public.events e where e.id = target and e.stream_id = stream;
  select * into kept from public.event_payloads k where k.event_id = target and kind is not null;
  if not found or kind = 'document.redacted' then
    perform private.refuse('invalid-event', 'there is no such event in this document, or it is a redaction itself');
  end if;
  if kept.redacted_by is not null then
    perform private.refuse('invalid-event', 'it is redacted already');
  end if;
  if kept.update is null then
    if p.update <> '\x000004' or private.redacted_body(kept.body)::jsonb = kept.body::jsonb then
      perform private.refuse('invalid-event', 'there is nothing in it to be redacted');
    end if;
  elsif not exists (select from private.tombstones t where t.event_id = target and t.update = p.update) then
    perform private.refuse('not-permitted', 'the service has not vouched for this tombstone');
  end if;
end;
$$;

-- Takes the words out of the read models as a fold of what is left would: only where nothing later has replaced them.
create function private.project_redaction(e public.events) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    update public.threads set quote = '' where document_id = e.stream_id and id = e.subject_id;
  elsif exists (
    select from public.events later
    where later.stream_id = e.stream_id and later.version > e.version
      and later.subject_kind = e.subject_kind and later.subject_id = e.subject_id
      and later.type in ('document.renamed', 'version.renamed', 'comment.edited', 'comment.deleted')
  ) then
    return;
  elsif e.type in ('comment.added', 'comment.edited') then
    update public.comments set text = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('version.named', 'version.renamed') then
    update public.versions set name = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('document.created', 'document.renamed') then
    update public.documents set title = '' where id = e.stream_id;
  end if;
end;
$$;

-- Drops every derived state of a stream.
create function private.drop_caches(stream uuid) returns void
language plpgsql set search_path = '' as $$
declare
  cache regclass;
begin
  for cache in select relation from private.caches loop
    execute format('delete from %s where stream_id = $1', cache) using stream;
  end loop;
end;
$$;

-- Destroys the payload of an event, in every place that has it.
create function private.destroy_payload(target uuid, stream uuid, version bigint, tombstone bytea) returns void
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
begin
  update public.event_payloads p
  set salt = null,
      body = private.redacted_body(p.body),
      update = case when p.update is not null then private.in_place(tombstone) end,
      redacted_by = version
  where p.event_id = target;
  delete from private.tombstones t where t.event_id = target;
  update private.streams s set redacted_at = version where s.id = stream;
  perform private.drop_caches(stream);
  perform private.project_redaction(e) from public.events e where e.id = target;
end;
$$;

-- Admits one change of a payload: the one that a recorded redaction of its event makes.
create function private.guard_redaction() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.event_id is distinct from old.event_id or old.redacted_by is not null or new.salt is not null
    or new.body is distinct from private.redacted_body(old.body)
    or not exists (
      select from public.events e
      join public.events r on r.stream_id = e.stream_id and r.version = new.redacted_by and r.version > e.version
      join public.event_payloads said on said.event_id = r.id
      where e.id = old.event_id and r.type = 'document.redacted' and (said.body::jsonb ->> 'event')::uuid = e.id
        and new.update is not distinct from case when old.update is not null then private.in_place(said.update) end
    )
  then
    raise exception using errcode = '42501', message = 'event_payloads is append-only: no redaction makes this change';
  end if;
  return new;
end;
$$;

drop trigger a_refuse_change on public.event_payloads;
create trigger a_refuse_change before delete or truncate on public.event_payloads
  for each statement execute function private.refuse_change();
drop trigger a_refuse_others on public.event_payloads;
create trigger a_refuse_others before insert or update on public.event_payloads
  for each statement execute function private.refuse_others();
create trigger b_guard_redaction before update on public.event_payloads
  for each row execute function private.guard_redaction();
alter table public.event_payloads enable always trigger a_refuse_change;
alter table public.event_payloads enable always trigger a_refuse_others;
alter table public.event_payloads enable always trigger b_guard_redaction;

-- Refuses a derived state from before a redaction: whoever made it may still have read what is destroyed.
create function private.guard_cache() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.version < (select s.redacted_at from private.streams s where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'something was redacted since');
  end if;
  return new;
end;
$$;

-- Makes a table of derived states known, so that redaction reaches it.
create function private.register_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.caches (relation) values (cache);
  execute format('create trigger b_guard_cache before insert or update on %s for each row execute function private.guard_cache()', cache);
  execute format('alter table %s enable always trigger b_guard_cache', cache);
end;
$$;
select private.register_cache('public.snapshots');

create or replace function private.check_carrying(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  other uuid := (body ->> 'document')::uuid;
  head private.streams;
begin
  if p.type = 'document.redacted' then
    perform private.check_redaction(p, body, stream);
    return;
  end if;
  if not private.is_carrying(p.type) then
    if substring(p.update from 1 for 3) in ('\x000003', '\x000004', '\x000005') then
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
  if p.type = 'document.redacted' then
    perform private.destroy_payload((p.body::jsonb ->> 'event')::uuid, e.stream_id, e.version, p.update);
  end if;

  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) then
    perform private.refuse('not-permitted', 'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$$;

-- An event with its payload as the clients read it. Redacted, it has no salt, and redacted_by says by which version.
create or replace function private.as_row(e public.events, p public.event_payloads) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id,
    'stream_id', e.stream_id,
    'stream_kind', e.stream_kind,
    'workspace_id', e.workspace_id,
    'version', e.version,
    'position', e.position,
    'type', e.type,
    'subject_kind', e.subject_kind,
    'subject_id', e.subject_id,
    'from_phase', e.from_phase,
    'to_phase', e.to_phase,
    'schema', e.schema,
    'actor_id', e.actor_id,
    'client_ids', e.client_ids,
    'client_time', to_char(e.client_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'recorded_at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'payload_hash', encode(e.payload_hash, 'hex'),
    'hash', encode(e.hash, 'hex'),
    'salt', encode(p.salt, 'hex'),
    'body', p.body,
    'update', translate(encode(p.update, 'base64'), E'\n', ''))
    || case when p.redacted_by is null then '{}' else jsonb_build_object('redacted_by', p.redacted_by) end
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_people(),
  private.topic_access(text) to anon, authenticated;
revoke execute on function public.attest_tombstone(uuid, text) from public, anon, authenticated;
grant execute on function public.attest_tombstone(uuid, text) to service_role;
