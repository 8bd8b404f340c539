-- Maintenance that is interrupted. A process that was killed took the marks of documents with it, and counted as a try
-- of theirs; a deletion of files that took long could delete what was brought anew meanwhile; and some that failed each
-- time kept others from their turn.

-- When a mark was taken: it goes when the document was kept up, and is another's to take after fifteen minutes.
alter table private.upkeep add column taken_at timestamptz;

-- Marks a document; one whose mark is taken once more, for whoever took it may have read it before this.
create function private.need_upkeep(stream uuid) returns void
language sql set search_path = '' as $$
  insert into private.upkeep as known (stream_id) values (stream)
  on conflict (stream_id) do update set taken_at = null, marked_at = now() where known.taken_at is not null
$$;

-- Counts one payload against the limits of its document. What only deletes is always possible; in a
-- full document it marks the document for a measurement, because that makes room.
create or replace function private.count_payload(e public.events, body text, update bytea) returns void
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
      -- What is redacted may have been what was too much.
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

-- Deletes a document's snapshots and segments, to have them computed again from the log. For who may edit it.
create or replace function public.renew_caches(stream uuid) returns void
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
  -- Whoever is writing a segment at this moment writes it before, or over nothing.
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  delete from public.snapshots s where s.stream_id = stream;
  delete from public.segments s where s.stream_id = stream;
  perform private.need_upkeep(stream);
end;
$$;

-- Marks a document for maintenance with every 32nd version.
create or replace function private.mark_grown_stream() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.need_upkeep(new.id);
  return null;
end;
$$;

-- Marks a document for maintenance with every large update.
create or replace function private.mark_heavy_payload() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.need_upkeep(e.stream_id)
  from public.events e where e.id = new.event_id and e.stream_kind = 'document';
  return null;
end;
$$;

