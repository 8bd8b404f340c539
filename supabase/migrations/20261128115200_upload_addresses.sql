-- An address to upload to serves one upload of an announced size; an account has a room for files over all workspaces.
insert into private.limits (name, most) values ('account_file_bytes', 21474836480);

alter table private.open_uploads
  -- Which address serves this upload, and when it was used; null for what is no upload of bytes.
  add column address uuid,
  add column sent_at timestamptz,
  -- What was announced of it.
  add column bytes bigint,
  add column sha256 text;

-- Begins to send a person's file, or begins once more: answers the one address that serves it from now on, null where too
-- many are open. Service only.
create function public.begin_sending(person uuid, file uuid, bytes bigint, sha256 text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  fresh uuid := gen_random_uuid();
begin
  -- Refuses everybody but the service.
  if not public.begin_upload(person, begin_sending.file) then
    return null;
  end if;
  update private.open_uploads u
    set address = fresh, sent_at = null, bytes = begin_sending.bytes, sha256 = begin_sending.sha256
    where u.user_id = person and u.file = begin_sending.file;
  return fresh;
end;
$$;

-- Uses an address up: answers how many bytes may be sent to it, null where it was used or its upload has ended. Service only.
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

-- What was announced of a person's upload: null where none is open. Service only.
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

-- The bytes of the files that an account has added, each counted once in a workspace.
create table private.account_file_usage (
  user_id uuid primary key,
  bytes bigint not null
);
revoke all on private.account_file_usage from public, anon, authenticated, service_role;
create index files_by_actor on private.files (actor_id, workspace_id, sha256);

insert into private.account_file_usage (user_id, bytes)
select own.actor_id, sum(own.bytes)
from (select distinct f.actor_id, f.workspace_id, f.sha256, f.bytes from private.files f) own
group by own.actor_id;

create function private.count_account_file(person uuid, more bigint) returns void
language sql set search_path = '' as $$
  insert into private.account_file_usage as known (user_id, bytes) values (person, more)
  on conflict (user_id) do update set bytes = known.bytes + excluded.bytes
$$;

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

-- Counts what goes with its last document. Of all rows of a statement at once: of several with the same bytes each saw none
-- left, and took them off again.
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
drop trigger after_file_gone on private.files;
drop function private.after_file_gone();
create trigger after_files_gone after delete on private.files referencing old table as gone
  for each statement execute function private.after_files_gone();

-- Refuses a file whose bytes are not stored, or for which its workspace or whoever adds it has no room.
create or replace function private.check_file(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  own uuid;
  hash text := body ->> 'sha256';
  person uuid := auth.uid();
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
  if not exists (select from private.files f where f.actor_id = person and f.workspace_id = own and f.sha256 = hash)
    and coalesce((select u.bytes from private.account_file_usage u where u.user_id = person), 0)
      + (body ->> 'bytes')::bigint > private.most('account_file_bytes') then
    perform private.refuse_limit('account_file_bytes');
  end if;
end;
$$;

-- How many bytes the files take that the caller has added, over all workspaces, and how many they may.
create function public.own_file_room() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', coalesce((select u.bytes from private.account_file_usage u
    where u.user_id = (select auth.uid())), 0), 'most', private.most('account_file_bytes'))
  where (select auth.uid()) is not null
$$;

revoke execute on function public.begin_sending(uuid, uuid, bigint, text), public.take_address(text, uuid),
  public.announced_upload(uuid, uuid), public.own_file_room() from public, anon, authenticated;
grant execute on function public.begin_sending(uuid, uuid, bigint, text), public.take_address(text, uuid),
  public.announced_upload(uuid, uuid) to service_role;
grant execute on function public.own_file_room() to authenticated, service_role;
