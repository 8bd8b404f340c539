-- Proposals: the events that a client asks to append. A proposal is checked first by itself, then against the state
-- of its stream. Clients check the same schemas, but only these checks are authoritative.

-- Whether a text has a visible character; events/core/text/visible-text.ts has the same list of invisible ones.
create function private.is_visible(content text) returns boolean
language sql immutable set search_path = '' as $$
  select content ~ (
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f'
    '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
  )
$$;

-- Whether a text is exactly one emoji: a keycap, a flag of two letters or of tags, or up to five joined pictographs,
-- each alone or with a skin tone or a variation selector. events/core/text/emoji.ts has the same ranges, Unicode's
-- Extended_Pictographic.
create function private.is_emoji(content text) returns boolean
language sql immutable set search_path = '' as $$
  select content ~ replace(
    '^([0-9#*]\ufe0f\u20e3'
    '|[\U0001f1e6-\U0001f1ff]{2}'
    '|\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f'
    '|PICTOGRAPH[\ufe0f\U0001f3fb-\U0001f3ff]?(\u200dPICTOGRAPH[\ufe0f\U0001f3fb-\U0001f3ff]?){0,4})$',
    'PICTOGRAPH',
    '['
    '\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9-\u21aa\u231a-\u231b\u2328\u23cf\u23e9-\u23f3'
    '\u23f8-\u23fa\u24c2\u25aa-\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614-\u2615\u2618'
    '\u261d\u2620\u2622-\u2623\u2626\u262a\u262e-\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f-\u2660'
    '\u2663\u2665-\u2666\u2668\u267b\u267e-\u267f\u2692-\u2697\u2699\u269b-\u269c\u26a0-\u26a1\u26a7'
    '\u26aa-\u26ab\u26b0-\u26b1\u26bd-\u26be\u26c4-\u26c5\u26c8\u26ce-\u26cf\u26d1\u26d3-\u26d4\u26e9-\u26ea'
    '\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728'
    '\u2733-\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2764\u2795-\u2797\u27a1\u27b0\u27bf'
    '\u2934-\u2935\u2b05-\u2b07\u2b1b-\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004\U0001f02c-\U0001f02f'
    '\U0001f094-\U0001f09f\U0001f0af-\U0001f0b0\U0001f0c0\U0001f0cf-\U0001f0d0\U0001f0f6-\U0001f0ff'
    '\U0001f170-\U0001f171\U0001f17e-\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ae-\U0001f1e5'
    '\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f\U0001f249-\U0001f25f'
    '\U0001f266-\U0001f321\U0001f324-\U0001f393\U0001f396-\U0001f397\U0001f399-\U0001f39b\U0001f39e-\U0001f3f0'
    '\U0001f3f3-\U0001f3f5\U0001f3f7-\U0001f3fa\U0001f400-\U0001f4fd\U0001f4ff-\U0001f53d\U0001f549-\U0001f54e'
    '\U0001f550-\U0001f567\U0001f56f-\U0001f570\U0001f573-\U0001f57a\U0001f587\U0001f58a-\U0001f58d\U0001f590'
    '\U0001f595-\U0001f596\U0001f5a4-\U0001f5a5\U0001f5a8\U0001f5b1-\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4'
    '\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3'
    '\U0001f5fa-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cb-\U0001f6d2\U0001f6d5-\U0001f6e5\U0001f6e9'
    '\U0001f6eb-\U0001f6f0\U0001f6f3-\U0001f6ff\U0001f7da-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f'
    '\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae-\U0001f8af\U0001f8bc-\U0001f8bf\U0001f8c2-\U0001f8cf'
    '\U0001f8d9-\U0001f8ff\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa58-\U0001fa5f'
    '\U0001fa6e-\U0001faff\U0001fc00-\U0001fffd'
    ']'
  )
$$;