-- Takes the marks of at most so many documents, those marked first before the others, and none that is younger than
-- `settled`: [{ id, takenAt }]. Each is given to one caller, and after fifteen minutes to another, for a process
-- may end with it. Stops whose time is over are lifted with that. Service only.
create or replace function public.take_upkeep(max_count int default 8, settled interval default '10 seconds')
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  -- Before any mark is taken, and waiting for nobody: an append holds its stream while it marks it.
  update private.streams s set stopped_at = null, stopped_until = null
  where s.id in (select over.id from private.streams over where over.stopped_until <= now() for update skip locked);
  with marked as (
    update private.upkeep u set taken_at = now() where u.stream_id in (
      select w.stream_id from private.upkeep w
      where w.marked_at <= now() - settled and (w.taken_at is null or w.taken_at < now() - interval '15 minutes')
      -- One with which a process ended waits for the others.
      order by w.taken_at nulls first, w.marked_at
      limit greatest(0, least(max_count, 64)) for update skip locked
    ) returning u.stream_id, u.taken_at
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', marked.stream_id, 'takenAt', marked.taken_at)), '[]')
  into taken from marked;
  return taken;
end;
$$;

-- Takes the mark of a document away that was kept up, for the run that took it at that time: one that was made anew
-- meanwhile stays. Service only.
create function public.settle_upkeep(stream uuid, taken_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps documents up');
  end if;
  delete from private.upkeep u where u.stream_id = settle_upkeep.stream and u.taken_at = settle_upkeep.taken_at;
end;
$$;

-- Marks documents again whose maintenance could not be done. Service only.
create or replace function public.mark_upkeep(streams uuid[]) returns void
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

-- Takes documents whose lines are behind, those marked first before the others: [id …]. None is
-- younger than `settled`, by when edits that came behind the mark have left another; and a long
-- history, which takes longer to be read, waits longer. Service only.
create or replace function public.take_stale_lines(max_count int default 8, settled interval default '6 seconds')
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

drop function public.return_stale_lines(uuid[]);
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

-- Finds objects that no document uses, and uploads that nobody came back for, a day after they were
-- stored; the former are queued for deletion first, each in a transaction with its workspace's lock, which every
-- append takes. Answers what is to be deleted: [{ bucket, names, workspace, sha256, takenAt, orphaned }]; of uploads
-- any of those there are, for some may fail to be deleted time and again. Service only.
create or replace function public.read_disposable(max_count int default 50) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  most int := greatest(0, least(coalesce(max_count, 50), 200));
  orphan record;
  found_orphans text[] := '{}';
  answer jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  for orphan in
    select distinct split_part(o.name, '/', 1)::uuid as workspace,
      split_part(split_part(o.name, '/', 2), '.', 1) as hash
    from storage.objects o
    where o.bucket_id = 'files' and coalesce(o.updated_at, o.created_at) < now() - interval '1 day'
      and o.name ~ '^[0-9a-f-]{36}/[0-9a-f]{64}(\.\d+)?$'
      and not exists (select from private.files f where f.workspace_id = split_part(o.name, '/', 1)::uuid
        and f.sha256 = split_part(split_part(o.name, '/', 2), '.', 1))
      -- Those queued already have their turn below; they must not take that of others here.
      and not exists (select from private.pending_deletions d
        where d.workspace_id = split_part(o.name, '/', 1)::uuid
          and d.sha256 = split_part(split_part(o.name, '/', 2), '.', 1))
    limit most
  loop
    perform from private.feeds w where w.workspace_id = orphan.workspace for update;
    if not exists (
      select from private.files f where f.workspace_id = orphan.workspace and f.sha256 = orphan.hash
    ) then
      insert into private.pending_deletions (workspace_id, sha256) values (orphan.workspace, orphan.hash)
      on conflict do nothing;
      if found then
        found_orphans := found_orphans || (orphan.workspace::text || '/' || orphan.hash);
      end if;
    end if;
  end loop;
  with taken as (
    -- In milliseconds, which are as much as every client can give back.
    update private.pending_deletions d set taken_at = date_trunc('milliseconds', now())
    where (d.workspace_id, d.sha256) in (
      select waiting.workspace_id, waiting.sha256 from private.pending_deletions waiting
      where waiting.taken_at is null or waiting.taken_at < now() - interval '10 minutes'
      order by waiting.since limit most for update skip locked)
    returning d.workspace_id, d.sha256, d.taken_at
  )
  select coalesce(jsonb_agg(one.entry), '[]') into answer from (
    (select jsonb_build_object('bucket', 'files', 'workspace', d.workspace_id, 'sha256', d.sha256,
      'takenAt', d.taken_at, 'orphaned',
      d.workspace_id::text || '/' || d.sha256 = any (found_orphans), 'names',
      (select coalesce(jsonb_agg(o.name), '[]') from storage.objects o where o.bucket_id = 'files'
        and (o.name = d.workspace_id::text || '/' || d.sha256
          or o.name like d.workspace_id::text || '/' || d.sha256 || '.%'))) as entry
    from taken d)
    union all
    (select jsonb_build_object('bucket', 'uploads', 'workspace', null, 'sha256', null, 'takenAt', null,
      'orphaned', true,
      'names', jsonb_build_array(o.name))
    from storage.objects o where o.bucket_id = 'uploads' and (o.created_at < now() - interval '1 day'
      -- Sent to an address whose upload has ended: nobody counts it.
      or not exists (select from private.open_uploads u where u.user_id::text || '/' || u.file::text = o.name))
    order by random() limit most)
  ) as one;
  return answer;
end;
$$;

-- Whether the run that took a file at that time may still delete it: nobody else has taken it, and its time ends long
-- before anybody could. Service only.
create function public.may_dispose(workspace uuid, sha256 text, taken_at timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  return exists (select from private.pending_deletions d
    where d.workspace_id = may_dispose.workspace and d.sha256 = may_dispose.sha256
      and d.taken_at = may_dispose.taken_at and d.taken_at > now() - interval '4 minutes');
end;
$$;

drop function public.forget_disposed(uuid, text);
-- Says that the objects of a file are deleted, for the run that took it at that time. Service only.
create function public.forget_disposed(workspace uuid, sha256 text, taken_at timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  delete from private.pending_deletions d
  where d.workspace_id = forget_disposed.workspace and d.sha256 = forget_disposed.sha256
    and d.taken_at = forget_disposed.taken_at;
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.settle_upkeep(uuid, timestamptz), public.return_stale_lines(uuid[], uuid[]),
  public.may_dispose(uuid, text, timestamptz), public.forget_disposed(uuid, text, timestamptz)
  from public, anon, authenticated;
grant execute on function public.settle_upkeep(uuid, timestamptz), public.return_stale_lines(uuid[], uuid[]),
  public.may_dispose(uuid, text, timestamptz), public.forget_disposed(uuid, text, timestamptz) to service_role;
