-- The pictures of people. Their bytes lie in Storage, in the bucket `avatars` at `<person>/<picture>`, which has no
-- policy: the service alone reads and writes it, and gives a picture to those who may read the person's account.
-- Each picture has an id of its own.
insert into storage.buckets (id, name, public, file_size_limit) values ('avatars', 'avatars', false, 262144);

alter table public.accounts add column picture uuid;
alter table public.members add column picture uuid;
alter table public.accounts alter column picture set statistics 0;
alter table public.members alter column picture set statistics 0;

-- Refuses a picture that is not stored as this person's, or was stored so long ago that it may be being deleted.
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

-- Projects the picture of a person onto their account and their memberships, and that of somebody who joins.
create function private.project_picture(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.stream_kind = 'account' then
    update public.accounts a set picture = (body ->> 'picture')::uuid where a.user_id = e.stream_id;
    update public.members m set picture = (body ->> 'picture')::uuid where m.user_id = e.stream_id;
  else
    update public.members m set picture = a.picture
    from public.accounts a
    where m.workspace_id = e.stream_id and m.user_id = a.user_id and m.picture is distinct from a.picture
      and m.user_id = case e.type when 'member.joined' then e.subject_id else e.actor_id end;
  end if;
end;
$$;

insert into private.meaning_hooks (event_type, function) values ('account.picture_set', 'check_picture');
insert into private.projection_hooks (event_type, function) values
  ('account.picture_set', 'project_picture'),
  ('account.deleted', 'project_picture'),
  ('workspace.created', 'project_picture'),
  ('member.joined', 'project_picture');

-- Finds stored pictures that nobody has: replaced, removed, or never recorded. Those that can still be recorded are
-- none of them. Answers their names. Service only.
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
    -- Some may fail to be deleted time and again.
    order by random() limit greatest(0, least(coalesce(max_count, 50), 200))
  ) as unused);
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.read_unused_pictures(int) from public, anon, authenticated;
grant execute on function public.read_unused_pictures(int) to service_role;
