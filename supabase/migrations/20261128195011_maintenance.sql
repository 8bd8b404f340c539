-- Maintenance: snapshots (a document's Yjs state at a version), segments (stretches of its history in the form that
-- the player reads), and the marks and turns by which processes share the work. The service computes snapshots and
-- segments from the log. They are checked against its hashes, and may be deleted and recomputed at any time.

create table public.snapshots (
  version bigint not null,
  -- The head of the log when the service began to read it; null: the version of the state itself.
  seen bigint check (seen >= version),
  stream_id uuid not null,
  -- The hash of the event at this version, and the snapshot's digest (see private.snapshot_digest).
  head bytea,
  digest bytea,
  state bytea not null,
  primary key (stream_id, version)
);
alter table public.snapshots alter column state set storage external;
alter table public.snapshots enable row level security;
create policy "who may read a stream reads its snapshots" on public.snapshots for select to authenticated
  using (stream_id in (
    select d.id from public.documents d where d.workspace_id in (select private.my_workspaces())
  ));

create table public.segments (
  from_version bigint not null check (from_version >= 1),
  to_version bigint not null,
  -- The head of the log when the service began to read it; text that was redacted later may be in here.
  version bigint not null,
  format int not null,
  moments int not null check (moments >= 1),
  stream_id uuid not null,
  head bytea not null,
  bytes bytea not null,
  primary key (stream_id, from_version),
  check (to_version >= from_version and version >= to_version)
);
alter table public.segments alter column bytes set storage external;
alter table public.segments enable row level security;
create policy "who may read a stream reads its segments" on public.segments for select to authenticated
  using (stream_id in (
    select d.id from public.documents d where d.workspace_id in (select private.my_workspaces())
  ));

create trigger a_refuse_others before insert or update or delete or truncate on public.snapshots
  for each statement execute function private.refuse_others();
create trigger a_refuse_others before insert or update or delete or truncate on public.segments
  for each statement execute function private.refuse_others();
alter table public.snapshots enable always trigger a_refuse_others;
alter table public.segments enable always trigger a_refuse_others;
revoke all on public.snapshots, public.segments from public, anon, authenticated, service_role;
grant select on public.snapshots, public.segments to authenticated, service_role;

-- Parts of a snapshot that is being written. A state of many megabytes is written and read in parts: the JSON of a
-- single message of that size would delay other requests of the same process while it is encoded and decoded.
create table private.snapshot_parts (
  version bigint not null,
  made_at timestamptz not null default now(),
  part int not null check (part between 0 and 255),
  stream_id uuid not null,
  upload uuid not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  primary key (stream_id, version, upload, part)
);

-- Refuses a snapshot folded from a log that was read before a redaction. The snapshot itself may be of an earlier
-- version.
create function private.guard_snapshot() returns trigger
language plpgsql set search_path = '' as $$
begin
  if coalesce(new.seen, new.version) < (select s.redacted_at from private.streams s
    where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'redacted-since', 'something was redacted since');
  end if;
  return new;
end;
$$;

-- Registered without register_cache, because its guard compares `seen`.
insert into private.caches (relation) values ('public.snapshots');
create trigger b_guard_cache before insert
  or update on public.snapshots for each row execute function private.guard_snapshot();
alter table public.snapshots enable always trigger b_guard_cache;
select private.grade_cache('public.snapshots');
select private.register_cache('public.segments');
select private.register_cache('private.snapshot_parts');

-- The digest of a snapshot: SHA-256 over its stream, version, event hash and state.
create function private.snapshot_digest(stream uuid, version bigint, head bytea, state bytea) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to('palimpsest snapshot' || stream::text || ' ' || version::text || ' ', 'UTF8')
    || head || state)
$$;

