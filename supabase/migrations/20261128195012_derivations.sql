-- Derived text: the change lines of each session and the links between documents. Text is in Yjs updates, which SQL
-- cannot read, so the service derives these tables from the log. They are caches: a redaction deletes their rows in its
-- own transaction, and they may be derived again at any time.

-- Whether derived rows cover the newest event of their stream. Only then may restricted readers see their text.
create function private.is_current(stream uuid, derived_version bigint) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.streams s where s.id = is_current.stream and s.version <= derived_version)
$$;

-- The rule (the version of the code) by which each kind of row was derived. Each process declares its own, and the
-- first one with a newer rule has all rows of the kind derived again.
create table private.derived_rules (
  kind text primary key check (kind in ('lines', 'search')),
  rule integer not null check (rule > 0)
);

-- Stores the rule of a kind. For a first or newer rule it returns true and has all rows of the kind derived again.
-- Service only.
create function public.derive_by(kind text, rule integer) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives');
  end if;
  insert into private.derived_rules as known (kind, rule) values (derive_by.kind, derive_by.rule)
  on conflict (kind) do update set rule = excluded.rule where known.rule < excluded.rule;
  if not found then
    return false;
  end if;
  if derive_by.kind = 'lines' then
    insert into private.stale_lines (stream_id) select distinct c.stream_id from public.change_lines c
    on conflict (stream_id) do update set taken_at = null, tries = 0, marked_at = now();
    delete from public.change_lines c where c.version >= 0;
  else
    delete from private.search_states s where s.version >= 0;
    update private.search_workspaces w set position = 0 where w.position > 0;
  end if;
  return true;
end;
$$;

-- Change lines: what a person did in a document in one session, as data.
create table public.change_lines (
  -- The versions of the first and the last event, and the head of the log when the service read it.
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

-- Documents whose lines are behind their log. A mark is taken for five minutes and removed once the lines are written.
-- After three failed tries it is skipped until the document changes again.
create table private.stale_lines (
  marked_at timestamptz not null default now(),
  taken_at timestamptz,
  tries int not null default 0,
  stream_id uuid primary key
);

-- Marks a document whenever private.announce broadcasts it to its workspace: for edits at most once in five seconds, so
-- that a keystroke costs nothing more.
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

-- Takes documents whose lines are behind, the oldest marks first: [id …]. Marks younger than `settled` stay, since
-- edits after an announcement leave no mark for five seconds. Long histories take longer to read and wait longer: 2 ms
-- for each version, at most ten minutes. Service only.
create function public.take_stale_lines(max_count int default 8, settled interval default '6 seconds')
returns jsonb
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
    -- Documents that failed, and those left by an ended process, come after untried ones.
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

-- Replaces the lines of a document that begin after a version: [{ actor, from, to, began, at, added, removed, changes,
-- parts } …]. `head` is the hash (hex) of the event `seen`, up to which the log was read. Like an append it locks its
-- stream first. Keeps the 2000 newest lines of a document. Service only.
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
    -- Edits leave no mark for five seconds after an announcement, so the mark stays.
    update private.stale_lines q set taken_at = null, tries = 0, marked_at = now() where q.stream_id = stream;
  end if;
end;
$$;

-- Returns documents whose lines could not be derived for a temporary reason; they may be taken again after a few
-- seconds. `failed` documents count a try and stay taken for their five minutes. Service only.
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

-- Links between documents, with the text around each: a link exists from `from_version` to before `to_version`.
create table private.document_links (
  -- The head of the log when the service read it.
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  from_time timestamptz not null,
  to_time timestamptz check ((to_time is null) = (to_version is null)),
  nth int not null,
  stream_id uuid not null,
  target_id uuid not null,
  -- The hash that addresses use for the block of the link.
  block text not null,
  words_before text not null,
  words_after text not null,
  primary key (stream_id, nth)
);
create index document_links_by_target on private.document_links (target_id);

-- The version up to which the links of a document are known, and when they were stored. `whole` is false if links may
-- be missing: a text that cannot be folded to its end keeps the links known before. `failed_at` pauses a document whose
-- links could not be stored.
create table private.link_states (
  version bigint not null,
  kept_at timestamptz not null default now(),
  failed_at timestamptz,
  whole boolean not null default true,
  stream_id uuid primary key
);

revoke all on private.document_links, private.link_states from public, anon, authenticated, service_role;
select private.register_cache('private.document_links');
select private.register_cache('private.link_states');

-- Whether all links of a document are known for its present text.
create function private.has_current_links(stream uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.link_states k
    where k.stream_id = has_current_links.stream and k.whole and private.is_current(k.stream_id, k.version))
$$;

-- Some documents whose log is ahead of their known links: [{ stream, version, head, links, written }] with the version
-- up to which links are known (0: not at all), the head of the log, the number of known links, and whether the text
-- was written since. Skips documents without a known link unless a later event has a schema with links. Service only.
create function public.read_unlinked(max_count int default 8) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'stream', behind.id, 'version', behind.known, 'head', behind.head,
      'links', (select count(*) from private.document_links l where l.stream_id = behind.id),
      'written', exists (
        select from public.events e join private.schemas s on s.event_type = e.type and s.carries_update
        where e.stream_id = behind.id and e.version > behind.known))), '[]')
    from (
      select s.id, s.version as head, coalesce(k.version, 0) as known
      from private.streams s left join private.link_states k on k.stream_id = s.id
      where s.kind = 'document' and s.version > coalesce(k.version, 0)
        and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
        and (exists (select from private.document_links l where l.stream_id = s.id)
          or exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      -- Random order, so that documents that cannot be read now do not block the others.
      order by random()
      limit greatest(0, least(coalesce(max_count, 8), 64))
    ) as behind
  );
