-- Limits on how much one account can make others store, fold and render. The append keeps running sums. A compressed
-- payload declares in its first bytes the size that it expands to, and readers reject it if it expands to more
-- (events/crdt/payload/payload-load.ts). The sums therefore need no decompression and are upper bounds.

-- The same numbers as events/core/limits.ts.
create table private.limits (
  name text primary key,
  most bigint not null
);
insert into private.limits (name, most) values
  ('payload_bytes', 8388608),
  ('document_bytes', 16777216),
  ('document_pieces', 1500000),
  ('document_history', 134217728),
  ('document_events', 5000000),
  ('document_clients', 100000),
  ('document_talk', 33554432),
  ('document_threads', 10000),
  ('document_comments', 50000),
  ('document_versions', 5000),
  ('document_files', 20000),
  ('document_children', 10000),
  ('document_levels', 64),
  ('thread_comments', 2000),
  ('workspace_events', 1000000),
  ('workspace_documents', 25000),
  ('workspace_members', 2000),
  ('workspace_invitations', 10000),
  ('workspace_file_bytes', 5368709120),
  ('account_events', 1000000),
  ('account_workspaces', 500),
  ('account_uploads', 64),
  ('account_file_bytes', 21474836480),
  -- A reserve for small edits beyond the limit of a document. Without it, letters typed into a full document would be
  -- refused and would block the deletion that follows them. Large edits are refused at the limit.
  ('reserve_bytes', 1048576),
  ('reserve_pieces', 100000),
  ('small_bytes', 4096),
  ('small_pieces', 512);

-- The limit of this name.
create function private.most(name text) returns bigint
language sql stable set search_path = '' as $$
  select l.most from private.limits l where l.name = most.name
$$;

-- Refuses an event that would exceed a limit; the reason is the limit's name.
create function private.refuse_limit(name text) returns void
language plpgsql set search_path = '' as $$
begin
  perform private.refuse('too-large', name, format('limit %s: %s', name, private.most(name)));
end;
$$;

-- How many subjects of a kind a stream, or a part of it, has ever had. Documents count in their workspace, workspaces
-- in their creator's account. The counts only grow, so deleting and creating again frees nothing.
create table private.tallies (
  count bigint not null,
  scope uuid not null,
  part uuid not null,
  kind text not null,
  primary key (scope, part, kind)
);

-- Adds to the count of a kind; refuses a count beyond its limit.
create function private.tally(scope uuid, part uuid, kind text, more bigint) returns void
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
declare
  reached bigint;
begin
  insert into private.tallies as known (scope, part, kind, count) values (scope, part, kind, more)
  on conflict on constraint tallies_pkey do update set count = known.count + excluded.count
  returning known.count into reached;
  if reached > private.most(kind) then
    perform private.refuse_limit(kind);
  end if;
end;
$$;

-- The limit that counts subjects of this kind; null if they are not counted.
create function private.counted_as(subject_kind text) returns text
language sql immutable set search_path = '' as $$
  select case subject_kind
    when 'document' then 'workspace_documents'
    when 'workspace' then 'account_workspaces'
    when 'member' then 'workspace_members'
    when 'invitation' then 'workspace_invitations'
    when 'thread' then 'document_threads'
    when 'comment' then 'document_comments'
    when 'version' then 'document_versions'
    when 'file' then 'document_files'
  end
$$;

-- An upper bound of the cost of an update to its readers: `bytes` expanded, `pieces` (structs that do not continue the
-- letters before them), and `cuts`, whether it only deletes. The same as loadOf in
-- events/crdt/payload/payload-load.ts.
create function private.load_of(update bytea, out bytes bigint, out pieces bigint, out cuts boolean)
language plpgsql immutable set search_path = '' as $$
declare
  payload bytea := case when private.carried_from(update) is null then update else substring(update from 20) end;
  length bigint := octet_length(payload);
  form int := case when octet_length(payload) > 2 and substring(payload from 1 for 2) = '\x0000'
    then get_byte(payload, 2) end;
begin
  cuts := false;
  bytes := length;
  pieces := length / 4;
  if form is null then
    -- A plain Yjs update. It begins with the number of clients whose structs it has; 0 means that it only deletes.
    cuts := length > 0 and get_byte(payload, 0) = 0;
  elsif form = 2 then
    bytes := least(8388608, length * 1032);
    pieces := length;
  elsif form = 6 then
    bytes := length * 4;
  elsif form = 7 and length >= 11 then
    bytes := ('x' || encode(substring(payload from 4 for 4), 'hex'))::bit(32)::bigint;
    pieces := ('x' || encode(substring(payload from 8 for 4), 'hex'))::bit(32)::bigint;
    cuts := pieces = 0;
  else
    cuts := form in (4, 5, 8);
  end if;
  if cuts then
    pieces := 0;
  end if;
end;
$$;

-- Counts new events against the limits of their stream.
create function private.count_events() returns trigger
language plpgsql set search_path = '' as $$
declare
  e record;
  kind text;
  scope uuid;
