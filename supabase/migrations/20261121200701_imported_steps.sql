-- An import may tell its history: step by step behind the event that names file and authors, until the same event is said
-- again. Nothing comes in between, for the steps bear their own times and each is later than the one before. What they carry
-- was written in the exported stream, so nobody writes here under the client ids in them.

create or replace function private.is_carrying(type text) returns boolean
language sql immutable set search_path = '' as $$
  select type in ('document.forked', 'document.merged', 'document.imported', 'document.step_imported')
$$;

-- Whether the caller's import from this source is what the stream has come to: its beginning, or a step of it.
create function private.goes_on_importing(stream uuid, reached bigint, source uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from public.events e join public.event_payloads p on p.event_id = e.id
    where e.stream_id = stream and e.version = reached and e.actor_id = (select auth.uid())
      and (e.type = 'document.step_imported' or (e.type = 'document.imported' and reached = 2))
      and private.carried_from(p.update) = source
  )
$$;

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
  if p.type = 'document.step_imported' then
    if private.carried_from(p.update) is null then
      perform private.refuse('invalid-event', 'the update does not say which document it comes from');
    end if;
    if not private.goes_on_importing(stream, reached, private.carried_from(p.update)) then
      perform private.refuse('illegal-transition', 'a step of a history follows the import that it belongs to, or the step before it');
    end if;
    return;
  end if;
  if private.carried_from(p.update) is distinct from other then
    perform private.refuse('invalid-event', 'the update does not say which document it comes from');
  end if;
  -- A state that is too large for one event comes in several that follow each other, and an import ends as it began.
  if p.type <> 'document.merged' and reached > 1 and not exists (
    select from public.events e join public.event_payloads before on before.event_id = e.id
    where e.stream_id = stream and e.type = p.type and e.actor_id = (select auth.uid()) and before.body = p.body
      and (e.version = reached
        or (e.version = 2 and p.type = 'document.imported' and private.goes_on_importing(stream, reached, other)))
  ) then
    perform private.refuse('illegal-transition', 'a document begins as a copy or not at all');
  end if;
  if p.type = 'document.imported' then
    return;
  end if;
  select * into head from private.streams s where s.id = other and s.kind = 'document';
  if not found or not private.may_read_version(other, (body ->> 'version')::bigint) then
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

revoke execute on function private.goes_on_importing(uuid, bigint, uuid) from public;