end;
$$;

-- Stores all links of a document as of a version of its log: [{ target, block, before, after, from, fromTime, until,
-- untilTime } …], at most 2000. Null `links` keeps the known ones. `whole` says whether the text was folded to its end;
-- null keeps the stored value. Service only.
create function public.write_links(stream uuid, seen bigint, links jsonb, whole boolean default true)
  returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  -- Locks the stream first, as an append does, so that this and a redaction do not deadlock.
  perform from private.streams s where s.id = stream and s.kind = 'document' and s.version >= seen for share;
  if not found then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 6));
  if seen < (select k.version from private.link_states k where k.stream_id = stream) then
    return;
  end if;
  if links is not null then
    delete from private.document_links l where l.stream_id = stream;
    insert into private.document_links (stream_id, version, nth, target_id, block, words_before, words_after,
      from_version, from_time, to_version, to_time)
    select stream, seen, r.nth, (r.link ->> 'target')::uuid, r.link ->> 'block',
      left(r.link ->> 'before', 200), left(r.link ->> 'after', 200),
      (r.link ->> 'from')::bigint, (r.link ->> 'fromTime')::timestamptz,
      (r.link ->> 'until')::bigint, (r.link ->> 'untilTime')::timestamptz
    from jsonb_array_elements(links) with ordinality as r (link, nth)
    limit 2000;
  end if;
  insert into private.link_states (stream_id, version, whole) values (stream, seen, coalesce(write_links.whole, false))
  on conflict (stream_id) do update
  set version = excluded.version, kept_at = now(), failed_at = null,
    whole = coalesce(write_links.whole, private.link_states.whole);
end;
$$;

-- Pauses a document whose links could not be stored for ten minutes, so that others have their turn. Service only.
create function public.rest_links(stream uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  insert into private.link_states (stream_id, version, kept_at, failed_at, whole)
  select s.id, 0, '-infinity', now(), false from private.streams s where s.id = rest_links.stream
  on conflict (stream_id) do update set failed_at = now();
end;
$$;

-- The links to a document now or, for readers of the linking document's history, at a time: [{ document, title, icon,
-- block, before, after } …], at most 200. Only documents that the caller may read and that are not in the trash count.
-- Empty for callers who may not read the document itself.
create function public.links_to(document uuid, at_time timestamptz default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  with own as (
    select d.id from public.documents d
    where d.id = links_to.document and d.workspace_id in (select private.my_workspaces())
  ), found as (
    select d.id, d.title, d.icon, l.block, l.words_before, l.words_after, l.nth, l.from_time
    from own
    join private.document_links l on l.target_id = own.id and l.stream_id <> own.id
    join public.documents d on d.id = l.stream_id and d.phase = 'live'
    where case when at_time is null
      then l.to_time is null and d.workspace_id in (select private.my_workspaces())
        and (d.workspace_id in (select private.my_open_workspaces()) or private.has_current_links(d.id))
      else l.from_time <= at_time and (l.to_time is null or l.to_time > at_time)
        and d.workspace_id in (select private.my_open_workspaces())
    end
    order by d.updated_at desc, d.id, l.nth
    limit 200
  )
  select coalesce(jsonb_agg(jsonb_build_object('document', f.id, 'title', f.title, 'icon', f.icon, 'block', f.block,
    'before', f.words_before, 'after', f.words_after)), '[]')
  from found f
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.derive_by(text, integer), public.take_stale_lines(int, interval),
  public.return_stale_lines(uuid[], uuid[]), public.write_lines(uuid, bigint, bigint, text, jsonb),
  public.read_unlinked(int), public.write_links(uuid, bigint, jsonb, boolean), public.rest_links(uuid)
  from public, anon, authenticated;
grant execute on function public.derive_by(text, integer), public.take_stale_lines(int, interval),
  public.return_stale_lines(uuid[], uuid[]), public.write_lines(uuid, bigint, bigint, text, jsonb),
  public.read_unlinked(int), public.write_links(uuid, bigint, jsonb, boolean), public.rest_links(uuid)
  to service_role;
revoke execute on function public.links_to(uuid, timestamptz) from public, anon;
grant execute on function public.links_to(uuid, timestamptz) to authenticated, service_role;
