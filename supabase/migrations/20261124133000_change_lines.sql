-- Lines that say what somebody did in a document in one session, as data. The service derives them
-- from the log alone, so they are a cache: deleted by a redaction in its own transaction, kept from
-- readers of named versions alone, and made again.

create table public.change_lines (
  -- The versions of its first and its last event, and how far the log had come when it was read for this.
  from_version bigint not null check (from_version >= 1),
  to_version bigint not null,
  version bigint not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  added int not null,
  removed int not null,
  changes int not null,
  stream_id uuid not null,
  workspace_id uuid not null,
  actor_id uuid not null,
  parts jsonb not null check (octet_length(parts::text) <= 4096),
  primary key (stream_id, from_version),
  check (to_version >= from_version and version >= to_version)
);
create index change_lines_by_workspace on public.change_lines (workspace_id, ended_at desc);
alter table public.change_lines enable row level security;
create policy "who sees how texts were written reads what changed in them" on public.change_lines
  for select to authenticated
  using (workspace_id in (select private.my_open_workspaces()));
create trigger a_refuse_others before insert or update or delete or truncate on public.change_lines
  for each statement execute function private.refuse_others();
alter table public.change_lines enable always trigger a_refuse_others;
select private.register_cache('public.change_lines');
revoke all on public.change_lines from public, anon, authenticated, service_role;
grant select on public.change_lines to authenticated, service_role;
do $$
declare
  it record;
begin
  for it in
    select a.attname as name from pg_catalog.pg_attribute a
    where a.attrelid = 'public.change_lines'::regclass and a.attnum > 0
  loop
    execute format('alter table public.change_lines alter column %I set statistics 0', it.name);
  end loop;
end
$$;

-- Documents whose lines are behind their log. A mark is taken for five minutes; it goes when the
-- lines are written, and is left alone after three tries until something happens again. A process
-- that ended meanwhile says nothing of the document, so it was no try.
create table private.stale_lines (
  marked_at timestamptz not null default now(),
  taken_at timestamptz,
  tries int not null default 0,
  stream_id uuid primary key
);

-- Marks a document whenever its workspace is told of it: with every event but edits, and with these
-- once in five seconds at most, so that a keystroke costs nothing more.
create function private.mark_stale_lines() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into private.stale_lines as known (stream_id) values (new.id)
  on conflict (stream_id) do update set tries = 0, taken_at = null, marked_at = now() where known.tries >= 3;
  return null;
end;
$$;
create trigger c_mark_stale_lines after update of announced_at on private.streams for each row
  when (new.kind = 'document') execute function private.mark_stale_lines();
alter table private.streams enable always trigger c_mark_stale_lines;
-- Documents from before there were lines.
insert into private.stale_lines (stream_id) select s.id from private.streams s where s.kind = 'document';

-- Takes documents whose lines are behind, those marked first before the others: [id …]. None is
-- younger than `settled`, by when edits that came behind the mark have left another; and a long
-- history, which takes longer to be read, waits longer. Service only.
create function public.take_stale_lines(max_count int default 8, settled interval default '6 seconds') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  with due as (
    select q.stream_id from private.stale_lines q join private.streams s on s.id = q.stream_id
    where q.tries < 3 and (q.taken_at is null or q.taken_at < now() - interval '5 minutes')
      and q.marked_at <= now() - settled - least(s.version * interval '2 milliseconds', interval '10 minutes')
    -- One that was tried in vain, or with which a process ended, waits for those that have not been tried.
    order by q.tries, q.taken_at nulls first, q.marked_at
    limit greatest(0, least(max_count, 64)) for update of q skip locked
  ), marked as (
    update private.stale_lines q set taken_at = now()
    from due where q.stream_id = due.stream_id returning q.stream_id
  )
  select coalesce(jsonb_agg(marked.stream_id), '[]') into taken from marked;
  return taken;
end;
$$;

-- Keeps the lines of a document from the session that begins behind a version on, in place of those
-- it had from there: [{ actor, from, to, began, at, added, removed, changes, parts } …]. `head` is
-- the hash (hex) of the event up to which the log was read for it. Like an append it locks its
-- stream before anything else. Of one document the 2000 newest lines are kept. Service only.
create function public.write_lines(stream uuid, after_version bigint, seen bigint, head text, lines jsonb)
returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  own private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  select s.* into own from private.streams s where s.id = stream and s.kind = 'document' for share;
  if own.id is null or not exists (
    select from public.events e where e.stream_id = stream and e.version = seen and encode(e.hash, 'hex') = head
  ) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the lines were derived from');
  end if;
  delete from public.change_lines c where c.stream_id = stream and c.from_version > after_version;
  insert into public.change_lines (stream_id, workspace_id, version, actor_id, from_version, to_version,
    began_at, ended_at, added, removed, changes, parts)
  select stream, own.workspace_id, seen, l.actor, l."from", l."to", l.began, l.at, l.added, l.removed,
    l.changes, l.parts
  from jsonb_to_recordset(lines) as l(actor uuid, "from" bigint, "to" bigint, began timestamptz,
    at timestamptz, added int, removed int, changes int, parts jsonb)
  on conflict (stream_id, from_version) do nothing;
  delete from public.change_lines c where c.stream_id = stream and c.from_version in (
    select old.from_version from public.change_lines old where old.stream_id = stream
    order by old.from_version desc offset 2000);
  if own.version = seen and own.announced_at < clock_timestamp() - interval '5 seconds' then
    delete from private.stale_lines q where q.stream_id = stream;
  else
    -- Edits leave no mark for five seconds after their workspace was told of the document.
    update private.stale_lines q set taken_at = null, tries = 0, marked_at = now() where q.stream_id = stream;
  end if;
end;
$$;

-- Gives back documents that were taken, and whose lines could not be derived for a reason that passes:
-- they may be taken again in some seconds. Those that `failed` have been tried in vain, and stay taken
-- for their five minutes. Service only.
create function public.return_stale_lines(documents uuid[], failed uuid[] default '{}') returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  update private.stale_lines q set taken_at = null, marked_at = now()
  where q.stream_id = any (documents) and q.taken_at is not null;
  update private.stale_lines q set tries = q.tries + 1
  where q.stream_id = any (failed) and q.taken_at is not null;
end;
$$;
revoke execute on all functions in schema private from public;
revoke execute on function public.take_stale_lines(int, interval), public.return_stale_lines(uuid[], uuid[]),
  public.write_lines(uuid, bigint, bigint, text, jsonb) from public, anon, authenticated;
grant execute on function public.take_stale_lines(int, interval), public.return_stale_lines(uuid[], uuid[]),
  public.write_lines(uuid, bigint, bigint, text, jsonb) to service_role;