begin
  for e in
    select a.stream_kind, l.most from added a
      join private.limits l on l.name = a.stream_kind || '_events' where a.version > l.most limit 1
  loop
    perform private.refuse_limit(e.stream_kind || '_events');
  end loop;
  for e in
    select a.* from added a where a.from_phase = 'absent' or a.client_ids is not null order by a.stream_id, a.version
  loop
    kind := case when e.from_phase = 'absent' then private.counted_as(e.subject_kind) end;
    scope := case e.type when 'document.created' then e.workspace_id when 'workspace.created'
      then e.actor_id else e.stream_id end;
    if kind is not null then
      perform private.tally(scope, scope, kind, 1);
    end if;
    if e.client_ids is not null then
      perform private.tally(e.stream_id, e.stream_id, 'document_clients', cardinality(e.client_ids));
    end if;
  end loop;
  return null;
end;
$$;

-- Counts one payload against the limits of its document. An update that only deletes is accepted beyond document_bytes
-- and document_pieces; it then marks the document for a measurement, because it makes room.
create function private.count_payload(e public.events, body text, update bytea) returns void
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
declare
  load record;
  head private.streams;
  small boolean;
begin
  if e.type in ('thread.opened', 'comment.added', 'comment.edited') then
    perform private.tally(e.stream_id, e.stream_id, 'document_talk', octet_length(body));
    if e.type = 'comment.added' then
      perform private.tally(e.stream_id, (body::jsonb ->> 'thread')::uuid, 'thread_comments', 1);
    end if;
  end if;
  if update is null then
    return;
  end if;
  load := private.load_of(update);
  if load.bytes > private.most('payload_bytes') then
    perform private.refuse_limit('payload_bytes');
  end if;
  update private.streams s
  set bytes = s.bytes + load.bytes,
      pieces = s.pieces + load.pieces,
      history = s.history + load.bytes,
      -- The redacted content may be what stopped the fold.
      stopped_at = case when e.type = 'document.redacted' then null else s.stopped_at end
  where s.id = e.stream_id returning * into head;
  if e.type = 'document.redacted' then
    perform private.need_upkeep(e.stream_id);
    return;
  end if;
  if head.history > private.most('document_history') then
    perform private.refuse_limit('document_history');
  end if;
  if load.cuts then
    if head.bytes > private.most('document_bytes') or head.pieces > private.most('document_pieces') then
      perform private.need_upkeep(e.stream_id);
    end if;
    return;
  end if;
  small := load.bytes <= private.most('small_bytes') and load.pieces <= private.most('small_pieces');
  if head.stopped_at is not null
    or head.bytes > private.most('document_bytes') + (case when small then private.most('reserve_bytes')
      else 0 end) then
    perform private.refuse_limit('document_bytes');
  end if;
  if head.pieces > private.most('document_pieces') + (case when small
    then private.most('reserve_pieces') else 0 end) then
    perform private.refuse_limit('document_pieces');
  end if;
end;
$$;

-- Counts new payloads: in one statement if all are edits of one document with room for them, otherwise one by one.
create function private.count_payloads() returns trigger
language plpgsql set search_path = '' as $$
declare
  event public.events;
  payload record;
  load record;
  most record;
  stream uuid;
  added_bytes bigint := 0;
  added_pieces bigint := 0;
  largest bigint := 0;
  are_edits boolean := true;
begin
  for payload in select a.event_id, a.update from added a loop
    -- Looked up row by row, because the plan of a join might scan the whole log.
    select * into event from public.events known where known.id = payload.event_id;
    are_edits := are_edits and event.type = 'document.edited' and payload.update is not null
      and event.stream_id = coalesce(stream, event.stream_id);
    exit when not are_edits;
    stream := event.stream_id;
    load := private.load_of(payload.update);
    added_bytes := added_bytes + load.bytes;
    added_pieces := added_pieces + load.pieces;
    largest := greatest(largest, load.bytes);
  end loop;
  if are_edits then
    select
      max(l.most) filter (where l.name = 'payload_bytes') as payload_bytes,
      max(l.most) filter (where l.name = 'document_bytes') as document_bytes,
      max(l.most) filter (where l.name = 'document_pieces') as document_pieces,
      max(l.most) filter (where l.name = 'document_history') as document_history
    into most from private.limits l;
    update private.streams s
    set bytes = s.bytes + added_bytes, pieces = s.pieces + added_pieces, history = s.history + added_bytes
    where s.id = stream and s.stopped_at is null and largest <= most.payload_bytes
      and s.bytes + added_bytes <= most.document_bytes and s.pieces + added_pieces <= most.document_pieces
      and s.history + added_bytes <= most.document_history;
    if found then
      return null;
    end if;
  end if;
  for payload in
    select a.event_id, a.body, a.update from added a
    order by (select known.stream_id from public.events known where known.id = a.event_id),
      (select known.version from public.events known where known.id = a.event_id)
  loop
    select * into event from public.events known where known.id = payload.event_id;
    perform private.count_payload(event, payload.body, payload.update);
  end loop;
  return null;
end;
$$;

