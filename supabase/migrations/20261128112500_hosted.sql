-- What a hosted project refuses or its advisor reports as an error.

-- Private tables have no row level security (LOG-60), so their policies guarded nothing. No role of
-- the API may use their schema.
drop policy "and who sees the history of its document" on private.snapshot_parts;
drop policy "and who sees the history of its document" on private.search_entries;
drop policy "and who sees the history of its document" on private.search_states;
drop policy "and who sees the history of its document" on private.document_links;
drop policy "and who sees the history of its document" on private.link_states;

-- Keeps a table of derived states from readers who may not read the history of its document. A table
-- without row level security would have a policy that guards nothing.
create or replace function private.grade_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  if not (select c.relrowsecurity from pg_catalog.pg_class c where c.oid = cache) then
    if (select c.relnamespace <> 'private'::regnamespace from pg_catalog.pg_class c where c.oid = cache) then
      raise exception using message = format('%s has no row level security', cache);
    end if;
    return;
  end if;
  execute format('create policy "and who sees the history of its document" on %s
    as restrictive for select to authenticated
    using (stream_id in (select d.id from public.documents d
      where d.workspace_id in (select private.my_open_workspaces())))', cache);
end;
$$;

-- Rows that are deleted or changed without a condition are refused to the API of a hosted project
-- (`safeupdate`), whatever function does so.
create or replace function public.rebuild_projections() returns void
language plpgsql security definer set search_path = '' as $$
declare
  entry record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service rebuilds');
  end if;
  -- Appends lock rows of this table first, so none is under way while the fold runs.
  lock table private.streams in exclusive mode;
  delete from private.invitation_tokens where true;
  delete from private.subjects where true;
  delete from public.documents where true;
  delete from public.invitations where true;
  delete from public.members where true;
  delete from public.workspaces where true;
  delete from public.accounts where true;
  update private.feeds set epoch = 0 where epoch <> 0;
  for entry in
    select e as event, p.body::jsonb as body
    from public.events e left join public.event_payloads p on p.event_id = e.id
    order by e.workspace_id nulls first, e.position, e.stream_id, e.version
  loop
    perform private.project(entry.event, entry.body);
  end loop;
end;
$$;

-- Of the versions of migrations that a release has, those that this database has not. A process that
-- has no key but the publishable one asks as `anon`, so that it can say whether it is ready.
create function public.missing_migrations(versions text[]) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  missing text[];
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return versions[1:1000];
  end if;
  execute 'select coalesce(array_agg(v order by v), ''{}'') from unnest($1) as v
    where not exists (select from supabase_migrations.schema_migrations m where m.version = v)'
    into missing using versions[1:1000];
  return missing;
end;
$$;
revoke execute on function public.missing_migrations(text[]) from public;
grant execute on function public.missing_migrations(text[]) to anon, authenticated, service_role;
revoke execute on function private.grade_cache(regclass) from public, anon, authenticated, service_role;
