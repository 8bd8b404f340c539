-- A proposal may say which title, name or icon it takes the place of. Where another one has been recorded since, it is
-- refused: two people who rename a document at the same time would otherwise lose the words of one of them, and neither
-- would hear of it.
alter type private.proposal add attribute replaces text;

create or replace function private.parse_edits(stream uuid, events jsonb) returns private.proposal[]
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
    -- Not merged into the query around it, which would decode each update as often as it is named.
    offset 0
  ) as entries;
  return case when is_plain then parsed end;
end;
$$;

create or replace function private.parse_proposal(stream uuid, entry jsonb) returns private.proposal
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
  if coalesce(jsonb_typeof(entry -> 'replaces'), 'null') not in ('null', 'string') then
    perform private.refuse('invalid-event', 'event-malformed', 'replaces is not text');
  end if;
  p.replaces := entry ->> 'replaces';
  return p;
end;
$$;

create or replace function private.rule_edits(
  edits private.proposal[], head private.streams, actor uuid, role text
) returns public.events[]
language plpgsql set search_path = '' as $$
declare
  rule private.transitions := private.check_law(edits[1], head, actor, role, false);
  rows public.events[] := '{}';
  salts bytea[] := '{}';
  p private.proposal;
  e public.events;
  previous bytea;
begin
  -- One that is too much is refused where it is counted.
  if rule.from_phase <> rule.to_phase or cardinality(edits) > 1 and not private.has_room(head.id, edits)
    or exists (select from private.projection_hooks h where h.event_type = rule.event_type) then
    return null;
  end if;
  select s.version, s.recorded_at, s.client_time, s.hash,
    (select f.position from private.feeds f where f.workspace_id = s.workspace_id)
  into e.version, e.recorded_at, e.client_time, previous, e.position
  from private.streams s where s.id = head.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  e.type := rule.event_type;
  e.subject_kind := rule.subject_kind;
  e.subject_id := edits[1].subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.actor_id := actor;
  foreach p in array edits loop
    e.id := p.id;
    e.version := e.version + 1;
    e.position := e.position + 1;
    e.recorded_at := greatest(clock_timestamp(), e.recorded_at + interval '1 microsecond');
    e.client_time := greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), e.client_time);
    e.schema := p.schema;
    salts := salts || uuid_send(gen_random_uuid());
    e.payload_hash := private.payload_hash(salts[cardinality(salts)], p.body, p.update);
    previous := private.event_hash(previous, e);
    e.hash := previous;
    rows := rows || e;
  end loop;
  insert into public.events select r.* from unnest(rows) as r;
  insert into public.event_payloads (event_id, salt, body, update)
  select edit.id, salts[edit.place], edit.body, edit.update
  from unnest(edits) with ordinality
    as edit (id, type, body, subject_kind, subject_id, update, client_ids, schema, client_time, replaces,
      place);
  perform private.project_edits(e, cardinality(rows));
  return rows;
end;
$$;

-- Refuses what replaces another title, name or icon than there is. The stream is locked, so there is no newer one.
create function private.check_replaced(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  present text := case p.type
    when 'workspace.renamed' then (select w.name from public.workspaces w where w.id = stream)
    when 'document.renamed' then (select d.title from public.documents d where d.id = stream)
    when 'document.icon_set' then (select coalesce(d.icon, '') from public.documents d where d.id = stream)
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
  ('document.icon_set', 'check_replaced');

revoke execute on all functions in schema private from public;
