-- Files, and the pictures of people. The bytes are in Storage: files in the bucket `files` at `<workspace>/<sha256>`,
-- with smaller versions of an image at `<workspace>/<sha256>.<width>`; uploads in `uploads` until the service has
-- checked them; pictures of people in `avatars` at `<person>/<picture>`. The buckets have no policy: only the service
-- reads and writes them, and it checks the rights of its caller each time. A signed URL would outlive the membership
-- of the person who requested it.
insert into storage.buckets (id, name, public, file_size_limit) values
  ('files', 'files', false, 26214400),
  ('uploads', 'uploads', false, 26214400),
  ('avatars', 'avatars', false, 262144);

-- The files of documents, a projection of the log; redacted and purged files have no row.
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
create index files_by_actor on private.files (actor_id, workspace_id, sha256);

-- The bytes that a workspace has stored. An object counts once, however many documents show it.
create table private.file_usage (
  bytes bigint not null,
  workspace_id uuid primary key
);

-- The bytes of the files that an account has added, each counted once in a workspace.
create table private.account_file_usage (
  user_id uuid primary key,
  bytes bigint not null
);

-- Objects that no document uses any more, until the service has deleted them. They cannot be attached.
create table private.pending_deletions (
  since timestamptz not null default now(),
  -- When a run took it. No other run takes it for ten minutes, since two runs could delete a file uploaded again.
  taken_at timestamptz,
  workspace_id uuid not null,
  sha256 text not null,
  primary key (workspace_id, sha256)
);

-- Uploads that have begun and not ended. Until they are checked, their bytes are in Storage, outside every quota. A
-- person may have a limited number (`account_uploads`) within a day; a retried upload keeps its row.
create table private.open_uploads (
  begun_at timestamptz not null default now(),
  user_id uuid not null,
  file uuid not null,
  -- The one-time address that accepts this upload, and when it was used; null for a row without sent bytes.
  address uuid,
  sent_at timestamptz,
  -- The announced size and hash.
  bytes bigint,
  sha256 text,
  primary key (user_id, file)
);
create index open_uploads_by_age on private.open_uploads (begun_at);

revoke all on private.files, private.file_usage, private.account_file_usage, private.pending_deletions,
  private.open_uploads from public, anon, authenticated, service_role;

-- Adds to the bytes that a workspace has stored.
create function private.count_file(workspace uuid, more bigint) returns void
language sql set search_path = '' as $$
  insert into private.file_usage as known (workspace_id, bytes) values (workspace, more)
  on conflict (workspace_id) do update set bytes = known.bytes + excluded.bytes
$$;

-- Adds to the bytes of the files that a person has added.
create function private.count_account_file(person uuid, more bigint) returns void
language sql set search_path = '' as $$
  insert into private.account_file_usage as known (user_id, bytes) values (person, more)
  on conflict (user_id) do update set bytes = known.bytes + excluded.bytes
$$;