-- Whether a document has room for all of these edits, so that no limit can refuse one.
create function private.has_room(stream uuid, edits private.proposal[]) returns boolean
language sql stable set search_path = '' as $$
  select s.stopped_at is null and more.payload <= most.payload_bytes and s.bytes + more.bytes <= most.document_bytes
    and s.pieces + more.pieces <= most.document_pieces and s.history + more.bytes <= most.document_history
    and s.version + cardinality(edits) <= most.document_events
  from private.streams s,
    (
      select max(load.bytes) as payload, sum(load.bytes) as bytes, sum(load.pieces) as pieces
      from unnest(edits) as p cross join lateral private.load_of(p.update) as load
    ) as more,
    (
      select max(l.most) filter (where l.name = 'payload_bytes') as payload_bytes,
        max(l.most) filter (where l.name = 'document_bytes') as document_bytes,
        max(l.most) filter (where l.name = 'document_pieces') as document_pieces,
        max(l.most) filter (where l.name = 'document_history') as document_history,
        max(l.most) filter (where l.name = 'document_events') as document_events
      from private.limits l
    ) as most
  where s.id = stream
$$;

create trigger c_count after insert on public.events referencing new table as added
  for each statement execute function private.count_events();
alter table public.events enable always trigger c_count;
create trigger c_count after insert on public.event_payloads referencing new table as added
  for each statement execute function private.count_payloads();
alter table public.event_payloads enable always trigger c_count;

-- Stores the measured size of a document at a version. A measurement is exact, so a stop that it reports is permanent,
-- and earlier stops are cleared. Service only.
create function public.write_load(stream uuid, version bigint, bytes bigint, pieces bigint,
  stopped boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  head private.streams;
  more record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_load.stream and s.kind = 'document' for update;
  if not found or head.version < write_load.version then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that was measured');
  end if;
  if write_load.version < head.redacted_at then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  select coalesce(sum(load.bytes), 0) as bytes, coalesce(sum(load.pieces), 0) as pieces into more
  from public.events e join public.event_payloads p on p.event_id = e.id cross
    join lateral private.load_of(p.update) as load
  where e.stream_id = write_load.stream and e.version > write_load.version and p.update is not null;
  update private.streams s
  set bytes = write_load.bytes + more.bytes,
      pieces = write_load.pieces + more.pieces,
      measured_at = write_load.version,
      stopped_at = case when write_load.stopped then write_load.version end,
      stopped_until = null,
      stops = 0
  where s.id = write_load.stream;
end;
$$;

-- Stops a document whose folding took too long after a version. The machine may have been busy, so the stop is lifted
-- after an hour, the next one after two, then four, up to 512. The stored size stays, since nothing was measured.
-- Service only.
create function public.write_stop(stream uuid, version bigint) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  head private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_stop.stream and s.kind = 'document' for update;
  if not found or write_stop.version < 1 or head.version < write_stop.version then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that was folded');
  end if;
  if write_stop.version < head.redacted_at then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  update private.streams s
  set stopped_at = write_stop.version,
      -- Two processes that fold the document at once share one stop, and a permanent stop stays permanent.
      stopped_until = case when s.stopped_at is null
        then now() + interval '1 hour' * (1 << least(s.stops, 9)) else s.stopped_until end,
      stops = s.stops + (s.stopped_at is null)::int
  where s.id = write_stop.stream;
end;
$$;

-- How full a document is, for readers of its history: { bytes, pieces, measuredAt, stoppedAt }; null for others. The
-- numbers reveal the size of each event, which restricted readers may not learn.
create function public.read_load(stream uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', s.bytes, 'pieces', s.pieces, 'measuredAt', s.measured_at,
    'stoppedAt', s.stopped_at)
  from private.streams s
  where s.id = stream and s.kind = 'document' and (select private.may_read(stream))
$$;

-- The versions of the events after a version whose upper bound is at least 64 KiB, the largest first. Service only.
create function public.largest_events(stream uuid, after_version bigint, max_count int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service measures documents');
  end if;
  return (
    select coalesce(jsonb_agg(large.version order by large.bytes desc, large.version), '[]')
    from (
      select e.version, load.bytes
      from public.events e join public.event_payloads p on p.event_id = e.id cross
        join lateral private.load_of(p.update) as load
      where e.stream_id = largest_events.stream and e.version > coalesce(largest_events.after_version, 0)
        and p.update is not null and p.redacted_by is null and load.bytes >= 65536
      order by load.bytes desc, e.version
      limit greatest(0, least(coalesce(largest_events.max_count, 100), 199))
    ) as large
  );
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.write_load(uuid, bigint, bigint, bigint, boolean), public.write_stop(uuid, bigint),
  public.largest_events(uuid, bigint, int) from public, anon, authenticated;
revoke execute on function public.read_load(uuid) from public, anon;
grant execute on function public.write_load(uuid, bigint, bigint, bigint, boolean), public.write_stop(uuid, bigint),
  public.largest_events(uuid, bigint, int) to service_role;
grant execute on function public.read_load(uuid) to authenticated, service_role;
