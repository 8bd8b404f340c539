-- Images and files. Their bytes lie in Storage, in the bucket `files` at `<workspace>/<sha256>`, and
-- smaller pictures of an image beside them, at `<workspace>/<sha256>.<width>`; `uploads` holds what
-- people bring, as long as the service has not looked at it. Both buckets have no policy: the
-- service alone reads and writes them, and asks for everybody's rights each time. A signed address
-- of Storage would outlive the membership of whoever made it.
insert into storage.buckets (id, name, public, file_size_limit) values
  ('files', 'files', false, 26214400),
  ('uploads', 'uploads', false, 26214400);

insert into private.limits (name, most) values ('workspace_file_bytes', 5368709120);

-- The files of documents, as a projection of the log; what was redacted or purged has no row.
create table private.files (
  version bigint not null,
  bytes bigint not null,
  attached_at timestamptz not null,
  width int,
  height int,
  id uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  workspace_id uuid not null,
  actor_id uuid not null,
  sha256 text not null,
  type text not null,
  name text not null,
  primary key (document_id, id)
);
create index files_by_id on private.files (id);
create index files_by_object on private.files (workspace_id, sha256);

-- What each workspace has stored: every object once, however many documents show it.
create table private.file_usage (
  bytes bigint not null,
  workspace_id uuid primary key
);

-- Objects that no document uses any more, until the service has deleted them. None of these can be attached.
create table private.pending_deletions (
  since timestamptz not null default now(),
  -- When a run took it, which for ten minutes no other does: it could delete a file that was brought anew.
  taken_at timestamptz,
  workspace_id uuid not null,
  sha256 text not null,
  primary key (workspace_id, sha256)
);
revoke all on private.files, private.file_usage, private.pending_deletions
  from public, anon, authenticated, service_role;

-- Uploads that were begun and have not ended: what somebody sends lies in Storage until it is looked
-- at, outside every quota. Each person has room for so many within a day; one that is tried again
-- keeps its own.
create table private.open_uploads (
  begun_at timestamptz not null default now(),
  user_id uuid not null,
  file uuid not null,
  primary key (user_id, file)
);
create index open_uploads_by_age on private.open_uploads (begun_at);
revoke all on private.open_uploads from public, anon, authenticated, service_role;

-- Counts an object for its workspace, or no longer.
create function private.count_file(workspace uuid, more bigint) returns void
language sql set search_path = '' as $$
  insert into private.file_usage as known (workspace_id, bytes) values (workspace, more)
  on conflict (workspace_id) do update set bytes = known.bytes + excluded.bytes
$$;

-- Refuses a file whose bytes are not stored, or for which the workspace has no room.
create function private.check_file(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  own uuid;
  hash text := body ->> 'sha256';
begin
  select s.workspace_id into own from private.streams s where s.id = stream;
  -- From here on nothing of this workspace is put down for deletion until the file is recorded.
  perform from private.feeds w where w.workspace_id = own for update;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'files' and o.name = own::text || '/' || hash
      and (o.metadata ->> 'size')::bigint = (body ->> 'bytes')::bigint
      and o.metadata ->> 'mimetype' = body ->> 'type'
  ) or exists (select from private.pending_deletions d where d.workspace_id = own and d.sha256 = hash) then
    perform private.refuse('invalid-event', 'file-missing', 'no such file is stored in this workspace');
  end if;
  if not exists (select from private.files f where f.workspace_id = own and f.sha256 = hash)
    and coalesce((select u.bytes from private.file_usage u where u.workspace_id = own), 0) + (body ->> 'bytes')::bigint
      > private.most('workspace_file_bytes') then
    perform private.refuse_limit('workspace_file_bytes');
  end if;
end;
$$;

