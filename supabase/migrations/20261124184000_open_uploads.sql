-- How many uploads somebody may have begun that have not ended.
insert into private.limits (name, most) values ('account_uploads', 64);

-- Begins a person's upload of a file, or goes on with it; false where too many are open. Service only.
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

-- Ends an upload whose bytes are gone from the bucket of uploads. Service only.
create function public.end_upload(person uuid, file uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service ends uploads');
  end if;
  delete from private.open_uploads u where u.user_id = person and u.file = end_upload.file;
end;
$$;

-- Puts down for deletion an object whose event was refused, unless a document uses it. Service only.
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

revoke execute on function public.begin_upload(uuid, uuid), public.end_upload(uuid, uuid),
  public.mark_unused_file(uuid, text) from public, anon, authenticated;
grant execute on function public.begin_upload(uuid, uuid), public.end_upload(uuid, uuid),
  public.mark_unused_file(uuid, text) to service_role;
