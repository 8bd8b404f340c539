-- What a client may propose: everything about an event that can be judged without looking at the log.

-- One proposal after its shape has been checked: what a client may say, and nothing else it may have sent.
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
language sql immutable set search_path = '' as $$
  select case when length(content) % 4 = 0 and content ~ '^[A-Za-z0-9+/]*={0,2}$' then decode(content, 'base64') end
$$;

-- The client ids of a proposal: a list of at most 64 integers that JavaScript can hold, each once.
create function private.client_ids(entry jsonb) returns bigint[]
language plpgsql immutable set search_path = '' as $$
declare
  ids bigint[];
begin
  if coalesce(jsonb_typeof(entry -> 'clientIds'), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(entry -> 'clientIds') <> 'array' or jsonb_array_length(entry -> 'clientIds') > 64
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

-- Checks everything about a proposal that does not depend on the state of the log, so it cannot tell anything about it.
create function private.parse_proposal(stream uuid, entry jsonb) returns private.proposal
language plpgsql stable set search_path = '' as $$
declare
  p private.proposal;
  known private.schemas;
  fault text;
  encoded text;
begin
  if jsonb_typeof(entry) is distinct from 'object' then
    perform private.refuse('invalid-event', 'an event is not an object');
  end if;
  if not coalesce(entry ->> 'id' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
    perform private.refuse('invalid-event', 'id is not a uuid');
  end if;
  p.id := entry ->> 'id';
  p.type := entry ->> 'type';
  if jsonb_typeof(entry -> 'body') is distinct from 'string' then
    perform private.refuse('invalid-event', 'body is not JSON text');
  end if;
  p.body := entry ->> 'body';
  if octet_length(p.body) > 65536 then
    perform private.refuse('too-large', 'a body has at most 64 KiB');
  end if;

  select * into known from private.schemas s
  where s.event_type = p.type and s.retired_at is null order by s.version desc limit 1;
  if not found then
    perform private.refuse('invalid-event', 'type is unknown');
  end if;
  if coalesce(jsonb_typeof(entry -> 'schema'), 'null') = 'null' then
    p.schema := known.version;
  elsif entry ->> 'schema' ~ '^[1-9][0-9]{0,8}$' and jsonb_typeof(entry -> 'schema') = 'number' then
    p.schema := entry ->> 'schema';
  else
    perform private.refuse('invalid-event', 'schema is not a version');
  end if;
  -- With an update the number is the version of the document's schema; otherwise of the body's.
  if not known.carries_update and p.schema <> known.version then
    select * into known from private.schemas s
    where s.event_type = p.type and s.version = p.schema and s.retired_at is null;
    if not found then
      perform private.refuse('invalid-event', 'this version of the schema is unknown');
    end if;
  end if;

  if not pg_input_is_valid(p.body, 'jsonb') then
    perform private.refuse('invalid-event', 'body is not JSON');
  end if;
  fault := private.body_fault(known.shape, p.body::json, 'body');
  if fault is not null then
    perform private.refuse('invalid-event', fault);
  end if;

  p.subject_kind := known.stream_kind;
  p.subject_id := stream;
  if coalesce(jsonb_typeof(entry -> 'subject'), 'null') <> 'null' then
    if not coalesce(entry #>> '{subject,id}' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$', false) then
      perform private.refuse('invalid-event', 'subject is not a kind and an id');
    end if;
    p.subject_kind := entry #>> '{subject,kind}';
    p.subject_id := entry #>> '{subject,id}';
  end if;
  if p.subject_kind is distinct from known.subject_kind
    or (p.subject_kind = known.stream_kind and p.subject_id <> stream) then
    perform private.refuse('invalid-event', 'this event has another kind of subject');
  end if;

  encoded := case when jsonb_typeof(entry -> 'update') = 'null' then null else entry ->> 'update' end;
  if length(encoded) > 699052 then
    perform private.refuse('too-large', 'an update has at most 512 KiB');
  end if;
  if encoded is not null then
    p.update := private.from_base64(encoded);
    if p.update is null then
      perform private.refuse('invalid-event', 'update is not base64');
    end if;
    if octet_length(p.update) > 524288 then
      perform private.refuse('too-large', 'an update has at most 512 KiB');
    end if;
  end if;
  if known.carries_update <> (coalesce(octet_length(p.update), 0) > 0) then
    perform private.refuse('invalid-event',
      case when known.carries_update then 'update is missing' else 'this event carries no update' end);
  end if;
  p.client_ids := private.client_ids(entry);
  if not known.carries_update and cardinality(p.client_ids) > 0 then
    perform private.refuse('invalid-event', 'clientIds belong to an update');
  end if;

  if coalesce(jsonb_typeof(entry -> 'clientTime'), 'null') <> 'null' then
    if entry ->> 'clientTime' !~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d(:?\d\d)?)$'
      or not pg_input_is_valid(entry ->> 'clientTime', 'timestamptz') then
      perform private.refuse('invalid-event', 'clientTime is not a time');
    end if;
    p.client_time := entry ->> 'clientTime';
  end if;
  return p;
end;
$$;

-- Checks the proposals of a batch, in order.
create function private.parse_proposals(stream uuid, events jsonb) returns private.proposal[]
language plpgsql stable set search_path = '' as $$
declare
  parsed private.proposal[] := '{}';
  entry jsonb;
begin
  -- Some drivers encode a JSON argument twice; then the list arrives as one JSON string.
  if jsonb_typeof(events) = 'string' and pg_input_is_valid(events #>> '{}', 'jsonb') then
    events := (events #>> '{}')::jsonb;
  end if;
  if jsonb_typeof(events) is distinct from 'array' or jsonb_array_length(events) = 0 then
    perform private.refuse('invalid-event', 'events is not a list of events');
  end if;
  if jsonb_array_length(events) > 200 then
    perform private.refuse('too-large', 'a batch has at most 200 events');
  end if;
  for entry in select value from jsonb_array_elements(events) with ordinality as list (value, place) order by place loop
    parsed := parsed || private.parse_proposal(stream, entry);
  end loop;
  if (select count(distinct p.id) from unnest(parsed) as p) < cardinality(parsed) then
    perform private.refuse('invalid-event', 'two events of a batch have the same id');
  end if;
  return parsed;
exception
  -- The JSON parser recurses; a body of brackets alone exhausts its stack.
  when statement_too_complex then
    perform private.refuse('invalid-event', 'body is nested too deeply');
end;
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_people(),
  private.topic_access(text) to anon, authenticated;
