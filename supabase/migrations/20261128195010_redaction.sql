-- Redaction and purging. An owner destroys the payload of one event, or every payload of a document. Place, actor,
-- time and hash of each event stay, so the chain verifies and shows what is missing. The append transaction makes the
-- change. Apart from redactions, purges and deleted accounts (see guard_redaction), event_payloads admits none.
--
-- A redaction deletes the text and the salt: with the salt, a short text could be guessed from its hash. It replaces
-- the update with a tombstone of the same ids, clocks and lengths, because later updates depend on them. A tombstone
-- cannot be compared with the destroyed update, so its author could falsify history: a missing length loses everything
-- after it, and an additional deletion removes another person's text. Owners therefore cannot supply a tombstone. The
-- service computes it from the payload (events/crdt/payload/redaction.ts) and attests it here, and the append accepts
-- no other. Readers reject a tombstone that has content. A dishonest service can destroy text, as a superuser can; the
-- log shows that it did, and where.

create table private.tombstones (
  event_id uuid primary key,
  update bytea not null
);

-- The tables of derived states (caches). Each has a stream_id and a version; a redaction deletes its stream's rows.
create table private.caches (
  relation regclass primary key
);

-- The tombstone as stored in the update's place: with the mark 00 00 05 instead of the attested 00 00 04.
create function private.in_place(tombstone bytea) returns bytea
language sql immutable set search_path = '' as $$
  select '\x000005'::bytea || substring(tombstone from 4)
$$;

-- Stores the tombstone (base64) that the service has computed for an event. Service only.
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

-- Refuses the redaction of an event that belongs to another stream, is a redaction, is redacted already or has no text,
-- and one whose tombstone is not attested.
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

-- Removes the text of a redacted event from the read models, unless a later event has replaced it. The redaction of
-- file.attached deletes the file's row. The result equals a projection of the redacted log.
create function private.project_redaction(e public.events) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    update public.threads set quote = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type = 'file.attached' then
    delete from private.files f where f.document_id = e.stream_id and f.id = e.subject_id;
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

-- Destroys the payload of an event, with its text in the read models and the derived states of its stream.
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

-- The stored form of an update in a purged document, which is never folded.
create function private.purged_update(update bytea) returns bytea
language sql immutable set search_path = '' as $$
  select case when update is not null then '\x000005'::bytea end
$$;

-- Refuses to purge a document with unpurged children, which would lose their parent.
create function private.check_purge(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void
language plpgsql set search_path = '' as $$
begin
  if (select b.children from private.branches b where b.document_id = stream) > 0 then
    perform private.refuse('illegal-transition', 'branch-left', 'documents that stand in it are still there');
  end if;
end;
$$;

-- Destroys all text of a purged document, in payloads, read models and derived states. A rebuild finds nothing to
-- destroy. The anchor of a thread is no text: a purge leaves it, as a redaction does.
create function private.project_document_purge(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.upkeep u where u.stream_id = e.stream_id;
  delete from private.tombstones t using public.events before
  where before.stream_id = e.stream_id and t.event_id = before.id;
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), update = private.purged_update(p.update),
    redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null;
  update private.streams s set redacted_at = e.version where s.id = e.stream_id and s.redacted_at < e.version;
  perform private.drop_caches(e.stream_id);
  update public.comments c set text = '' where c.document_id = e.stream_id;
  update public.threads t set quote = '' where t.document_id = e.stream_id;
  update public.versions v set name = '' where v.document_id = e.stream_id;
  update public.documents d set title = '', icon = null, template = false where d.id = e.stream_id;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('document.purged', 'check_purge');
insert into private.projection_hooks (event_type, function) values ('document.purged', 'project_document_purge');

-- Allows four changes of a payload: by a recorded redaction of its event, purge of its document or deletion of its
-- account, or when the last member leaves its workspace.
create function private.guard_redaction() returns trigger
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
create trigger b_guard_redaction before update on public.event_payloads
  for each row execute function private.guard_redaction();
alter table public.event_payloads enable always trigger b_guard_redaction;

-- Refuses a derived state from before a redaction, since it may contain the destroyed text.
create function private.guard_cache() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.version < (select s.redacted_at from private.streams s where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  return new;
end;
$$;

-- Restricts a table of derived states to readers of the documents' history. Private tables have no row level security,
-- and no API role may use their schema.
create function private.grade_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  if not (select c.relrowsecurity from pg_catalog.pg_class c where c.oid = cache) then
    if (select c.relnamespace <> 'private'::regnamespace from pg_catalog.pg_class c where c.oid = cache) then
      raise exception using message = format('%s has no row level security', cache);
    end if;
    return;
  end if;
  execute format('create policy "and who sees the history of its document" on %s
    as restrictive for select to authenticated
    using (stream_id in (select d.id from public.documents d
      where d.workspace_id in (select private.my_open_workspaces())))', cache);
end;
$$;

-- Registers a table of derived states: redactions delete its rows, and restricted readers cannot read it.
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
