-- Redaction. An owner has the payload of one event destroyed; its place, actor, time and hash stay,
-- so the chain verifies and says what is missing. This is the one change that event_payloads
-- admits, made in the append transaction alone.
--
-- The words are deleted, and so is the salt, without which a short text could be guessed from its
-- hash. In the update's place is a tombstone with the same ids, clocks and lengths, because
-- everything written later depends on them. Nobody can ever compare it with the update it replaces,
-- so whoever computes the tombstone could write history: leave out a length, and all that follows
-- is lost; add a deletion, and it is another's. Therefore an owner cannot bring one of their own:
-- the service computes it from the payload (events/crdt/payload/redaction.ts) and attests it here,
-- and the append takes no other. Readers reject a tombstone that has content. A service that lies
-- can destroy text as a superuser can; it is visible that it did, and where.

create table private.tombstones (
  event_id uuid primary key,
  update bytea not null
);

-- The tables of derived states: each has a stream_id and a version. Their rows are deleted when
-- something in their stream is redacted.
create table private.caches (
  relation regclass primary key
);

-- What takes the place of an update: the tombstone that was brought, marked as being in place.
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
    perform private.refuse('not-permitted', 'service-only', 'only the service vouches for a tombstone');
  end if;
  if bytes is null or substring(bytes from 1 for 3) <> '\x000004' or octet_length(bytes) not between 4 and 524288 then
    perform private.refuse('invalid-event', 'tombstone-malformed', 'this is no tombstone');
  end if;
  if not exists (
    select from public.event_payloads p where p.event_id = event and p.update is not null and p.redacted_by is null
  ) then
    perform private.refuse('invalid-event', 'nothing-to-redact', 'there is no update to be redacted');
  end if;
  insert into private.tombstones (event_id, update) values (event, bytes)
  on conflict (event_id) do update set update = excluded.update;
end;
$$;

-- Refuses a redaction of what is not in this stream, is redacted, has no words, or whose tombstone is not attested.
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
    perform private.refuse('invalid-event', 'event-missing',
      'there is no such event in this document, or it is a redaction itself');
  end if;
  if kept.redacted_by is not null then
    perform private.refuse('invalid-event', 'redacted-already', 'it is redacted already');
  end if;
  if kept.update is null then
    if p.update <> '\x000004' or private.redacted_body(kept.body)::jsonb = kept.body::jsonb then
      perform private.refuse('invalid-event', 'nothing-to-redact', 'there is nothing in it to be redacted');
    end if;
  elsif not exists (select from private.tombstones t where t.event_id = target and t.update = p.update) then
    perform private.refuse('not-permitted', 'tombstone-unattested', 'the service has not vouched for this tombstone');
  end if;
end;
$$;

-- Takes the words out of the read models as a projection of what is left would: only where nothing
-- later has replaced them.
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

-- Deletes every derived state of a stream.
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

-- Allows one change of a payload: the one that a recorded redaction of its event makes.
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
create trigger b_guard_redaction before update on public.event_payloads
  for each row execute function private.guard_redaction();
alter table public.event_payloads enable always trigger b_guard_redaction;

-- Refuses a derived state from before a redaction: whoever computed it may have read what is destroyed since.
create function private.guard_cache() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.version < (select s.redacted_at from private.streams s where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  return new;
end;
$$;

-- Keeps a table of derived states from readers who may not read the history of its document.
create function private.grade_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create policy "and who sees the history of its document" on %s
    as restrictive for select to authenticated
    using (stream_id in (select d.id from public.documents d
      where d.workspace_id in (select private.my_open_workspaces())))', cache);
end;
$$;

-- Registers a table of derived states, so that redaction reaches it and readers of named versions alone do not.
create function private.register_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.caches (relation) values (cache);
  execute format('create trigger b_guard_cache before insert or update on %s
    for each row execute function private.guard_cache()', cache);
  execute format('alter table %s enable always trigger b_guard_cache', cache);
  perform private.grade_cache(cache);
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.attest_tombstone(uuid, text) from public, anon, authenticated;
grant execute on function public.attest_tombstone(uuid, text) to service_role;
