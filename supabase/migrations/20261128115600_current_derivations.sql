-- Derived words are shown to a reader of the present only while they cover the newest event of their document. Links
-- counted only events of a schema with links, and both links and the search index were trusted for a minute: words that
-- an edit of an older schema had deleted stayed readable beside a link.

-- The rule for every table of derived words: the log has not gone beyond what they were derived from, by any event.
create function private.is_current(stream uuid, derived_version bigint) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from private.streams s where s.id = is_current.stream and s.version <= derived_version)
$$;

-- Whether all links of a document are known, as its present text has them.
create or replace function private.has_current_links(stream uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from private.link_states k
    where k.stream_id = has_current_links.stream and k.whole and private.is_current(k.stream_id, k.version))
$$;

-- The condition under which a search finds an entry, for private.find_entries: readers without the history find the
-- present text while it is current, and what stood at a named version.
create or replace function private.entry_condition(sees_history boolean, by_author boolean, by_time boolean,
  at_time boolean) returns text
language sql immutable set search_path = '' as $$
  select concat_ws(' and ',
    'true',
    case when by_author then '$2 = any (m.authors)' end,
    case when by_time then '(coalesce(m.written_at >= $3, true) and coalesce(m.written_at <= $4, true)
      or m.to_time is not null and coalesce(m.to_time >= $3, true) and coalesce(m.to_time <= $4, true))' end,
    case when not sees_history and (by_author or by_time) then 'm.kind = ''comment''' end,
    case
      when at_time and sees_history then 'm.from_time <= $5 and (m.to_time is null or m.to_time > $5)'
      when at_time then '(select v.at from public.versions v
          join public.events e on e.stream_id = v.document_id and e.version = v.at
          where v.document_id = m.stream_id and e.recorded_at <= $5
          order by v.at desc limit 1) = any (m.named_at)'
      when not sees_history then 'case when m.class = ''n'' then exists (
          select from private.search_states s
          where s.stream_id = m.stream_id and private.is_current(s.stream_id, s.version))
        else exists (select from public.versions v where v.document_id = m.stream_id and v.at = any (m.named_at)) end'
    end)
$$;

-- Some documents whose log has gone beyond what is known of their links:
-- [{ stream, version, head, links, written }], the version up to which they are known (0: not at all), how far the log
-- has come, how many links are known, and whether the text was written since. Left out are texts without a known link
-- that no event of a schema with links has written. Service only.
create or replace function public.read_unlinked(max_count int default 8) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service keeps links');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'stream', behind.id, 'version', behind.known, 'head', behind.head,
      'links', (select count(*) from private.document_links l where l.stream_id = behind.id),
      'written', exists (
        select from public.events e join private.schemas s on s.event_type = e.type and s.carries_update
        where e.stream_id = behind.id and e.version > behind.known))), '[]')
    from (
      select s.id, s.version as head, coalesce(k.version, 0) as known
      from private.streams s left join private.link_states k on k.stream_id = s.id
      where s.kind = 'document' and s.version > coalesce(k.version, 0)
        and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
        and (exists (select from private.document_links l where l.stream_id = s.id)
          or exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      -- So that none that cannot be read now keeps others from their turn.
      order by random()
      limit greatest(0, least(coalesce(max_count, 8), 64))
    ) as behind
  );
end;
$$;

-- Stores all links of a document as its log has them up to a version:
-- [{ target, block, before, after, from, fromTime, until, untilTime } …]. Null keeps those that are known, which are
-- not all of them where the text is not `whole`; a null `whole` keeps that, too. Service only.
create or replace function public.write_links(stream uuid, seen bigint, links jsonb, whole boolean default true)
  returns void
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
  insert into private.link_states (stream_id, version, whole) values (stream, seen, coalesce(write_links.whole, false))
  on conflict (stream_id) do update
  set version = excluded.version, kept_at = now(), failed_at = null,
    whole = coalesce(write_links.whole, private.link_states.whole);
end;
$$;

revoke execute on all functions in schema private from public;