-- Refuses a file whose bytes are not stored, or that would exceed the quota of its workspace or of the person who adds
-- it.
create function private.check_file(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  own uuid;
  hash text := body ->> 'sha256';
  person uuid := auth.uid();
begin
  select s.workspace_id into own from private.streams s where s.id = stream;
  -- Locks the workspace's counter, so that no object of it is queued for deletion before the file is recorded.
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
  if not exists (select from private.files f where f.actor_id = person and f.workspace_id = own and f.sha256 = hash)
    and coalesce((select u.bytes from private.account_file_usage u where u.user_id = person), 0)
      + (body ->> 'bytes')::bigint > private.most('account_file_bytes') then
    perform private.refuse_limit('account_file_bytes');
  end if;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('file.attached', 'check_file');

-- Projects a file. A redacted event has an empty name and gets no row.
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

-- Counts the bytes of new rows for the people who added them, each object once for a person and workspace.
create function private.after_files_came() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.count_account_file(a.actor_id, a.bytes)
  from (select n.actor_id, n.workspace_id, n.sha256, n.bytes, count(*) as here from added n group by 1, 2, 3, 4) a
  where a.here = (select count(*) from private.files f
    where f.actor_id = a.actor_id and f.workspace_id = a.workspace_id and f.sha256 = a.sha256);
  return null;
end;
$$;
create trigger after_files_came after insert on private.files referencing new table as added
  for each statement execute function private.after_files_came();

-- Subtracts the bytes of deleted rows, and queues objects without a row for deletion in the transaction that deleted
-- the last row, so that the file is not served from then on. It handles all rows of a statement at once: a row-level
-- trigger would count each of several rows of the same object as the last one.
create function private.after_files_gone() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform private.count_file(g.workspace_id, -g.bytes)
  from (select distinct o.workspace_id, o.sha256, o.bytes from gone o) g
  where not exists (select from private.files f where f.workspace_id = g.workspace_id and f.sha256 = g.sha256);
  perform private.count_account_file(g.actor_id, -g.bytes)
  from (select distinct o.actor_id, o.workspace_id, o.sha256, o.bytes from gone o) g
  where not exists (select from private.files f
    where f.actor_id = g.actor_id and f.workspace_id = g.workspace_id and f.sha256 = g.sha256);
  insert into private.pending_deletions (workspace_id, sha256)
  select distinct o.workspace_id, o.sha256 from gone o
  where not exists (select from private.files f where f.workspace_id = o.workspace_id and f.sha256 = o.sha256)
  on conflict do nothing;
  return null;
end;
$$;
create trigger after_files_gone after delete on private.files referencing old table as gone
  for each statement execute function private.after_files_gone();

-- Deletes the files of a purged document.
create function private.project_files_purge(e public.events, body jsonb) returns void
language sql set search_path = '' as $$
  delete from private.files f where f.document_id = e.stream_id
$$;
insert into private.projection_hooks (event_type, function) values
  ('file.attached', 'project_file'),
  ('document.purged', 'project_files_purge');

-- The attachments of a file that the caller may see, oldest first: [{ document, workspace, sha256, bytes, type, name,
-- width, height, redactedAt, open }]. `open` is false for a document whose history the caller may not read; the service
-- then checks whether the text that the caller may read shows the file.
create function public.find_file(file uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('document', f.document_id, 'workspace', f.workspace_id,
    'sha256', f.sha256, 'bytes', f.bytes, 'type', f.type, 'name', f.name, 'width', f.width, 'height', f.height,
    'redactedAt', s.redacted_at,
    'open', f.workspace_id in (select private.my_open_workspaces())) order by f.attached_at, f.document_id), '[]')
  from private.files f join private.streams s on s.id = f.document_id
  where f.id = find_file.file and f.workspace_id in (select private.my_workspaces())
$$;

-- The bytes that the files of a workspace use and their limit, { bytes, most }, for its members; null for others.
create function public.file_room(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.file_usage u
    where u.workspace_id = file_room.workspace), 0), 'most', private.most('workspace_file_bytes'))
  where file_room.workspace in (select private.my_workspaces())
$$;

-- The bytes of the files that the caller has added in all workspaces and their limit: { bytes, most }.
create function public.own_file_room() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.account_file_usage u
    where u.user_id = (select auth.uid())), 0), 'most', private.most('account_file_bytes'))
  where (select auth.uid()) is not null
$$;

