-- What a person keeps for themselves: how far they have read each document, when they opened it,
-- and their favourites. It is no part of any history: it changes with every opening, it is nobody
-- else's business, and nothing is derived from it. Only its owner reads it, not the service either.

create table public.personal_documents (
  seen_version bigint not null check (seen_version > 0),
  seen_at timestamptz not null,
  opened_at timestamptz not null,
  user_id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  primary key (user_id, document_id)
);
create index personal_documents_by_opening on public.personal_documents (user_id, workspace_id, opened_at desc);

create table public.personal_workspaces (
  -- What had changed by then counts as read; null until somebody said so of everything.
  read_at timestamptz,
  user_id uuid not null,
  workspace_id uuid not null,
  -- Documents in the order that the person has given them.
  favourites uuid[] not null default '{}' check (cardinality(favourites) <= 200),
  primary key (user_id, workspace_id)
);

create trigger a_refuse_others before insert or update or delete or truncate on public.personal_documents
  for each statement execute function private.refuse_others();
create trigger a_refuse_others before insert or update or delete or truncate on public.personal_workspaces
  for each statement execute function private.refuse_others();
alter table public.personal_documents enable always trigger a_refuse_others;
alter table public.personal_workspaces enable always trigger a_refuse_others;
alter table public.personal_documents enable row level security;
alter table public.personal_workspaces enable row level security;
create policy "people read what they keep of workspaces they belong to" on public.personal_documents
  for select to authenticated
  using (user_id = (select auth.uid()) and workspace_id in (select private.my_workspaces()));
create policy "people read what they keep of workspaces they belong to" on public.personal_workspaces
  for select to authenticated
  using (user_id = (select auth.uid()) and workspace_id in (select private.my_workspaces()));
revoke all on public.personal_documents, public.personal_workspaces from public, anon, authenticated, service_role;
grant select on public.personal_documents, public.personal_workspaces to authenticated;
-- As every column that REST serves: what the planner knows of it, it tells.
do $$
declare
  it record;
begin
  for it in
    select a.attrelid::regclass as relation, a.attname as name from pg_catalog.pg_attribute a
    where a.attrelid in ('public.personal_documents'::regclass, 'public.personal_workspaces'::regclass)
      and a.attnum > 0
  loop
    execute format('alter table %s alter column %I set statistics 0', it.relation, it.name);
  end loop;
end
$$;

-- The workspace of a document that the caller may read at its present version; null for any other.
create function private.workspace_of_document(document uuid) returns uuid
language sql stable set search_path = '' as $$
  select s.workspace_id from private.streams s
  where s.id = document and s.kind = 'document' and private.role_in(s.workspace_id) is not null
$$;

-- Tells the caller's own pages that something of theirs has changed.
create function private.announce_personal(payload jsonb) returns void
language sql set search_path = '' as $$
  select realtime.send(payload, 'personal', format('account:%s:0', (select auth.uid())), true)
$$;

-- Keeps how far the caller has read a document; what was read stays read. False where that is no
-- document that they may read, or it has no such version. Of one person 10 000 documents are kept;
-- beyond them the one that was not opened for longest is forgotten.
create function public.mark_seen(document uuid, version bigint, opened boolean default false) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  fresh boolean;
begin
  if me is null or workspace is null or version is null or version < 1
    or version > (select s.version from private.streams s where s.id = document) then
    return false;
  end if;
  insert into public.personal_documents as kept
    (user_id, document_id, workspace_id, seen_version, seen_at, opened_at)
  values (me, document, workspace, version, now(), now())
  on conflict (user_id, document_id) do update
    set seen_version = greatest(kept.seen_version, excluded.seen_version),
      seen_at = case when excluded.seen_version > kept.seen_version then now() else kept.seen_at end,
      opened_at = case when coalesce(opened, false) then now() else kept.opened_at end
    where excluded.seen_version > kept.seen_version or coalesce(opened, false)
  returning xmax = 0 into fresh;
  if fresh is null then
    return true;
  end if;
  if fresh then
    delete from public.personal_documents p where p.user_id = me and p.document_id in (
      select old.document_id from public.personal_documents old where old.user_id = me
      order by old.opened_at desc, old.document_id offset 10000);
  end if;
  perform private.announce_personal(
    jsonb_build_object('workspace', workspace, 'document', document, 'version', version));
  return true;
end;
$$;

-- Keeps that the caller has read whatever of a workspace had changed until a time, which may be an
-- earlier one than was kept: so it is taken back. False where they do not belong to it.
create function public.mark_all_read(workspace uuid, until timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if private.role_in(workspace) is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id, read_at)
  values ((select auth.uid()), workspace, least(until, now()))
  on conflict (user_id, workspace_id) do update set read_at = excluded.read_at;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$$;

-- Puts a document among the caller's favourites, at a place counted from 0 (without one: behind the
-- others), or takes it away. False where they may not read it, or have 200 favourites there.
create function public.set_favourite(document uuid, favourite boolean, place int default null) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  others uuid[];
  at int;
begin
  if me is null or workspace is null or favourite is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id) values (me, workspace) on conflict do nothing;
  select array_remove(p.favourites, document) into others
  from public.personal_workspaces p where p.user_id = me and p.workspace_id = workspace for update;
  if favourite then
    if cardinality(others) >= 200 then
      return false;
    end if;
    at := greatest(0, least(coalesce(place, cardinality(others)), cardinality(others)));
    others := others[:at] || document || others[at + 1:];
  end if;
  update public.personal_workspaces p set favourites = others
  where p.user_id = me and p.workspace_id = workspace;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$$;

-- What the caller keeps of a workspace: { readAt, favourites, recents, unread }. `recents` are the
-- documents that they opened last, at most 20; `unread` has, of each document that somebody else
-- changed since, the version up to which they have read it, 0 for one never opened. What had
-- happened before they joined is not news. Null for who does not belong to it.
create function public.read_personal(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'readAt', greatest(m.joined_at, own.read_at),
    'favourites', coalesce(to_jsonb(own.favourites), '[]'),
    'recents', coalesce((
      select jsonb_agg(r.document_id order by r.opened_at desc) from (
        select p.document_id, p.opened_at from public.personal_documents p
        where p.user_id = m.user_id and p.workspace_id = m.workspace_id order by p.opened_at desc limit 20
      ) as r), '[]'),
    'unread', coalesce((
      select jsonb_object_agg(d.id, coalesce(p.seen_version, 0))
      from public.documents d left join public.personal_documents p
        on p.user_id = m.user_id and p.document_id = d.id
      where d.workspace_id = m.workspace_id and d.phase = 'live' and d.updated_by <> m.user_id
        and d.updated_at > greatest(m.joined_at, own.read_at) and d.version > coalesce(p.seen_version, 0)
    ), '{}'))
  from public.members m left join public.personal_workspaces own
    on own.user_id = m.user_id and own.workspace_id = m.workspace_id
  where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.mark_seen(uuid, bigint, boolean), public.mark_all_read(uuid, timestamptz),
  public.set_favourite(uuid, boolean, int), public.read_personal(uuid) from public, anon;
grant execute on function public.mark_seen(uuid, bigint, boolean), public.mark_all_read(uuid, timestamptz),
  public.set_favourite(uuid, boolean, int), public.read_personal(uuid) to authenticated;
