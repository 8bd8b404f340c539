-- A link to a document holds no words of its own: it reads as the title that the document has now.
-- So whoever searches for words of a title finds, behind the document, the places that link to it
-- (as `links_to` tells them). They have no author and no time of their own, and are of now alone:
-- where any of these is asked for, there are none.
create or replace function public.search(
  workspace uuid, words text, scope text default 'now', author uuid default null,
  since timestamptz default null, until timestamptz default null, at_time timestamptz default null,
  with_trash boolean default false, max_count int default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  sees_history boolean := private.sees_history(workspace);
  belongs text;
  classes text[];
  every_found private.found_entry[] := '{}';
  some_found private.found_entry[];
  asked tsquery;
  is_more boolean := false;
begin
  if private.role_in(workspace) is null then
    return null;
  end if;
  select to_hex(w.number) into belongs from private.search_workspaces w where w.workspace_id = workspace;
  classes := case
    when belongs is null or words is null or char_length(words) > 1000 then '{}'
    when at_time is not null then case when sees_history then '{n,g,h,p,q}' else '{n,h,q}' end
    when scope = 'ever' then case when sees_history then '{n,g,h}' else '{n,h,q}' end
    else '{n}' end;
  for place in 1 .. cardinality(classes) loop
    asked := private.search_query(words, belongs || classes[place]);
    exit when numnode(asked) = 0;
    some_found := array(select f from private.find_entries(
      workspace, asked, classes[place], sees_history, author, since, until, at_time) as f);
    is_more := is_more or cardinality(some_found) = 400;
    every_found := every_found || some_found;
  end loop;
  return (
    with places as (
      select distinct on (f.stream_id, f.place) f.*, d.updated_at
      from unnest(every_found) as f join public.documents d on d.id = f.stream_id
      where d.phase = 'live' or (coalesce(with_trash, false) and d.phase = 'trashed')
      order by f.stream_id, f.place, f.class = 'n' desc, f.stamp desc
    ), links as (
      select l.stream_id, l.nth, l.from_time as stamp, d.updated_at, jsonb_build_object('document', l.stream_id,
        'kind', 'link', 'text', l.words_before || t.title || l.words_after, 'stands', true, 'thread', null,
        'block', l.block, 'target', l.target_id) as told
      from places p
      join public.documents t on t.id = p.stream_id
      join private.document_links l on l.target_id = p.stream_id and l.to_version is null and l.stream_id <> p.stream_id
      join public.documents d on d.id = l.stream_id and d.workspace_id = search.workspace
      where p.kind = 'title' and p.class = 'n' and num_nulls(author, since, until, at_time) = 4
        and (sees_history or private.has_current_links(l.stream_id))
        and (d.phase = 'live' or (coalesce(with_trash, false) and d.phase = 'trashed'))
      limit 400
    ), found as (
      select p.stream_id, p.place, p.nth, null::jsonb as told, p.kind = 'title' and p.class = 'n' as leads,
        case when sees_history then p.stamp else p.updated_at end as stamp
      from places p
      union all
      select l.stream_id, '', l.nth, l.told, false, case when sees_history then l.stamp else l.updated_at end
      from links l
    ), ordered as (
      select f.*, row_number() over (order by f.leads desc, f.stamp desc, f.stream_id, f.place, f.nth) as rank
      from found f
    )
    select jsonb_build_object(
      'results', (select coalesce(jsonb_agg(
          coalesce(o.told, private.told_entry(m, sees_history)) order by o.rank), '[]')
        from ordered o left join private.search_entries m
          on m.stream_id = o.stream_id and m.place = o.place and m.nth = o.nth
        where o.rank <= greatest(1, least(coalesce(max_count, 50), 200))),
      'found', (select count(*) from ordered),
      'documents', (select coalesce(jsonb_agg(jsonb_build_object('id', n.stream_id, 'found', n.found)
          order by n.found desc, n.best), '[]')
        from (select o.stream_id, count(*) as found, min(o.rank) as best from ordered o group by o.stream_id
          order by 2 desc, 3 limit 100) as n),
      'isMore', is_more));
end;
$$;