-- Begins or continues a person's upload of a file; false if too many are open. Service only.
create function public.begin_upload(person uuid, file uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service begins uploads');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(person::text, 7));
  delete from private.open_uploads u where u.begun_at < now() - interval '1 day';
  if exists (select from private.open_uploads u where u.user_id = person and u.file = begin_upload.file) then
    return true;
  end if;
  if (select count(*) from private.open_uploads u where u.user_id = person) >= private.most('account_uploads') then
    return false;
  end if;
  insert into private.open_uploads (user_id, file) values (person, begin_upload.file);
  return true;
end;
$$;

-- Begins or restarts sending a person's file. Returns the only address that accepts it from now on, or null if too many
-- uploads are open. Service only.
create function public.begin_sending(person uuid, file uuid, bytes bigint, sha256 text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  fresh uuid := gen_random_uuid();
begin
  -- begin_upload refuses every caller but the service.
  if not public.begin_upload(person, begin_sending.file) then
    return null;
  end if;
  update private.open_uploads u
    set address = fresh, sent_at = null, bytes = begin_sending.bytes, sha256 = begin_sending.sha256
    where u.user_id = person and u.file = begin_sending.file;
  return fresh;
end;
$$;

-- Uses up an address. Returns the number of bytes that may be sent to it, or null if it was used or its upload has
-- ended. Service only.
create function public.take_address(object_name text, address uuid) returns bigint
language plpgsql security definer set search_path = '' as $$
declare
  announced bigint;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service takes uploads');
  end if;
  if object_name !~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$' then
    return null;
  end if;
  update private.open_uploads u set sent_at = now()
    where u.user_id = split_part(object_name, '/', 1)::uuid and u.file = split_part(object_name, '/', 2)::uuid
      and u.address = take_address.address and u.sent_at is null and u.begun_at > now() - interval '1 day'
    returning u.bytes into announced;
  return announced;
exception when invalid_text_representation then
  return null;
end;
$$;

-- The announced size and hash of a person's upload; null if none is open. Service only.
create function public.announced_upload(person uuid, file uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service takes uploads');
  end if;
  return (select jsonb_build_object('bytes', u.bytes, 'sha256', u.sha256) from private.open_uploads u
    where u.user_id = person and u.file = announced_upload.file);
end;
$$;

-- Ends an upload whose bytes are no longer in the bucket `uploads`. Service only.
create function public.end_upload(person uuid, file uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service ends uploads');
  end if;
  delete from private.open_uploads u where u.user_id = person and u.file = end_upload.file;
end;
$$;

-- Queues an object for deletion after its event was refused, unless a document uses it. Service only.
create function public.mark_unused_file(workspace uuid, sha256 text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  perform from private.feeds w where w.workspace_id = mark_unused_file.workspace for update;
  insert into private.pending_deletions (workspace_id, sha256)
  select mark_unused_file.workspace, mark_unused_file.sha256
  where not exists (select from private.files f
    where f.workspace_id = mark_unused_file.workspace and f.sha256 = mark_unused_file.sha256)
  on conflict do nothing;
end;
$$;

-- Returns the objects to delete: [{ bucket, names, workspace, sha256, takenAt, orphaned }]. It first queues objects in
-- `files` that are older than a day and that no document uses, each under its workspace's lock, which every append
-- takes; then it takes queued objects. It adds objects in `uploads` that are older than a day or belong to no open
-- upload, in random order, since some deletions may fail repeatedly. Service only.
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
      -- Queued objects are taken below and must not use up the limit here.
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
    -- In milliseconds, the precision that every client can send back.
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
      -- Sent to an address whose upload has ended, so no quota counts it.
      or not exists (select from private.open_uploads u where u.user_id::text || '/' || u.file::text = o.name))
    order by random() limit most)
  ) as one;
  return answer;
end;
$$;

-- Whether the run that took a file at `taken_at` may still delete it: for four minutes, well before another run may
-- take it. Service only.
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

-- Records that the objects of a file are deleted, for the run that took it at `taken_at`. Service only.
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

-- Refuses a picture that is not stored for this person, or that was stored more than ten minutes ago and may be about
-- to be deleted.
create function private.check_picture(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if body ->> 'picture' is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'avatars' and o.name = stream::text || '/' || (body ->> 'picture')
      and o.created_at > now() - interval '10 minutes'
  ) then
    perform private.refuse('invalid-event', 'file-missing', 'no such picture is stored for this person');
  end if;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('account.picture_set', 'check_picture');

-- Projects the picture of a person. private.name_member copies it into their memberships.
create function private.project_picture(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  update public.accounts a set picture = (body ->> 'picture')::uuid where a.user_id = e.stream_id;
end;
$$;
insert into private.projection_hooks (event_type, function) values
  ('account.picture_set', 'project_picture'),
  ('account.deleted', 'project_picture');

-- The names of stored pictures that no account uses: replaced, removed, or never recorded. Skips pictures young enough
-- to be recorded. Service only.
create function public.read_unused_pictures(max_count int default 50) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service deletes files');
  end if;
  return (select coalesce(jsonb_agg(unused.name), '[]') from (
    select o.name from storage.objects o
    where o.bucket_id = 'avatars' and o.created_at < now() - interval '15 minutes'
      and not exists (select from public.accounts a
        where a.user_id::text = split_part(o.name, '/', 1) and a.picture::text = split_part(o.name, '/', 2))
    -- Random order, since some deletions may fail repeatedly.
    order by random() limit greatest(0, least(coalesce(max_count, 50), 200))
  ) as unused);
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.find_file(uuid), public.file_room(uuid) from public, anon;
revoke execute on function public.own_file_room() from public, anon, authenticated;
grant execute on function public.find_file(uuid), public.file_room(uuid), public.own_file_room()
  to authenticated, service_role;
revoke execute on function public.begin_upload(uuid, uuid), public.begin_sending(uuid, uuid, bigint, text),
  public.take_address(text, uuid), public.announced_upload(uuid, uuid), public.end_upload(uuid, uuid),
  public.mark_unused_file(uuid, text), public.read_disposable(int), public.may_dispose(uuid, text, timestamptz),
  public.forget_disposed(uuid, text, timestamptz), public.read_unused_pictures(int)
  from public, anon, authenticated;
grant execute on function public.begin_upload(uuid, uuid), public.begin_sending(uuid, uuid, bigint, text),
  public.take_address(text, uuid), public.announced_upload(uuid, uuid), public.end_upload(uuid, uuid),
  public.mark_unused_file(uuid, text), public.read_disposable(int), public.may_dispose(uuid, text, timestamptz),
  public.forget_disposed(uuid, text, timestamptz), public.read_unused_pictures(int)
  to service_role;