-- Whether a snapshot is unchanged since it was stored and belongs to the present log.
create function private.is_sound(s public.snapshots) returns boolean
language sql stable set search_path = '' as $$
  select s.head is not null
    and s.head = (select e.hash from public.events e where e.stream_id = s.stream_id and e.version = s.version)
    and s.digest = private.snapshot_digest(s.stream_id, s.version, s.head, s.state)
$$;

-- Stores a part (base64) of a state; write_snapshot without a state joins the parts. Service only.
create function public.write_snapshot_part(stream uuid, version bigint, upload uuid, part int, bytes text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes snapshots');
  end if;
  if private.from_base64(write_snapshot_part.bytes) is null then
    perform private.refuse('invalid-event', 'not-base64', 'bytes is not base64');
  end if;
  -- Abandoned uploads.
  delete from private.snapshot_parts p where p.stream_id = stream and p.made_at < now() - interval '1 hour';
  insert into private.snapshot_parts (stream_id, version, upload, part, bytes)
  values (stream, write_snapshot_part.version, write_snapshot_part.upload, write_snapshot_part.part,
    private.from_base64(write_snapshot_part.bytes))
  on conflict (stream_id, version, upload, part) do update set bytes = excluded.bytes, made_at = excluded.made_at;
end;
$$;

-- Stores the state (base64) of a stream at a version; without a state, the joined parts of an upload. `seen` is the
-- head of the log when it was read. `head` is the hash (hex) of the last folded event; a state of another log is
-- refused. Keeps the two newest snapshots, this one and those of named versions, and deletes unsound ones. Service
-- only.
create function public.write_snapshot(
  stream uuid, version bigint, state text, seen bigint default null, head text default null, upload uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  linked bytea;
  bytes bytea := private.from_base64(write_snapshot.state);
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes snapshots');
  end if;
  if write_snapshot.version < 1 or write_snapshot.seen < write_snapshot.version or not exists (
    select from private.streams s
    where s.id = stream and s.version >= coalesce(write_snapshot.seen, write_snapshot.version)
  ) then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  if write_snapshot.state is null then
    select string_agg(p.bytes, '' order by p.part) into bytes
    from private.snapshot_parts p
    where p.stream_id = stream and p.version = write_snapshot.version and p.upload = write_snapshot.upload;
    delete from private.snapshot_parts p where p.stream_id = stream and p.upload = write_snapshot.upload;
  end if;
  if bytes is null then
    perform private.refuse('invalid-event', 'not-base64', 'state is not base64');
  end if;
  select e.hash into linked from public.events e where e.stream_id = stream and e.version = write_snapshot.version;
  if linked is null or encode(linked, 'hex') <> coalesce(write_snapshot.head, encode(linked, 'hex')) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the state was folded from');
  end if;
  insert into public.snapshots as kept (stream_id, version, state, seen, head, digest)
  values (stream, write_snapshot.version, bytes, write_snapshot.seen, linked,
    private.snapshot_digest(stream, write_snapshot.version, linked, bytes))
  on conflict (stream_id, version) do update
    set state = excluded.state, seen = excluded.seen, head = excluded.head, digest = excluded.digest;
  delete from public.snapshots s where s.stream_id = stream and (
    not private.is_sound(s)
    or s.version < (select min(newest.version) from (
        select n.version from public.snapshots n where n.stream_id = stream order by n.version desc limit 2) as newest)
      and s.version <> write_snapshot.version
      and not exists (select from public.versions v where v.document_id = stream and v.at = s.version));
end;
$$;

-- The newest sound snapshot, at or before a version if one is given: { version, state } with the state in base64. Null
-- without a snapshot, or for callers who may not read the stream.
create function public.read_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version, 'state', replace(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream and (at_version is null or s.version <= at_version) and (select private.may_read(stream))
    and private.is_sound(s)
  order by s.version desc
  limit 1
$$;

-- The newest sound snapshot, at or before a version if one is given, as { version, size, state, stoppedAt, bytes,
-- pieces }. Without a snapshot `version`, `size` and `state` are null; above 4 MiB only `state` is null, and the caller
-- reads it in parts. `stoppedAt` is the version after which the document cannot be folded, if any; `bytes` and `pieces`
-- are the size of the document. Null for callers who may not read the stream.
create function public.open_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', kept.version, 'size', octet_length(kept.state), 'stoppedAt', d.stopped_at,
    'bytes', d.bytes, 'pieces', d.pieces, 'state', case when octet_length(kept.state) <= 4194304
      then replace(encode(kept.state, 'base64'), E'\n', '') end)
  from private.streams d left join lateral (
    select s.version, s.state from public.snapshots s
    where s.stream_id = d.id and (at_version is null or s.version <= at_version) and private.is_sound(s)
    order by s.version desc limit 1
  ) as kept on true
  where d.id = stream and (select private.may_read(stream))
$$;

-- At most 1 MiB (base64) of a snapshot's state, from the byte `start` on, counted from 0; null without a snapshot.
create function public.read_snapshot_part(stream uuid, version bigint, start int) returns text
language sql stable security definer set search_path = '' as $$
  select replace(encode(substring(s.state from read_snapshot_part.start + 1 for 1048576), 'base64'), E'\n', '')
  from public.snapshots s
  where s.stream_id = stream and s.version = read_snapshot_part.version and (select private.may_read(stream))
$$;

-- Stores a segment (base64) that continues the one before it, and deletes all segments from its first version on.
-- `seen` is the head of the log when it was read. `head` is the hash (hex) of the segment's last event; a segment of
-- another log is refused. Like an append it locks its stream first, so that it and a redaction do not deadlock. Service
-- only.
create function public.write_segment(
  stream uuid, from_version bigint, to_version bigint, seen bigint, format int, moments int, head text, bytes text
) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service writes segments');
  end if;
  perform from private.streams s where s.id = stream for share;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  if not exists (
    select from public.events e
    where e.stream_id = stream and e.version = write_segment.to_version and encode(e.hash, 'hex') = write_segment.head
  ) or not exists (select from private.streams s where s.id = stream and s.version >= seen) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the segment was made from');
  end if;
  if write_segment.from_version > 1 and not exists (
    select from public.segments s where s.stream_id = stream and s.to_version = write_segment.from_version - 1
  ) then
    perform private.refuse('invalid-event', 'segment-missing', 'the segment before it is missing');
  end if;
  if private.from_base64(write_segment.bytes) is null then
    perform private.refuse('invalid-event', 'not-base64', 'bytes is not base64');
  end if;
  delete from public.segments s where s.stream_id = stream and s.from_version >= write_segment.from_version;
  insert into public.segments (stream_id, from_version, to_version, version, format, moments, head, bytes)
  values (stream, write_segment.from_version, write_segment.to_version, seen, write_segment.format,
    write_segment.moments,
    decode(write_segment.head, 'hex'), private.from_base64(write_segment.bytes));
end;
$$;

-- A stream's segments of one format after a version, in order: [{ from, to, moments, bytes }] with `bytes` in base64.
-- Empty for callers who may not read the stream.
create function public.read_segments(
  stream uuid, after_version bigint default 0, max_count int default 8, of_format int default 1
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'from', s.from_version, 'to', s.to_version, 'moments', s.moments,
    'bytes', replace(encode(s.bytes, 'base64'), E'\n', '')) order by s.from_version), '[]')
  from (
    select * from public.segments s
    where s.stream_id = stream and s.from_version > coalesce(after_version, 0) and s.format = of_format
      and (select private.may_read(stream))
    order by s.from_version
    limit greatest(0, least(coalesce(max_count, 8), 64))
  ) as s