-- The first fault of a value under a compiled schema, or null. The value is json, because jsonb drops duplicate keys
-- and rewrites numbers before they can be checked. Lengths count code points, as in zod. The function
-- private.is_<format> checks a text with a format; a later migration may add one.
create function private.body_fault(shape jsonb, value json, place text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  kind text := shape ->> 'type';
  got text := json_typeof(value);
  content text := value #>> '{}';
  entry record;
  seen text[] := '{}';
  fault text;
  fits boolean;
begin
  if got = 'null' and (shape -> 'nullable')::boolean then
    return null;
  end if;
  case kind
    when 'object' then
      if got <> 'object' then return place || ' is not an object'; end if;
      for entry in select key, json_each.value from json_each(value) loop
        if entry.key = any (seen) then return place || ' names a key twice'; end if;
        seen := seen || entry.key;
        if not (shape -> 'properties') ? entry.key then return place || ' has a key that does not belong there'; end if;
        fault := private.body_fault(shape -> 'properties' -> entry.key, entry.value, place || '.' || entry.key);
        if fault is not null then return fault; end if;
      end loop;
      if cardinality(seen) <> (select count(*) from jsonb_object_keys(shape -> 'properties')) then
        return place || ' lacks a key';
      end if;
    when 'array' then
      if got <> 'array' then return place || ' is not a list'; end if;
      if json_array_length(value) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      for entry in select json_array_elements.value from json_array_elements(value) loop
        fault := private.body_fault(shape -> 'items', entry.value, place || '[]');
        if fault is not null then return fault; end if;
      end loop;
    when 'string' then
      if got <> 'string' then return place || ' is not text'; end if;
      if char_length(content) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      if (shape -> 'visible')::boolean and content <> '' and not private.is_visible(content) then
        return place || ' has nothing in it that is seen';
      end if;
      if shape ? 'format' then
        execute format('select private.%I($1)', 'is_' || (shape ->> 'format')) into fits using content;
        if not fits then return place || ' is no ' || (shape ->> 'format'); end if;
      end if;
    when 'uuid' then
      if got <> 'string' or content !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        return place || ' is not a uuid in small letters';
      end if;
    when 'enum' then
      if got <> 'string' or not (shape -> 'values') ? content then return place || ' is not one of its values'; end if;
    when 'integer' then
      if got <> 'number' or content !~ '^(0|-?[1-9][0-9]{0,15})$' then return place || ' is not an integer'; end if;
      if content::bigint not between (shape ->> 'min')::bigint and (shape ->> 'max')::bigint then
        return place || ' is out of range';
      end if;
    when 'boolean' then
      if got <> 'boolean' then return place || ' is not true or false'; end if;
  end case;
  return null;
end;
$$;

-- A body without the text that people wrote and without the address of an invitation. Ids and numbers stay.
create function private.redacted_body(body text) returns text
language sql immutable set search_path = '' as $$
  select (body::jsonb || coalesce(
    (select jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then '[]'::jsonb else '""'::jsonb end)
     from jsonb_each(body::jsonb)
     where key in ('title', 'text', 'quote', 'name', 'label', 'authors', 'email') and jsonb_typeof(value) <> 'null'),
    '{}'))::text
$$;

-- The known versions of the document's schema: 1 has text, 2 adds links to documents, 3 adds pictures and files.
-- A client that does not know the version of an edit opens the document read-only, so an editor must not be able to
-- invent a number. A release that adds a version inserts a row here in a migration.
create table private.text_schemas (version int primary key);
insert into private.text_schemas (version) values (1), (2), (3);

-- A parsed proposal. `replaces` is the title, name or icon that the event replaces; see private.check_replaced.
create type private.proposal as (
  id uuid,
  type text,
  body text,
  subject_kind text,
  subject_id uuid,
  update bytea,
  client_ids bigint[],
  schema int,
  client_time timestamptz,
  replaces text
);

-- The bytes of base64 text, or null for any other text. decode() alone accepts line breaks and raises on other text.
create function private.from_base64(content text) returns bytea
language sql immutable parallel safe
return case when length(content) % 4 = 0 and content ~ '^[A-Za-z0-9+/]*={0,2}$' then decode(content, 'base64') end;

-- Copied content. A fork begins with a past state of another document, a merge adds what only the other document has,
-- and an import begins with a bundle. The payload begins with its source: the bytes 00 00 03 and the source's id. The
-- client ids in it belong to the source: no person writes under them here, and a later merge from the same source may
-- use them again. Authors are looked up in the source's log, never taken from the person who copied it.

-- The document that an update was copied from; null for an update written in its own document.
create function private.carried_from(update bytea) returns uuid
language sql immutable parallel safe
return case when octet_length(update) > 19 and substring(update from 1 for 3) = '\x000003'::bytea
  then encode(substring(update from 4 for 16), 'hex')::uuid end;

-- Whether events of this type carry content from another document.
create function private.is_carrying(type text) returns boolean
language sql immutable parallel safe
return type in ('document.forked', 'document.merged', 'document.imported', 'document.step_imported');

-- The client ids that a proposal declares: at most 64, or 16384 with copied content, which declares those of every
-- author.
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