-- Projects a file; one of which a redaction has left no name has no row.
create function private.project_file(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if body ->> 'name' = '' then
    return;
  end if;
  if not exists (
    select from private.files f where f.workspace_id = e.workspace_id and f.sha256 = body ->> 'sha256'
  ) then
    perform private.count_file(e.workspace_id, (body ->> 'bytes')::bigint);
  end if;
  insert into private.files
    (version, bytes, attached_at, width, height, id, document_id, workspace_id, actor_id, sha256, type, name)
  values (e.version, (body ->> 'bytes')::bigint, e.recorded_at, (body ->> 'width')::int, (body ->> 'height')::int,
    e.subject_id, e.stream_id, e.workspace_id, e.actor_id, body ->> 'sha256', body ->> 'type', body ->> 'name');
  delete from private.pending_deletions d where d.workspace_id = e.workspace_id and d.sha256 = body ->> 'sha256';
end;
$$;

-- Keeps count of the objects that rows name, and puts down for deletion those that none names any more: in the
-- transaction that took the last row, so that nothing is given out from then on.
create function private.after_file_gone() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from private.files f where f.workspace_id = old.workspace_id and f.sha256 = old.sha256
  ) then
    perform private.count_file(old.workspace_id, -old.bytes);
    insert into private.pending_deletions (workspace_id, sha256) values (old.workspace_id, old.sha256)
    on conflict do nothing;
  end if;
  return null;
end;
$$;
create trigger after_file_gone after delete on private.files for each row execute function private.after_file_gone();

-- Takes the files of a document away with it.
create function private.project_files_purge(e public.events, body jsonb) returns void
language sql set search_path = '' as $$
  delete from private.files f where f.document_id = e.stream_id
$$;
insert into private.meaning_hooks (event_type, function) values ('file.attached', 'check_file');
insert into private.projection_hooks (event_type, function) values
  ('file.attached', 'project_file'),
  ('document.purged', 'project_files_purge');

-- Takes the words out of the read models as a projection of what is left would: only where nothing
-- later has replaced them. A file goes with the event that brought it.
create or replace function private.project_redaction(e public.events) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    update public.threads set quote = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type = 'file.attached' then
    delete from private.files f where f.document_id = e.stream_id and f.id = e.subject_id;
  elsif exists (
    select from public.events later
    where later.stream_id = e.stream_id and later.version > e.version
      and later.subject_kind = e.subject_kind and later.subject_id = e.subject_id
      and later.type in ('document.renamed', 'version.renamed', 'comment.edited', 'comment.deleted')
  ) then
    return;
  elsif e.type in ('comment.added', 'comment.edited') then
    update public.comments set text = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('version.named', 'version.renamed') then
    update public.versions set name = '' where document_id = e.stream_id and id = e.subject_id;
  elsif e.type in ('document.created', 'document.renamed') then
    update public.documents set title = '' where id = e.stream_id;
  end if;
end;
$$;

-- Where a file is attached that the caller may see: [{ document, workspace, sha256, bytes, type, name, width, height,
-- open }], the first attachment first. `open` is false of a document whose history the caller may
-- not read: there the service looks whether the text that they read shows the file.
create function public.find_file(file uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('document', f.document_id, 'workspace', f.workspace_id,
    'sha256', f.sha256, 'bytes', f.bytes, 'type', f.type, 'name', f.name, 'width', f.width, 'height', f.height,
    'redactedAt', s.redacted_at,
    'open', f.workspace_id in (select private.my_open_workspaces())) order by f.attached_at, f.document_id), '[]')
  from private.files f join private.streams s on s.id = f.document_id
  where f.id = find_file.file and f.workspace_id in (select private.my_workspaces())
$$;

-- How many bytes the files of a workspace take and how many they may, for its members; null for everybody else.
create function public.file_room(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.file_usage u
    where u.workspace_id = file_room.workspace), 0), 'most', private.most('workspace_file_bytes'))
  where file_room.workspace in (select private.my_workspaces())
$$;

-- Finds objects that no document uses, and uploads that nobody came back for, a day after they were
-- stored; the former are put down for deletion first, each in a transaction with its workspace's lock, which every
-- append takes. Answers what is to be deleted: [{ bucket, names, workspace, sha256, takenAt, orphaned }]; of uploads
-- any of those there are, for some may fail to be deleted time and again. Service only.
create function public.read_disposable(max_count int default 50) returns jsonb
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
      -- Those put down already have their turn below; they must not take that of others here.
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
revoke execute on function public.find_file(uuid), public.file_room(uuid) from public, anon;
grant execute on function public.find_file(uuid), public.file_room(uuid) to authenticated, service_role;
revoke execute on function public.read_disposable(int), public.may_dispose(uuid, text, timestamptz),
  public.forget_disposed(uuid, text, timestamptz) from public, anon, authenticated;
grant execute on function public.read_disposable(int), public.may_dispose(uuid, text, timestamptz),
  public.forget_disposed(uuid, text, timestamptz) to service_role;