$$;

-- Deletes a document's snapshots and segments and marks the document, so that they are recomputed. For owners and
-- editors.
create function public.renew_caches(stream uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if coalesce((
    select private.role_in(s.workspace_id) in ('owner', 'editor') from private.streams s
      where s.id = stream and s.kind = 'document'
  ), false) is not true then
    perform private.refuse('not-permitted', 'right-missing', 'only who may edit a document has its text made anew');
  end if;
  perform from private.streams s where s.id = stream for share;
  -- The lock of write_segment: a concurrent segment is stored before this deletion, or after it.
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  delete from public.snapshots s where s.stream_id = stream;
  delete from public.segments s where s.stream_id = stream;
  perform private.need_upkeep(stream);
end;
$$;

-- Documents that wait for maintenance: a snapshot, a segment or a measurement may be due. Appends mark documents here,
-- not at every event. A mark is removed once the document is maintained. If the process that took a mark ends, another
-- may take it after fifteen minutes.
create table private.upkeep (
  stream_id uuid primary key,
  marked_at timestamptz not null default now(),
  taken_at timestamptz
);

-- Marks a document. A taken mark is renewed, since its taker may have read the document before this change.
create function private.need_upkeep(stream uuid) returns void
language sql set search_path = '' as $$
  insert into private.upkeep as known (stream_id) values (stream)
  on conflict (stream_id) do update set taken_at = null, marked_at = now() where known.taken_at is not null
$$;

-- Marks a document every 32 versions.
create function private.mark_grown_stream() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.need_upkeep(new.id);
  return null;
end;
$$;
create trigger c_mark_upkeep after update of version on private.streams for each row
  when (new.kind = 'document' and new.version / 32 <> old.version / 32)
  execute function private.mark_grown_stream();
alter table private.streams enable always trigger c_mark_upkeep;

-- Marks a document at every large update.
create function private.mark_heavy_payload() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.need_upkeep(e.stream_id)
  from public.events e where e.id = new.event_id and e.stream_kind = 'document';
  return null;
end;
$$;
create trigger c_mark_upkeep after insert on public.event_payloads for each row
  when (octet_length(new.update) >= 8192)
  execute function private.mark_heavy_payload();
alter table public.event_payloads enable always trigger c_mark_upkeep;

-- Takes the marks of at most max_count documents, the oldest first, none younger than `settled`: [{ id, takenAt }]. A
-- taken mark goes to another caller only after fifteen minutes. Also lifts expired stops. Service only.
create function public.take_upkeep(max_count int default 8, settled interval default '10 seconds')
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  -- Stops first, and with `skip locked`: an append locks its stream and then marks it, so waiting could deadlock.
  update private.streams s set stopped_at = null, stopped_until = null
  where s.id in (select over.id from private.streams over where over.stopped_until <= now() for update skip locked);
  with marked as (
    update private.upkeep u set taken_at = now() where u.stream_id in (
      select w.stream_id from private.upkeep w
      where w.marked_at <= now() - settled and (w.taken_at is null or w.taken_at < now() - interval '15 minutes')
      -- Marks left by an ended process come last.
      order by w.taken_at nulls first, w.marked_at
      limit greatest(0, least(max_count, 64)) for update skip locked
    ) returning u.stream_id, u.taken_at
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', marked.stream_id, 'takenAt', marked.taken_at)), '[]')
  into taken from marked;
  return taken;
end;
$$;

-- Removes the mark of a maintained document for the run that took it at `taken_at`; a newer mark stays. Service only.
create function public.settle_upkeep(stream uuid, taken_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  delete from private.upkeep u where u.stream_id = settle_upkeep.stream and u.taken_at = settle_upkeep.taken_at;
end;
$$;

-- Marks documents again after their maintenance failed. Service only.
create function public.mark_upkeep(streams uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  perform private.need_upkeep(known.id) from (
    select s.id from private.streams s where s.id = any (mark_upkeep.streams) and s.kind = 'document' order by s.id
  ) as known;
end;
$$;

-- The process that holds the turn for each kind of work, when several processes serve one project.
create table private.work_turns (
  work text primary key,
  process uuid not null,
  ends_at timestamptz not null
);
revoke all on private.work_turns from public, anon, authenticated, service_role;

-- Returns those of the given kinds that have waiting work for this process: one call for an idle process instead of one
-- for each kind. Marks of `upkeep` and `lines` are taken one by one, so every process may take some. Each other kind
-- belongs to one process while it calls again before its turn of 20 seconds ends. `always` includes kinds without
-- waiting work. Service only.
create function public.take_work(process uuid, kinds text[], always boolean default false) returns text[]
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  kind text;
  waits boolean;
  own text[] := '{}';
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service does this work');
  end if;
  foreach kind in array kinds loop
    waits := always or case kind
      when 'upkeep' then
        exists (select from private.upkeep u where u.marked_at <= now() - interval '10 seconds'
          and (u.taken_at is null or u.taken_at < now() - interval '15 minutes'))
        or exists (select from private.streams s where s.stopped_until <= now())
      when 'lines' then exists (
        select from private.stale_lines q join private.streams s on s.id = q.stream_id
        where q.tries < 3 and (q.taken_at is null or q.taken_at < now() - interval '5 minutes')
          and q.marked_at <= now() - interval '6 seconds'
            - least(s.version * interval '2 milliseconds', interval '10 minutes'))
      when 'index' then exists (
        select from private.feeds f left join private.search_workspaces w on w.workspace_id = f.workspace_id
        where f.position > coalesce(w.position, 0))
      when 'links' then exists (
        select from private.streams s left join private.link_states k on k.stream_id = s.id
        where s.kind = 'document' and s.version > coalesce(k.version, 0)
          and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
          and exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      when 'deletions' then exists (select from private.pending_deletions d
        where d.taken_at is null or d.taken_at < now() - interval '10 minutes')
      when 'users' then exists (select from private.deleted_accounts)
      -- Leftover objects in Storage have no mark. The work itself finds them, and processes seldom ask for it.
      else kind in ('leftovers', 'pictures')
    end;
    continue when not waits;
    if kind not in ('upkeep', 'lines') then
      insert into private.work_turns as t (work, process, ends_at)
      values (kind, process, now() + interval '20 seconds')
      on conflict (work) do update set process = excluded.process, ends_at = excluded.ends_at
        where t.process = excluded.process or t.ends_at < now();
      continue when not found;
    end if;
    own := own || kind;
  end loop;
  return own;
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.write_snapshot(uuid, bigint, text, bigint, text, uuid),
  public.write_snapshot_part(uuid, bigint, uuid, int, text),
  public.write_segment(uuid, bigint, bigint, bigint, int, int, text, text),
  public.take_upkeep(int, interval), public.mark_upkeep(uuid[]) from public, anon, authenticated;
revoke execute on function public.read_snapshot(uuid, bigint), public.open_snapshot(uuid, bigint),
  public.read_snapshot_part(uuid, bigint, int), public.read_segments(uuid, bigint, int, int) from public, anon;
revoke execute on function public.renew_caches(uuid) from public, anon;
grant execute on function public.write_snapshot(uuid, bigint, text, bigint, text, uuid),
  public.write_snapshot_part(uuid, bigint, uuid, int, text),
  public.write_segment(uuid, bigint, bigint, bigint, int, int, text, text),
  public.take_upkeep(int, interval), public.mark_upkeep(uuid[]) to service_role;
grant execute on function public.read_snapshot(uuid, bigint), public.open_snapshot(uuid, bigint),
  public.read_snapshot_part(uuid, bigint, int),
    public.read_segments(uuid, bigint, int, int) to authenticated, service_role;
grant execute on function public.renew_caches(uuid) to authenticated;
revoke execute on function public.settle_upkeep(uuid, timestamptz), public.take_work(uuid, text[], boolean)
  from public, anon, authenticated;
grant execute on function public.settle_upkeep(uuid, timestamptz), public.take_work(uuid, text[], boolean)
  to service_role;
