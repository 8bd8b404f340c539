-- append_events, the only way into the log, and the private channels that announce an append.
--
-- A topic's name ends with the epoch of its workspace. Realtime evaluates a policy when a client joins and caches the
-- result, so an event that takes a right away gives the topics new names.

-- The present topic of a stream, without a check of the caller.
create function private.topic_of(stream uuid) returns text
language sql stable set search_path = '' as $$
  select s.kind || ':' || s.id || ':' || coalesce(f.epoch, 0)
  from private.streams s left join private.feeds f on f.workspace_id = s.workspace_id
  where s.id = stream
$$;

-- The present topic of a stream; null for a missing stream and for callers who may not listen to it.
create function public.stream_topic(stream uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when stream = (select auth.uid()) then 'account:' || stream || ':0'
    when private.may_read(stream) then private.topic_of(stream)
  end
$$;

-- The caller's right on a topic: 'speak' or 'listen'; null without a right, or for any name but the present one.
create function private.topic_access(topic text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  stream uuid := substring(topic
    from '^(?:account|workspace|document):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):[0-9]{1,18}$')::uuid;
begin
  if stream is null or public.stream_topic(stream) is distinct from topic then
    return null;
  end if;
  if topic like 'document:%' and private.rank(
    (select private.role_in(workspace_id) from private.streams where id = stream)) >= private.rank('editor') then
    return 'speak';
  end if;
  return 'listen';
end;
$$;

create policy "members listen to the present topic" on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence')
    and (select private.topic_access((select realtime.topic()))) is not null);
create policy "editors speak in documents, members are present" on realtime.messages for insert to authenticated
  with check (case extension
    when 'broadcast' then (select private.topic_access((select realtime.topic()))) = 'speak'
    when 'presence' then (select private.topic_access((select realtime.topic()))) is not null
    else false
  end);

-- Broadcasts the ids of new events of a stream, never their payloads. The topic of a document's workspace gets the
-- broadcast as well; for a batch of edits alone at most once in five seconds per document.
create function private.announce(head private.streams, version bigint, epoch bigint, ids uuid[],
  edits_only boolean) returns void
language plpgsql set search_path = '' as $$
declare
  payload jsonb := jsonb_build_object('stream', head.id, 'version', version, 'ids', to_jsonb(ids));
begin
  perform realtime.send(payload, 'log', format('%s:%s:%s', head.kind, head.id, coalesce(epoch, 0)), true);
  if head.kind = 'document' and (not edits_only or head.announced_at < clock_timestamp() - interval '5 seconds') then
    perform realtime.send(payload, 'log', format('workspace:%s:%s', head.workspace_id, coalesce(epoch, 0)), true);
    update private.streams s set announced_at = clock_timestamp() where s.id = head.id;
  end if;
end;
$$;

-- Broadcasts a change of epoch on the old topics of the workspace and of the 200 documents that were announced last.
-- The latter reach pages whose workspace channel is disconnected. Other pages poll the name once a minute. A broadcast
-- for each document would hold the workspace's lock for up to 25 000 of them.
create function private.announce_move(workspace uuid, old_epoch bigint) returns void
language sql set search_path = '' as $$
  select realtime.send('{}'::jsonb, 'moved', told.kind || ':' || told.id || ':' || old_epoch, true)
  from (
    select s.kind, s.id from private.streams s where s.id = workspace
    union all
    (select s.kind, s.id from private.streams s
      where s.workspace_id = workspace and s.kind = 'document'
      order by s.announced_at desc limit 200)
  ) as told
$$;

-- Locks the head of a stream, or inserts one for an event that begins a stream. Any other event of a missing stream
-- gets the same refusal as one of a stream that the caller may not see.
create function private.lock_stream(stream uuid, first private.proposal) returns private.streams
language plpgsql set search_path = '' as $$
declare
  head private.streams;
  begins private.transitions;
begin
  select * into head from private.streams where id = stream for update;
  if found then
    return head;
  end if;
  select * into begins from private.transitions t
  where t.subject_kind = t.stream_kind and t.from_phase = 'absent' and t.event_type = first.type
    and t.subject_kind = first.subject_kind and t.retired_at is null;
  -- A user's id is the id of their account's stream. Another stream under this id would block the account.
  if not found or begins.stream_kind <> 'account' and exists (select from auth.users u where u.id = stream) then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  insert into private.streams (id, kind, workspace_id)
  values (stream, begins.stream_kind, case begins.stream_kind
    when 'workspace' then stream
    when 'document' then (first.body::jsonb ->> 'workspaceId')::uuid
  end)
  on conflict do nothing;
  -- A concurrent transaction that inserted this row first has committed by now, and its row is locked here.
  select * into head from private.streams where id = stream for update;
  return head;
end;
$$;

-- Locks the rows that the ruling (the acknowledgement) depends on: account, then memberships. The caller has locked
-- the stream before and locks the workspace's counter last. A batch about members locks all memberships, because the
-- check for a remaining owner reads all of them. On a hosted project the token of a deleted account stays valid for
-- minutes, so a deleted account may not begin or join a stream, and its address is not stored again.
create function private.lock_dependencies(
  head private.streams, actor uuid, batch private.proposal[], invited boolean
) returns void
language plpgsql set search_path = '' as $$
declare
  phase text;
begin
  if head.kind = 'account' or invited or head.version = 0 then
    select a.phase into phase from public.accounts a where a.user_id = actor for share;
    if phase is distinct from 'deleted' then
      perform private.remember_email(actor);
    elsif head.kind <> 'account' then
      perform private.refuse('not-permitted', 'account-deleted', 'the account was deleted');
    end if;
  end if;
  if head.kind = 'workspace' and exists (select from unnest(batch) as p where p.subject_kind = 'member') then
    perform from public.members where workspace_id = head.workspace_id order by user_id for update;
  else
    perform from public.members where workspace_id = head.workspace_id and user_id = actor for share;
  end if;
end;
$$;

-- Binds the update's client ids to the actor, or to the document that it was copied from. Returns the newly bound ids,
-- or null. Refuses an id that is bound to another actor or source.
create function private.bind_clients(stream uuid, ids bigint[], actor uuid, version bigint, source uuid)
  returns bigint[]
language plpgsql set search_path = '' as $$
declare
  bound bigint[];
begin
  if cardinality(ids) = 0 then
    return null;
  end if;
  if exists (
    select from private.stream_clients c
    where c.stream_id = stream and c.client_id = any (ids)
      and (c.source is distinct from bind_clients.source or (c.source is null and c.actor_id <> actor))
  ) then
    perform private.refuse('not-permitted', 'client-id-taken', 'a client id belongs to somebody else');
  end if;
  with added as (
    insert into private.stream_clients (stream_id, client_id, actor_id, version, source)
    select stream, id, actor, bind_clients.version, bind_clients.source from unnest(ids) as id
    on conflict do nothing
    returning client_id
  )
  select array_agg(client_id order by client_id) into bound from added;
  return bound;
end;
$$;

-- The stored event that a resent proposal repeats, if the caller still holds the right for it; null for a new id.
-- Refuses an id that belongs to another event.
create function private.repeated(p private.proposal, stream uuid, actor uuid, role text, invited boolean)
returns public.events
language plpgsql set search_path = '' as $$
declare
  stored public.events;
  subject private.subjects;
  needs text;
begin
  select * into stored from public.events where id = p.id;
  if not found then
    return null;
  end if;
  select s.* into subject from private.subjects s
  where s.stream_id = stored.stream_id and s.kind = stored.subject_kind and s.id = stored.subject_id;
  select t.needs into needs from private.transitions t
  where t.subject_kind = stored.subject_kind and t.from_phase = stored.from_phase
    and t.event_type = stored.type and t.to_phase = stored.to_phase;
  if stored.stream_id = stream and stored.actor_id = actor and stored.type = p.type
    and stored.subject_kind = p.subject_kind and stored.subject_id = p.subject_id
    and private.holds(needs, actor, role, stored.subject_id, subject.author_id, invited)
    and exists (
      select from public.event_payloads as kept
      where kept.event_id = stored.id and stored.payload_hash = private.payload_hash(kept.salt, p.body, p.update)
    ) then
    return stored;
  end if;
  if role is null then
    perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
  end if;
  perform private.refuse('invalid-event', 'id-taken', 'this id belongs to another event');
end;
$$;

-- Returns the rule of the law (the transition table) that allows an event. Refuses the event if no rule in force allows
-- it in the phases of its subject and of the subject's host, or if the actor lacks the right.
create function private.check_law(p private.proposal, head private.streams, actor uuid, role text, invited boolean)
returns private.transitions
language plpgsql set search_path = '' as $$
declare
  subject private.subjects;
  rule private.transitions;
begin
  select * into subject from private.subjects s
  where s.stream_id = head.id and s.kind = p.subject_kind and s.id = p.subject_id;
  select * into rule from private.transitions t
  where t.subject_kind = p.subject_kind and t.from_phase = coalesce(subject.phase, 'absent')
    and t.event_type = p.type and t.stream_kind = head.kind and t.retired_at is null;
  if not found then
    perform private.refuse('illegal-transition', 'phase', coalesce(subject.phase, 'absent') ||
      ' does not allow ' || p.type);
  end if;
  if p.subject_kind <> head.kind and not exists (
    select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
    where s.stream_id = head.id and s.kind = head.kind and s.id = head.id and h.retired_at is null
  ) then
    perform private.refuse('illegal-transition', 'host-phase', 'what it lives in does not allow it now');
  end if;
  if not private.holds(rule.needs, actor, role, p.subject_id, subject.author_id, invited) then
    perform private.refuse('not-permitted', 'right-missing', 'this needs the right ' || rule.needs);
  end if;
  return rule;
end;
$$;

-- Appends one new proposal: checks the law, the right and the body, then writes the row, the payload and the
-- projections.
create function private.rule(p private.proposal, head private.streams, actor uuid, role text,
  invited boolean) returns public.events
language plpgsql set search_path = '' as $$
declare
  -- In a workspace an earlier event of the batch may have changed the role; in a document the membership is locked.
  rule private.transitions := private.check_law(p, head, actor,
    case head.kind when 'workspace' then private.role_in(head.workspace_id) when 'document' then role end, invited);
  e public.events;
  previous bytea;
  salt bytea := uuid_send(gen_random_uuid());
  body jsonb := p.body;
begin
  select s.version + 1, greatest(clock_timestamp(), s.recorded_at + interval '1 microsecond'), s.client_time, s.hash,
    (select f.position + 1 from private.feeds f where f.workspace_id = s.workspace_id)
  into e.version, e.recorded_at, e.client_time, previous, e.position
  from private.streams s where s.id = head.id;
  perform private.check_meaning(p, body, head.id, e.version - 1);
  e.id := p.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  e.type := p.type;
  e.subject_kind := p.subject_kind;
  e.subject_id := p.subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.schema := p.schema;
  e.actor_id := actor;
  if cardinality(p.client_ids) > 0 then
    e.client_ids := private.bind_clients(head.id, p.client_ids, actor, e.version, private.carried_from(p.update));
  end if;
  e.client_time := greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), e.client_time);
  e.payload_hash := private.payload_hash(salt, p.body, p.update);
  e.hash := private.event_hash(previous, e);
  insert into public.events select e.*;
  insert into public.event_payloads (event_id, salt, body, update) values (e.id, salt, p.body, p.update);
  perform private.project(e, body);
  if p.type = 'document.redacted' then
    perform private.destroy_payload((body ->> 'event')::uuid, e.stream_id, e.version, p.update);
  end if;

  -- A workspace may lose its last owner only when its last member leaves because their account was deleted.
  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) and not (
    p.type = 'member.left'
    and not exists (select from public.members m where m.workspace_id = head.id and m.phase = 'active')
    and exists (select from public.accounts a where a.user_id = actor and a.phase = 'deleted')
  ) then
    perform private.refuse('not-permitted', 'last-owner',
      'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$$;

-- For each proposal of a batch, whether it is a plain edit, which only the law, the right and the limits can refuse: it
-- declares no client ids, names a known schema, and has neither copied content nor a tombstone.
create function private.plain_edits(batch private.proposal[]) returns boolean[]
language plpgsql stable set search_path = '' as $$
declare
  p private.proposal;
  plain boolean[] := '{}';
  known int[] := array(select t.version from private.text_schemas t);
begin
  foreach p in array batch loop
    plain := plain || (p.type = 'document.edited' and cardinality(p.client_ids) = 0 and p.schema = any (known)
      and coalesce(substring(p.update from 1 for 3) not in ('\x000003', '\x000004', '\x000005'), false));
  end loop;
  return plain;
end;
$$;

-- Appends consecutive plain edits with one statement for each table, with the same result as private.rule for each.
-- Returns null, and appends nothing, if a limit could refuse one of several or if a hook projects edits.
create function private.rule_edits(
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
  -- A single edit beyond a limit is refused by the trigger that counts it.
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

-- The ruling on one event of a batch (its acknowledgement).
create function private.ruling(e public.events) returns jsonb
language sql stable parallel safe
return jsonb_build_object(
  'id', e.id,
  'version', e.version,
  'hash', encode(e.hash, 'hex'),
  'recordedAt', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  'toPhase', e.to_phase);

-- One transaction: locks, answers repeated events, refuses a stale version, appends, broadcasts. A connection caches
-- plans, and a plan made while a table was small must not scan it once it is large: hence no sequential scans.
create function private.append(stream uuid, expected_version bigint, events jsonb, invited boolean) returns jsonb
language plpgsql set search_path = '' set enable_seqscan = off as $$
declare
  actor uuid := auth.uid();
  batch private.proposal[] := private.parse_proposals(stream, events);
  ids uuid[] := '{}';
  p private.proposal;
  head private.streams;
  role text;
  e public.events;
  rows public.events[];
  old_epoch bigint;
  epoch bigint;
  fresh uuid[] := '{}';
  plain boolean[] := '{}';
  at int := 1;
  last int;
  edits_only boolean := true;
  rulings jsonb := '[]';
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  foreach p in array batch loop
    ids := ids || p.id;
  end loop;
  head := private.lock_stream(stream, batch[1]);
  perform private.lock_dependencies(head, actor, batch, invited);
  role := case
    when head.kind = 'account' then case when head.id = actor then 'owner' end
    when head.kind = 'workspace' and (head.version = 0 or invited) then 'viewer'
    else (select m.role from public.members m where m.workspace_id = head.workspace_id
      and m.user_id = actor and m.phase = 'active')
  end;

  -- One subquery for each id: a cached plan for the list, made while the log was short, would scan the whole log.
  if exists (
    select from unnest(ids) as wanted (id)
    where (select known.version from public.events known where known.id = wanted.id) is not null
  ) then
    foreach p in array batch loop
      if (private.repeated(p, stream, actor, role, invited)).id is null then
        fresh := fresh || p.id;
      end if;
    end loop;
  else
    fresh := ids;
  end if;
  if cardinality(fresh) > 0 then
    if role is null then
      perform private.refuse('not-permitted', 'no-access', 'there is no such stream, or you have no access to it');
    end if;
    if expected_version <> head.version then
      perform private.refuse('version-conflict', 'stale-version', 'the stream is at version ' || head.version);
    end if;
    if head.kind = 'document' and not exists (
      select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
      where s.stream_id = head.workspace_id and s.kind = 'workspace' and s.id = head.workspace_id
        and h.retired_at is null
    ) then
      perform private.refuse('illegal-transition', 'host-phase', 'its workspace does not allow it now');
    end if;
    if head.kind = 'workspace' and head.version = 0 then
      insert into private.feeds (workspace_id) values (head.id);
    end if;
    select f.epoch into epoch from private.feeds f where f.workspace_id = head.workspace_id for update;
  end if;

  if head.kind = 'document' and cardinality(fresh) = cardinality(ids) then
    plain := private.plain_edits(batch);
  end if;
  while at <= cardinality(ids) loop
    last := at;
    while plain[at] and plain[last + 1] loop
      last := last + 1;
    end loop;
    rows := null;
    if plain[at] then
      rows := private.rule_edits(batch[at:last], head, actor, role);
      -- After a null, the rest of the batch is appended one by one: the next attempts would mostly return null, too.
      plain := case when rows is not null then plain else '{}' end;
    end if;
    if rows is not null then
      rulings := rulings || (select jsonb_agg(private.ruling(r) order by r.version) from unnest(rows) as r);
      e := rows[cardinality(rows)];
      at := last + 1;
      continue;
    end if;
    p := batch[at];
    if p.id = any (fresh) then
      e := private.rule(p, head, actor, role, invited);
      edits_only := edits_only and p.type = 'document.edited';
    else
      select * into e from public.events where id = p.id;
    end if;
    rulings := rulings || private.ruling(e);
    at := at + 1;
  end loop;

  if cardinality(fresh) > 0 then
    if head.kind = 'workspace' then
      old_epoch := epoch;
      select f.epoch into epoch from private.feeds f where f.workspace_id = head.workspace_id;
      if old_epoch <> epoch then
        perform private.announce_move(head.workspace_id, old_epoch);
      end if;
    end if;
    perform private.announce(head, e.version, epoch, fresh, edits_only);
  end if;
  if head.kind = 'account' then
    perform private.name_member(actor);
  end if;
  return rulings;
end;
$$;

-- Appends a batch of events to a stream, all or none. Returns [{ id, version, hash, recordedAt, toPhase }]. A null
-- expected_version skips the version check; 0 begins a stream. `actor` is the person whose page sends the events: if
-- another person has signed in since the events were made, they are refused instead of recorded under the wrong name.
-- A null actor skips that check; it is a default argument, since PostgREST cannot choose between two overloads. An
-- append waits for each locked row for half of a statement's timeout at most; the caller may resend the same events.
-- Refusals are raised by private.refuse.
create function public.append_events(stream uuid, expected_version bigint, events jsonb, actor uuid default null)
  returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '4s' as $$
begin
  if actor <> (select auth.uid()) then
    perform private.refuse('not-permitted', 'other-account', 'the token belongs to another account than the events');
  end if;
  return private.append(stream, expected_version, events, false);
end;
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.topic_access(text) to anon, authenticated;
revoke execute on function public.stream_topic(uuid) from public, anon;
grant execute on function public.stream_topic(uuid) to authenticated, service_role;
revoke execute on function public.append_events(uuid, bigint, jsonb, uuid) from public, anon;
grant execute on function public.append_events(uuid, bigint, jsonb, uuid) to authenticated, service_role;