-- Parses a proposal and checks everything that does not depend on the state of the log, so that a refusal reveals
-- nothing about the log.
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
  -- For an event with an update, `schema` is the version of the document's schema; otherwise of the body's.
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
  if coalesce(jsonb_typeof(entry -> 'replaces'), 'null') not in ('null', 'string') then
    perform private.refuse('invalid-event', 'event-malformed', 'replaces is not text');
  end if;
  p.replaces := entry ->> 'replaces';
  return p;
end;
$$;

-- Parses the proposals of a batch one by one, in order.
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
  -- The JSON parser recurses, so a body of nested brackets exhausts its stack.
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$$;

-- Parses a batch whose events all have one type, an empty body and an update, as edits do; null if an event differs or
-- has a fault. One statement does the work of parse_proposal at a tenth of its cost.
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
      client_time, null)::private.proposal order by place),
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
    -- `offset 0` keeps the planner from inlining this subquery and decoding each update at every reference.
    offset 0
  ) as entries;
  return case when is_plain then parsed end;
end;
$$;

-- The value in a JSON string, since some drivers encode a JSON argument twice; the string itself if it is not JSON.
create function private.decoded_again(events jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return case when pg_input_is_valid(events #>> '{}', 'jsonb') then (events #>> '{}')::jsonb else events end;
exception
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body-malformed', 'body is nested too deeply');
end;
$$;

-- Parses the proposals of a batch, in order; refuses an empty batch and one of more than 200 events.
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

-- Whether the head of the stream is an event of the caller's import from this source: its beginning or a step.
create function private.goes_on_importing(stream uuid, reached bigint, source uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from public.events e join public.event_payloads p on p.event_id = e.id
    where e.stream_id = stream and e.version = reached and e.actor_id = (select auth.uid())
      and (e.type = 'document.step_imported' or (e.type = 'document.imported' and reached = 2))
      and private.carried_from(p.update) = source
  )
$$;

-- Refuses a document.reworked whose fields contradict each other or the log.
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
  -- The index events_by_actor finds the author's next version, however many versions of others lie between.
  if coalesce((
    select e.version from public.events e
    where e.stream_kind = 'document' and e.stream_id = stream and e.actor_id = author and e.version >= first
    order by e.version limit 1
  ), last + 1) > last then
    perform private.refuse('invalid-event', 'revert-empty', 'the author did nothing in these versions');
  end if;
end;
$$;

-- Checks the origin of an update. Refuses a wrong origin, a version of another document that the caller may not read
-- or that does not exist yet, a fork or import into a document that did not begin as one, and a merge of unrelated
-- documents.
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
  -- A state too large for one event comes in consecutive events, and an import ends with an event like its first.
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

-- Checks of a body beyond its schema, by event type. `function` names a function in `private` with the arguments of
-- private.check_meaning, which calls it last. Edits have no hooks: private.rule_edits appends several at once without
-- reading their bodies.
create table private.meaning_hooks (
  event_type text not null check (event_type <> 'document.edited'),
  function text not null,
  primary key (event_type, function)
);

-- Refuses a body whose fields contradict each other or the log, which a compiled schema cannot express. The stream is
-- locked; `reached` is its version before this event.
create function private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void
language plpgsql set search_path = '' as $$
declare
  hook text;
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
  for hook in select h.function from private.meaning_hooks h where h.event_type = p.type order by h.function loop
    execute format('select private.%I($1, $2, $3, $4)', hook) using p, body, stream, reached;
  end loop;
end;
$$;

-- Refuses an event whose `replaces` is not the present title, name or icon. Without this check, one of two concurrent
-- renames would be lost silently. The stream is locked, so the present value cannot change meanwhile.
create function private.check_replaced(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  present text := case p.type
    when 'workspace.renamed' then (select w.name from public.workspaces w where w.id = stream)
    when 'document.renamed' then (select d.title from public.documents d where d.id = stream)
    when 'document.icon_set' then (select coalesce(d.icon, '') from public.documents d where d.id = stream)
    when 'version.renamed' then
      (select v.name from public.versions v where v.document_id = stream and v.id = p.subject_id)
  end;
begin
  if p.replaces <> present then
    perform private.refuse('version-conflict', 'replaced-since', 'what it replaces was replaced since');
  end if;
end;
$$;
insert into private.meaning_hooks (event_type, function) values
  ('workspace.renamed', 'check_replaced'),
  ('document.renamed', 'check_replaced'),
  ('document.icon_set', 'check_replaced'),
  ('version.renamed', 'check_replaced');

revoke execute on all functions in schema private from public;
