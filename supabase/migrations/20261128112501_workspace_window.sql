-- The caller's workspaces by name, from behind one of them on (null: from the first).
create function public.read_workspaces(after_name text, after_id uuid, most int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', page.id, 'name', page.name) order by page.key, page.id), '[]')
  from (
    select w.id, w.name, lower(w.name) as key
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = (select auth.uid()) and m.phase = 'active'
      and (after_id is null or (lower(w.name), w.id) > (lower(after_name), after_id))
    order by 3, 1
    limit greatest(1, least(coalesce(most, 100), 200))
  ) page
$$;

-- What the server renders of a workspace: of each list the first rows, however long the list is. The
-- rest is read by the page once it is live. One call, since each page of a workspace begins with it,
-- and security invoker: the policies of the tables say what its caller sees.
create function public.read_workspace_window(workspace uuid, here uuid, rows_of_each int) returns jsonb
language sql stable set search_path = '' as $$
  with recursive
  bound as (select greatest(1, least(coalesce(rows_of_each, 100), 200)) as most),
  me as materialized (
    select m.user_id, greatest(m.joined_at, own.read_at) as read_at, own.favourites
    from public.members m left join public.personal_workspaces own
      on own.user_id = m.user_id and own.workspace_id = m.workspace_id
    where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
  ),
  every as materialized (
    select d.id, d.parent_id, d.rank, d.phase, d.template, d.updated_at, d.updated_by, d.version
    from public.documents d where d.workspace_id = workspace
  ),
  away as materialized (
    select e.id from every e where e.phase <> 'live'
    union
    select e.id from away a join every e on e.parent_id = a.id
  ),
  live as materialized (
    select e.id, e.parent_id, e.rank, e.template, e.updated_at, coalesce(seen.seen_version, 0) as seen,
      e.updated_by <> me.user_id and e.updated_at > me.read_at and e.version > coalesce(seen.seen_version, 0)
        as unread
    from every e cross join me
      left join public.personal_documents seen on seen.user_id = me.user_id and seen.document_id = e.id
    where not exists (select from away where away.id = e.id)
  ),
  path as (
    select l.id, l.parent_id, l.rank, 0 as up from live l where l.id = here
    union all
    select l.id, l.parent_id, l.rank, path.up + 1 from path join live l on l.id = path.parent_id
    where path.up < 64
  ),
  -- The documents that stand open in the tree, with their places from the top down as one key.
  open as (
    select p.id, (
      select array_agg(above.rank || ' ' || above.id order by above.up desc) from path above where above.up >= p.up
    ) as key
    from path p where p.up > 0
  ),
  placed as materialized (
    select l.id, coalesce(open.key, '{}') || (l.rank || ' ' || l.id) as key,
      row_number() over (partition by l.parent_id order by l.rank collate "C", l.id) as position,
      count(*) over (partition by l.parent_id) as size
    from live l left join open on open.id = l.parent_id
    where l.parent_id is null or open.id is not null
  ),
  tree as materialized (
    (select * from placed order by key collate "C" limit (select most from bound))
    union
    select * from placed where id = here
  ),
  unread as materialized (
    select id, seen from live where unread order by updated_at desc, id limit (select most from bound)
  ),
  -- What the activity shows first.
  lately as materialized (
    select e.stream_id, e.actor_id from public.events e where e.workspace_id = workspace
    order by e.position desc limit 400
  ),
  shown as materialized (
    select id from unread
    union
    (select id from live where not unread order by updated_at desc, id limit (select most from bound))
    union
    select id from tree
    union
    select id from path
    union
    select l.id from me cross join unnest(me.favourites) favourite join live l on l.id = favourite
    union
    select e.id from lately join every e on e.id = lately.stream_id
    union
    (select id from live where template order by id limit 20)
    union
    (select id from every where phase = 'trashed' order by updated_at desc, id limit (select most from bound))
    union
    (select id from every where (select count(*) from every) <= (select most from bound))
  ),
  documents as materialized (
    select d.* from public.documents d where d.id = any (array(select id from shown))
  ),
  active as materialized (
    select m.user_id, m.joined_at from public.members m where m.workspace_id = workspace and m.phase = 'active'
  ),
  invited as materialized (
    select i.* from public.invitations i
    where i.workspace_id = workspace and i.phase = 'open' and (i.expires_at is null or i.expires_at > now())
  ),
  invitations as materialized (
    select * from invited order by created_at desc, id limit (select most from bound)
  ),
  -- Whoever the shown rows name, and whoever did something lately.
  named as (
    select created_by as id from documents
    union
    select updated_by from documents
    union
    select created_by from invitations
    union
    select actor_id from lately
  ),
  people as (
    select (select auth.uid()) as id
    union
    (select user_id from active order by joined_at, user_id limit (select most from bound))
    union
    (select id from named limit 2 * (select most from bound))
    union
    (select m.user_id from public.members m where m.workspace_id = workspace
      and (select count(*) from public.members all_of_them where all_of_them.workspace_id = workspace)
        <= (select most from bound))
  )
  select jsonb_build_object(
    'workspaces', public.read_workspaces(null, null, (select most from bound)),
    'documents', coalesce((select jsonb_agg(to_jsonb(d)) from documents d), '[]'),
    'tree', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'level', cardinality(t.key), 'position', t.position,
        'size', t.size, 'hasInside', t.id in (select l.parent_id from live l where l.parent_id is not null)) order by t.key collate "C")
      from tree t), '[]'),
    'members', coalesce((
      select jsonb_agg(to_jsonb(m)) from public.members m join people on people.id = m.user_id
      where m.workspace_id = workspace), '[]'),
    'invitations', coalesce((select jsonb_agg(to_jsonb(i)) from invitations i), '[]'),
    'personal', (
      select jsonb_build_object(
        'readAt', me.read_at,
        'favourites', coalesce(to_jsonb(me.favourites), '[]'),
        'recents', coalesce((
          select jsonb_agg(r.document_id order by r.opened_at desc) from (
            select p.document_id, p.opened_at from public.personal_documents p
            where p.user_id = me.user_id and p.workspace_id = workspace order by p.opened_at desc limit 20
          ) as r), '[]'),
        'unread', coalesce((select jsonb_object_agg(u.id, u.seen) from live u join shown using (id) where u.unread), '{}'))
      from me),
    'counts', jsonb_build_object(
      'workspaces', (select count(*) from public.members m
        where m.user_id = (select auth.uid()) and m.phase = 'active'),
      'all', (select count(*) from every),
      'live', (select count(*) from live),
      'unread', (select count(*) from live where unread),
      'trashed', (select count(*) from every where phase = 'trashed'),
      'everybody', (select count(*) from public.members m where m.workspace_id = workspace),
      'members', (select count(*) from active),
      'invitations', (select count(*) from invited)))
$$;

revoke execute on function public.read_workspaces(text, uuid, int),
  public.read_workspace_window(uuid, uuid, int) from public, anon;
grant execute on function public.read_workspaces(text, uuid, int),
  public.read_workspace_window(uuid, uuid, int) to authenticated;
