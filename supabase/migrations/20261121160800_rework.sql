-- Taking back less than a whole moment. The fold of a text is Yjs's, so the database cannot see what an update does; it
-- checks that what the event says of the past is true.

-- Refuses what a compiled schema cannot say of document.reworked.
create function private.check_reworking(body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  first bigint := (body ->> 'from')::bigint;
  last bigint := (body ->> 'to')::bigint;
  author uuid := (body ->> 'author')::uuid;
begin
  if last > reached then
    perform private.refuse('invalid-event', 'the document has not reached the version that is named');
  end if;
  if body ->> 'kind' = 'passage' then
    if author is not null or first is not null or body ->> 'quote' is null then
      perform private.refuse('invalid-event', 'a passage has a quote, and neither an author nor a beginning');
    end if;
    return;
  end if;
  if author is null or first is null or first > last or body ->> 'quote' is not null then
    perform private.refuse('invalid-event', 'an author''s changes have an author and a range of versions, and no quote');
  end if;
  if not exists (
    select from public.events e
    where e.stream_id = stream and e.version between first and last and e.actor_id = author
  ) then
    perform private.refuse('invalid-event', 'the author did nothing in these versions');
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
end;
$$;

revoke execute on function private.check_reworking(jsonb, uuid, bigint) from public;
