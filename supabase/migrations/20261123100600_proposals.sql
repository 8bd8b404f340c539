-- Proposals: what a client asks to append, checked first without the log, then against the state of its stream.

create type private.proposal as (
  id uuid,
  type text,
  body text,
  subject_kind text,
  subject_id uuid,
  update bytea,
  client_ids bigint[],
  schema int,
  client_time timestamptz
);

-- The bytes of base64 text, or null if it is none: decode() would accept line breaks and throw on the rest.
create function private.from_base64(content text) returns bytea
language sql immutable parallel safe
return case when length(content) % 4 = 0 and content ~ '^[A-Za-z0-9+/]*={0,2}$' then decode(content, 'base64') end;

-- Copied content. A fork begins with a past state of another document, a merge brings in what the
-- other document has more, an import begins with a bundle. The payload's first bytes say where it
-- was written (00 00 03 and the source's id), and the client ids in it belong to that source:
-- nobody writes under them here, a later merge from the same source may go on, and its authors are
-- looked up in the source's log, never taken from whoever copied it.

-- The document that an update was copied from; null for one that was written in its own document.
create function private.carried_from(update bytea) returns uuid
language sql immutable parallel safe
return case when octet_length(update) > 19 and substring(update from 1 for 3) = '\x000003'::bytea
  then encode(substring(update from 4 for 16), 'hex')::uuid end;

-- Whether an event of this type has content that was written elsewhere.
create function private.is_carrying(type text) returns boolean
language sql immutable parallel safe
return type in ('document.forked', 'document.merged', 'document.imported', 'document.step_imported');

-- The client ids that a proposal declares. Copied content names every author's, and old documents have had many.
create function private.client_ids(entry jsonb) returns bigint[]
language plpgsql immutable set search_path = '' as $$
declare
  ids bigint[];
begin
  if coalesce(jsonb_typeof(entry -> 'clientIds'), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(entry -> 'clientIds') <> 'array'
    or jsonb_array_length(entry -> 'clientIds') > (case when private.is_carrying(entry ->> 'type')
      then 16384 else 64 end)
    or exists (select from jsonb_array_elements_text(entry -> 'clientIds') as item where item is null
      or item !~ '^(0|[1-9][0-9]{0,15})$') then
    perform private.refuse('invalid-event', 'client-ids-malformed', 'clientIds is not a list of client ids');
  end if;
  select coalesce(array_agg(distinct item::bigint), '{}') into ids
    from jsonb_array_elements_text(entry -> 'clientIds') as item;
  if 9007199254740991 < any (ids) then
    perform private.refuse('invalid-event', 'client-ids-malformed', 'clientIds is not a list of client ids');
  end if;
  return ids;
end;
$$;

-- Checks everything about a proposal that does not depend on the state of the log, so that it can
-- tell nothing about it.
create function private.parse_proposal(stream uuid, entry jsonb) returns private.proposal
language plpgsql stable set search_path = '' as $$
declare
  p private.proposal;
  known private.schemas;
  fault text;
  encoded text;
begin
  if jsonb_typeof(entry) is distinct from 'object' then
    perform private.refuse('invalid-event', 'event-malformed', 'an event is not an object');
  end if;
  if not coalesce(entry ->> 'id' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
    perform private.refuse('invalid-event', 'id-malformed', 'id is not a uuid');
  end if;
  p.id := entry ->> 'id';
  p.type := entry ->> 'type';
  if jsonb_typeof(entry -> 'body') is distinct from 'string' then
    perform private.refuse('invalid-event', 'body-malformed', 'body is not JSON text');
  end if;
  p.body := entry ->> 'body';
  if octet_length(p.body) > 65536 then
    perform private.refuse('too-large', 'body-too-large', 'a body has at most 64 KiB');
  end if;

  select * into known from private.schemas s
  where s.event_type = p.type and s.retired_at is null order by s.version desc limit 1;
  if not found then
    perform private.refuse('invalid-event', 'type-unknown', 'type is unknown');
  end if;
  if coalesce(jsonb_typeof(entry -> 'schema'), 'null') = 'null' then
    p.schema := known.version;
  elsif entry ->> 'schema' ~ '^[1-9][0-9]{0,8}$' and jsonb_typeof(entry -> 'schema') = 'number' then
    p.schema := entry ->> 'schema';
  else
    perform private.refuse('invalid-event', 'schema-malformed', 'schema is not a version');
  end if;
  -- With an update the number is the version of the document's schema; otherwise of the body's.
  if not known.carries_update and p.schema <> known.version then
    select * into known from private.schemas s
    where s.event_type = p.type and s.version = p.schema and s.retired_at is null;
    if not found then
      perform private.refuse('invalid-event', 'schema-unknown', 'this version of the schema is unknown');
    end if;
  end if;

  if not pg_input_is_valid(p.body, 'jsonb') then
    perform private.refuse('invalid-event', 'body-malformed', 'body is not JSON');
  end if;
  fault := private.body_fault(known.shape, p.body::json, 'body');
  if fault is not null then
    perform private.refuse('invalid-event', 'body-malformed', fault);
  end if;

  p.subject_kind := known.stream_kind;
  p.subject_id := stream;
  if coalesce(jsonb_typeof(entry -> 'subject'), 'null') <> 'null' then
    if not coalesce(entry #>> '{subject,id}' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
      perform private.refuse('invalid-event', 'subject-malformed', 'subject is not a kind and an id');
    end if;
    p.subject_kind := entry #>> '{subject,kind}';
    p.subject_id := entry #>> '{subject,id}';
  end if;
  if p.subject_kind is distinct from known.subject_kind
    or (p.subject_kind = known.stream_kind and p.subject_id <> stream) then
    perform private.refuse('invalid-event', 'subject-of-other-kind', 'this event has another kind of subject');
  end if;

  encoded := case when jsonb_typeof(entry -> 'update') = 'null' then null else entry ->> 'update' end;
  if length(encoded) > 699052 then
    perform private.refuse('too-large', 'update-too-large', 'an update has at most 512 KiB');
  end if;
  if encoded is not null then
    p.update := private.from_base64(encoded);
    if p.update is null then
      perform private.refuse('invalid-event', 'update-malformed', 'update is not base64');
    end if;
    if octet_length(p.update) > 524288 then
      perform private.refuse('too-large', 'update-too-large', 'an update has at most 512 KiB');
    end if;
  end if;
  if known.carries_update <> (coalesce(octet_length(p.update), 0) > 0) then
    perform private.refuse('invalid-event', 'update-malformed',
      case when known.carries_update then 'update is missing' else 'this event carries no update' end);
  end if;
  p.client_ids := private.client_ids(entry);
  if not known.carries_update and cardinality(p.client_ids) > 0 then
    perform private.refuse('invalid-event', 'client-ids-without-update', 'clientIds belong to an update');
  end if;

  if coalesce(jsonb_typeof(entry -> 'clientTime'), 'null') <> 'null' then
    if entry ->> 'clientTime' !~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$'
      or not pg_input_is_valid(entry ->> 'clientTime', 'timestamptz') then
      perform private.refuse('invalid-event', 'client-time-malformed', 'clientTime is not a time');
    end if;
    p.client_time := entry ->> 'clientTime';
  end if;
  return p;
end;
$$;

-- Checks the proposals of a batch of any events, in order.
create function private.parse_any(stream uuid, events jsonb) returns private.proposal[]
language plpgsql stable set search_path = '' as $$
declare
  parsed private.proposal[] := '{}';
  entry jsonb;
begin
  for entry in select value from jsonb_array_elements(events) with ordinality as list (value, place) order by place loop
    parsed := parsed || private.parse_proposal(stream, entry);
  end loop;
  if (select count(distinct p.id) from unnest(parsed) as p) < cardinality(parsed) then
    perform private.refuse('invalid-event', 'id-repeated', 'two events of a batch have the same id');
  end if;
  return parsed;
exception
  -- The JSON parser recurses; a body of brackets alone exhausts its stack.
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$$;

-- The proposals of a batch whose events are all of one type with an empty body and an update, as
-- edits are; null where one of them is anything else, or has any fault. One statement does for them
-- what parse_proposal does for any event, at a tenth of its cost.
create function private.parse_edits(stream uuid, events jsonb) returns private.proposal[]
language plpgsql stable set search_path = '' as $$
declare
  known private.schemas;
  parsed private.proposal[];
  is_plain boolean;
  wanted text := events #>> '{0,type}';
begin
  select * into known from private.schemas s
  where s.event_type = wanted and s.retired_at is null order by s.version desc limit 1;
  if not found or not known.carries_update or known.subject_kind <> known.stream_kind
    or known.shape <> '{"type": "object", "properties": {}}' then
    return null;
  end if;
  select
    array_agg(row(id, known.event_type, '{}', known.subject_kind, stream, bytes, client_ids, version,
      client_time)::private.proposal order by place),
    count(distinct id) = count(*) and bool_and(coalesce(
      entry ->> 'type' = known.event_type and entry -> 'body' = '"{}"' and coalesce(entry -> 'subject', 'null') = 'null'
      and octet_length(bytes) between 1 and 524288 and id is not null and client_ids is not null and version is not null
      and (client_time is null) = (said_time is null), false))
  into parsed, is_plain
  from (
    select entry, place, said_time,
      case when entry ->> 'id' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
        then (entry ->> 'id')::uuid end as id,
      case when length(entry ->> 'update') <= 699052 then private.from_base64(entry ->> 'update') end as bytes,
      case when coalesce(entry -> 'clientIds', 'null') in ('null', '[]') then '{}'::bigint[]
        when jsonb_typeof(entry -> 'clientIds') = 'array' and jsonb_array_length(entry -> 'clientIds') <= 64
          and (entry -> 'clientIds')::text ~ '^\[\d{1,15}(, \d{1,15})*\]$'
            then private.client_ids(entry) end as client_ids,
      case when coalesce(entry -> 'schema', 'null') = 'null' then known.version
        when jsonb_typeof(entry -> 'schema') = 'number' and entry ->> 'schema' ~ '^[1-9][0-9]{0,8}$'
          then (entry ->> 'schema')::int end as version,
      case when said_time ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$'
        and pg_input_is_valid(said_time, 'timestamptz') then said_time::timestamptz end as client_time
    from (select entry, place, entry ->> 'clientTime' as said_time
      from jsonb_array_elements(events) with ordinality as list (entry, place)) as list
    -- Not merged into the query around it, which would decode each update as often as it is named.
    offset 0
  ) as entries;
  return case when is_plain then parsed end;
end;
$$;

-- The list in a JSON string: some drivers encode a JSON argument twice.
create function private.decoded_again(events jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return case when pg_input_is_valid(events #>> '{}', 'jsonb') then (events #>> '{}')::jsonb else events end;
exception
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$$;

-- Checks the proposals of a batch, in order.
create function private.parse_proposals(stream uuid, events jsonb) returns private.proposal[]
language plpgsql stable set search_path = '' as $$
declare
  parsed private.proposal[];
begin
  if jsonb_typeof(events) = 'string' then
    events := private.decoded_again(events);
  end if;
  if jsonb_typeof(events) is distinct from 'array' or jsonb_array_length(events) = 0 then
    perform private.refuse('invalid-event', 'batch-malformed', 'events is not a list of events');
  end if;
  if jsonb_array_length(events) > 200 then
    perform private.refuse('too-large', 'batch-too-large', 'a batch has at most 200 events');
  end if;
  parsed := private.parse_edits(stream, events);
  if parsed is not null then
    return parsed;
  end if;
  return private.parse_any(stream, events);
end;
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

-- Refuses document.reworked where its parts do not fit each other or the log.
create function private.check_reworking(body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  first bigint := (body ->> 'from')::bigint;
  last bigint := (body ->> 'to')::bigint;
  author uuid := (body ->> 'author')::uuid;
begin
  if last > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  end if;
  if body ->> 'kind' = 'passage' then
    if author is not null or first is not null or body ->> 'quote' is null then
      perform private.refuse('invalid-event', 'revert-malformed',
        'a passage has a quote, and neither an author nor a beginning');
    end if;
    return;
  end if;
  if author is null or first is null or first > last or body ->> 'quote' is not null then
    perform private.refuse('invalid-event', 'revert-malformed',
      'an author''s changes have an author and a range of versions, and no quote');
  end if;
  if not exists (
    select from public.events e
    where e.stream_id = stream and e.version between first and last and e.actor_id = author
  ) then
    perform private.refuse('invalid-event', 'revert-empty', 'the author did nothing in these versions');
  end if;
end;
$$;

-- Refuses an update that does not say truly whether it was written here, a version of another
-- document that the caller may not read or that does not exist yet, a copy into a document that did
-- not begin as one, and a merge of unrelated documents.
create function private.check_carrying(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
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
      perform private.refuse('invalid-event', 'origin-wrong', 'the update was not written in this document');
    end if;
    return;
  end if;
  if p.type = 'document.step_imported' then
    if private.carried_from(p.update) is null then
      perform private.refuse('invalid-event', 'origin-wrong', 'the update does not say which document it comes from');
    end if;
    if not private.goes_on_importing(stream, reached, private.carried_from(p.update)) then
      perform private.refuse('illegal-transition', 'not-importing',
        'a step of a history follows the import that it belongs to, or the step before it');
    end if;
    return;
  end if;
  if private.carried_from(p.update) is distinct from other then
    perform private.refuse('invalid-event', 'origin-wrong', 'the update does not say which document it comes from');
  end if;
  -- A state that is too large for one event comes in several that follow each other, and an import ends as it began.
  if p.type <> 'document.merged' and reached > 1 and not exists (
    select from public.events e join public.event_payloads before on before.event_id = e.id
    where e.stream_id = stream and e.type = p.type and e.actor_id = (select auth.uid()) and before.body = p.body
      and (e.version = reached
        or (e.version = 2 and p.type = 'document.imported' and private.goes_on_importing(stream, reached, other)))
  ) then
    perform private.refuse('illegal-transition', 'not-a-beginning', 'a document begins as a copy or not at all');
  end if;
  if p.type = 'document.imported' then
    return;
  end if;
  select * into head from private.streams s where s.id = other and s.kind = 'document';
  if not found or not private.may_read_version(other, (body ->> 'version')::bigint) then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  if other = stream or (body ->> 'version')::bigint > head.version then
    perform private.refuse('invalid-event', 'version-ahead',
      'the other document has not reached the version that is named');
  end if;
  if p.type = 'document.merged' and not exists (
    select from public.documents d
    where (d.id = stream and d.forked_from = other) or (d.id = other and d.forked_from = stream)
  ) then
    perform private.refuse('invalid-event', 'documents-unrelated', 'neither document began as a copy of the other');
  end if;
end;
$$;

-- Refuses what a compiled schema cannot say of a body: how its parts fit each other and what is recorded already. The
-- stream is locked; `reached` is its version before this event.
create function private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if p.type = 'invitation.created' and (body ->> 'kind' = 'email') <> (body ->> 'email' is not null) then
    perform private.refuse('invalid-event', 'invitation-malformed',
      'an invitation by email has an address, one by link has none');
  elsif p.type = 'version.named' and (body ->> 'at')::bigint > reached
    or p.type = 'document.reverted' and (body ->> 'toVersion')::bigint > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  elsif p.type = 'document.reworked' then
    perform private.check_reworking(body, stream, reached);
  end if;
  if p.update is not null then
    perform private.check_carrying(p, body, stream, reached);
  end if;
end;
$$;

revoke execute on all functions in schema private from public;
