-- Which documents link to a document, and the words around each link, from one version to before
-- another. What is written lies in Yjs updates, which SQL cannot read, so the service's maintenance
-- keeps it. It is a cache: registered, so that what is redacted leaves in the same transaction, and
-- made again from the log at any time.

create table private.document_links (
  -- How far the log had come when the service read it for this.
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  from_time timestamptz not null,
  to_time timestamptz check ((to_time is null) = (to_version is null)),
  nth int not null,
  stream_id uuid not null,
  target_id uuid not null,
  -- The hash by which an address names the block that the link stands in.
  block text not null,
  words_before text not null,
  words_after text not null,
  primary key (stream_id, nth)
);
create index document_links_by_target on private.document_links (target_id);

-- Up to which version the links of a document are known, since when, and whether that is all of
-- them: a text that cannot be folded to its end keeps what was known. One whose links could not be
-- kept rests.
create table private.link_states (
  version bigint not null,
  kept_at timestamptz not null default now(),
  failed_at timestamptz,
  whole boolean not null default true,
  stream_id uuid primary key
);

revoke all on private.document_links, private.link_states from public, anon, authenticated, service_role;
select private.register_cache('private.document_links');
select private.register_cache('private.link_states');

-- Some documents whose log has gone beyond what is known of their links: [{ stream, version, head, links }],
-- the version up to which they are known (0: not at all), how far the log has come, and how many
-- links are known. Texts that no event of a schema with links has written are left out. Service only.
create function public.read_unlinked(max_count int default 8) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'stream', behind.id, 'version', behind.known, 'head', behind.head,
      'links', (select count(*) from private.document_links l where l.stream_id = behind.id))), '[]')
    from (
      select s.id, s.version as head, coalesce(k.version, 0) as known
      from private.streams s left join private.link_states k on k.stream_id = s.id
      where s.kind = 'document' and s.version > coalesce(k.version, 0)
        and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
        and exists (select from public.events e
          where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1)
      -- So that none that cannot be read now keeps others from their turn.
      order by random()
      limit greatest(0, least(coalesce(max_count, 8), 64))
    ) as behind
  );
end;
$$;

-- Stores all links of a document as its log has them up to a version:
-- [{ target, block, before, after, from, fromTime, until, untilTime } …]; null leaves those that are
-- known, which are not all where the text is not `whole`. Service only.
create function public.write_links(stream uuid, seen bigint, links jsonb, whole boolean default true) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  -- Before anything else, as an append does: so this and a redaction do not wait for each other.
  perform from private.streams s where s.id = stream and s.kind = 'document' and s.version >= seen for share;
  if not found then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 6));
  if seen < (select k.version from private.link_states k where k.stream_id = stream) then
    return;
  end if;
  if links is not null then
    delete from private.document_links l where l.stream_id = stream;
    insert into private.document_links (stream_id, version, nth, target_id, block, words_before, words_after,
      from_version, from_time, to_version, to_time)
    select stream, seen, r.nth, (r.link ->> 'target')::uuid, r.link ->> 'block',
      left(r.link ->> 'before', 200), left(r.link ->> 'after', 200),
      (r.link ->> 'from')::bigint, (r.link ->> 'fromTime')::timestamptz,
      (r.link ->> 'until')::bigint, (r.link ->> 'untilTime')::timestamptz
    from jsonb_array_elements(links) with ordinality as r (link, nth)
    limit 2000;
  end if;
  insert into private.link_states (stream_id, version, whole) values (stream, seen, write_links.whole)
  on conflict (stream_id) do update
  set version = excluded.version, kept_at = now(), failed_at = null, whole = excluded.whole;
end;
$$;

-- Lets a document rest whose links could not be kept: others have their turn meanwhile. Service only.
create function public.rest_links(stream uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  insert into private.link_states (stream_id, version, kept_at, failed_at, whole)
  select s.id, 0, '-infinity', now(), false from private.streams s where s.id = rest_links.stream
  on conflict (stream_id) do update set failed_at = now();
end;
$$;

-- Whether the words around the links of a document are those of its present text, or were so within
-- the last minute, as for what a search finds: who reads the present alone is shown no others.
create function private.has_current_links(stream uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.link_states k
    where k.stream_id = has_current_links.stream and k.whole and (
      k.kept_at > now() - interval '1 minute' or not exists (
        select from public.events e where e.stream_id = k.stream_id and e.version > k.version and e.schema > 1)))
$$;

-- Who links to a document now or, for readers of its history, at a time: [{ document, title, icon, block, before,
-- after } …], of documents that the caller may read and that are not in the trash, at most 200.
-- Nothing to who may not read the document itself, and nothing of the past to who may not read that.
create function public.links_to(document uuid, at_time timestamptz default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  with own as (
    select d.id from public.documents d
    where d.id = links_to.document and d.workspace_id in (select private.my_workspaces())
  ), found as (
    select d.id, d.title, d.icon, l.block, l.words_before, l.words_after, l.nth, l.from_time
    from own
    join private.document_links l on l.target_id = own.id and l.stream_id <> own.id
    join public.documents d on d.id = l.stream_id and d.phase = 'live'
    where case when at_time is null
      then l.to_time is null and d.workspace_id in (select private.my_workspaces())
        and (d.workspace_id in (select private.my_open_workspaces()) or private.has_current_links(d.id))
      else l.from_time <= at_time and (l.to_time is null or l.to_time > at_time)
        and d.workspace_id in (select private.my_open_workspaces())
    end
    order by d.updated_at desc, d.id, l.nth
    limit 200
  )
  select coalesce(jsonb_agg(jsonb_build_object('document', f.id, 'title', f.title, 'icon', f.icon, 'block', f.block,
    'before', f.words_before, 'after', f.words_after)), '[]')
  from found f
$$;

revoke execute on function public.read_unlinked(int), public.write_links(uuid, bigint, jsonb, boolean),
  public.rest_links(uuid) from public, anon, authenticated;
grant execute on function public.read_unlinked(int), public.write_links(uuid, bigint, jsonb, boolean),
  public.rest_links(uuid) to service_role;
revoke execute on function public.links_to(uuid, timestamptz) from public, anon;
grant execute on function public.links_to(uuid, timestamptz) to authenticated, service_role;
