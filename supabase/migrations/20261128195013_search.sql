-- Search. The service derives entries from the log: a stretch of a textblock, a title or a comment as it read from
-- one version to before another. They are a cache: a redaction deletes them in its own transaction, and they may be
-- derived again at any time.

-- Folds text for searching: drops case, accents, points and vowel signs, and unifies the forms of a letter.
create function private.folded(content text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select translate(
    replace(replace(replace(replace(
      lower(normalize(regexp_replace(normalize(content, NFKD),
        '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a'
        '\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff'
        '\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u20d0-\u20ff\ufe00-\ufe0f\ufeff]',
        '', 'g'), NFC)),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    'øđðłıςىة٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'oddliσيه01234567890123456789')
$$;

-- Letters of scripts that write no spaces between words, or only between groups of words: Thai to Burmese, Han, kana,
-- Hangul, and pictographs. Every two consecutive ones are a token.
create function private.gram_letters() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u2600-\u27bf\u2e80-\u2fdf'
    '\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff'
    '\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff'
    '\U0001f000-\U0001faff\U00020000-\U0003ffff'
$$;

-- The characters between words.
create function private.word_breaks() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f'
    '\u066a-\u066d\u06d4\u06dd\u06de\u0964\u0965\u0e2f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u17d4-\u17da\u1680'
    '\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004'
    '\u3008-\u3020\u3030\u303d-\u3040\u30a0\u30fb\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff01-\uff0f\ufff0-\uffff'
$$;

-- The tokens of a text, each with its place: words, and pairs of letters in scripts without word breaks. `alone` marks
-- a run of a single such letter; `ends` marks the last letter of a longer run, a token of one letter.
create function private.search_tokens(content text)
returns table (word text, at int, alone boolean, ends boolean, is_gram boolean)
language sql immutable parallel safe set search_path = '' as $$
  with pieces as (
    select found.parts[1] as grams, found.parts[2] as word, found.n,
      coalesce(char_length(found.parts[1]), 1) as length
    from regexp_matches(private.folded(content),
      '([' || private.gram_letters() || ']+)|([^' || private.gram_letters() || private.word_breaks() || ']+)', 'g')
      with ordinality as found (parts, n)
  ), placed as (
    select p.*, (sum(p.length) over (order by p.n) - p.length)::int as before from pieces p
  )
  select left(p.word, 40), p.before + 1, false, false, false from placed p where p.grams is null
  union all
  select substr(p.grams, i, 2), p.before + i, p.length = 1, p.length > 1 and i = p.length, true
  from placed p cross join lateral generate_series(1, p.length) as i where p.grams is not null
$$;

-- The tokens of an entry as a text search vector. Each begins with the number of the workspace and the class of the
-- entry, so a query reads no entry that its caller may not read, and its duration reveals nothing about such entries.
-- Arabic and Hebrew words are also indexed without article or particle.
create function private.search_vector(content text, belongs text) returns tsvector
language sql immutable parallel safe set search_path = '' as $$
  with tokens as (select t.word, t.at from private.search_tokens(content) as t)
  select coalesce(string_agg('''' || belongs || each.word || ''':' || each.at, ' '), '')::tsvector
  from (
    select t.word, t.at from tokens t
    union all
    select substring(t.word from '^[وفبكل]?(?:ال|لل)(..+)$'), t.at from tokens t
    where t.word ~ '^[وفبكل]?(ال|لل)..'
    union all
    select substr(t.word, 2), t.at from tokens t
    where t.word ~ '^([והבלמשכ][א-ת]{3}|[وفبكل][ء-ي]{3})' and t.word !~ '^[وفبكل]?(ال|لل)..'
  ) as each
$$;

-- A query for all words (the first 24), in any order, without operators. A word from 3 letters on, the last one from 2,
-- also matches longer words that begin with it; text in quotation marks matches whole words in sequence. Empty without
-- a word.
create function private.search_query(words text, belongs text) returns tsquery
language sql immutable set search_path = '' as $$
  with terms as (
    select coalesce(found.parts[1], found.parts[2]) as term, found.parts[1] is not null as quoted, found.n,
      found.n = count(*) over () as is_last
    from regexp_matches(translate(words, '“”„‟«»＂', '"""""""'), '"([^"]*)"?|([^"\s]+)', 'g')
      with ordinality as found (parts, n)
  ), tokens as (
    select terms.n, terms.quoted, terms.is_last, t.word, t.at, t.alone, t.is_gram,
      t.at - lag(t.at) over each as distance, row_number() over each = count(*) over (partition by terms.n) as closes
    from terms cross join lateral private.search_tokens(terms.term) as t
    where not t.ends
    window each as (partition by terms.n order by t.at)
  ), written as (
    select t.n, string_agg(
      coalesce('<' || t.distance || '>', '') || '''' || belongs || t.word || ''''
      || case when t.alone or (not t.quoted and t.closes and not t.is_gram
        and char_length(t.word) >= case when t.is_last then 2 else 3 end) then ':*' else '' end,
      ' ' order by t.at) as part
    from tokens t group by t.n
  )
  select coalesce(string_agg('(' || w.part || ')', ' & ' order by w.n), '')::tsquery from written w where w.n <= 24
$$;

-- For each indexed workspace, its short number and the position of its feed up to which its documents are indexed.
create table private.search_workspaces (
  position bigint not null default 0,
  number int generated always as identity,
  workspace_id uuid primary key
);

-- The entries. A present entry has no `to_version`. The classes:
-- n   present text
-- g,h deleted text; h was present at a named version
-- p,q text that reads differently now, without a deletion; q was present at a named version
create table private.search_entries (
  -- The head of the log when the service read it.
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  -- The last revision at which it was present: a version and the edit within it.
  stood_version bigint,
  stood_edit int,
  from_time timestamptz not null,
  written_at timestamptz not null,
  to_time timestamptz check ((to_time is null) = (to_version is null)),
  stamp timestamptz not null generated always as (coalesce(to_time, written_at)) stored,
  -- Its number among the entries of its place.
  nth int not null,
  stream_id uuid not null,
  workspace_id uuid not null,
  author_id uuid not null,
  ended_by uuid,
  thread_id uuid,
  class text not null check (class in ('n', 'g', 'h', 'p', 'q')),
  kind text not null check (kind in ('title', 'text', 'comment')),
  place text not null,
  digest text not null,
  -- The authors of its words, and the named versions (by `at`) in which it is present.
  authors uuid[] not null,
  named_at bigint[] not null,
  text text not null,
  words tsvector not null,
  primary key (stream_id, place, nth)
);
-- `fastupdate = off`: every search would have to scan the pending list.
create index search_entries_by_words on private.search_entries using gin (words) with (fastupdate = off);
create index search_entries_by_time on private.search_entries (workspace_id, class, stamp);
-- A search as of a day starts at the entries of that day. With search_entries_by_time it would scan everything written
-- since.
create index search_entries_by_start on private.search_entries (workspace_id, class, from_time, to_time);

-- The version up to which each document is indexed, and when it was indexed.
create table private.search_states (
  version bigint not null,
  indexed_at timestamptz not null default now(),
  stream_id uuid primary key
);

select private.register_cache('private.search_entries');
select private.register_cache('private.search_states');

-- Refuses every caller but the service.
create function private.only_indexer() returns void
language plpgsql set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service indexes documents');
  end if;
end;
$$;

-- Documents whose log is ahead of the index, of 16 workspaces at most: [{ workspace, position, documents: [id …] }].
-- Reading marks nothing: settle_index records the indexed ones, and the others are returned again. Service only.
create function public.read_unindexed(max_count int default 8) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.only_indexer();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'workspace', behind.workspace_id, 'position', reach.upto, 'documents', reach.documents)), '[]')
    from (
      select f.workspace_id, coalesce(w.position, 0) as position
      from private.feeds f left join private.search_workspaces w on w.workspace_id = f.workspace_id
      where f.position > coalesce(w.position, 0)
      order by f.position - coalesce(w.position, 0)
      limit 16
    ) as behind
    cross join lateral (
      select max(next.position) as upto, coalesce(jsonb_agg(distinct next.stream_id)
        filter (where next.stream_kind = 'document' and not exists (
          select from private.search_states s join private.streams head on head.id = s.stream_id
          where s.stream_id = next.stream_id and s.version >= head.version)), '[]') as documents
      from (
        select e.position, e.stream_id, e.stream_kind from public.events e
        where e.workspace_id = behind.workspace_id and e.position > behind.position
        order by e.position limit greatest(1, least(coalesce(max_count, 8), 64)) * 64
      ) as next
    ) as reach
  );
end;
$$;

-- Stores that a workspace's documents are indexed up to a position of its feed. Service only.
create function public.settle_index(workspace uuid, up_to bigint) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.only_indexer();
  insert into private.search_workspaces (workspace_id, position)
  select f.workspace_id, least(up_to, f.position) from private.feeds f where f.workspace_id = workspace
  on conflict (workspace_id) do update
    set position = greatest(private.search_workspaces.position, excluded.position);
end;
$$;

-- The indexed entries of a document: { version, entries: [[place, nth, digest] …] }. Service only.
create function public.read_index(stream uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.only_indexer();
  return jsonb_build_object(
    'version', coalesce((select s.version from private.search_states s where s.stream_id = stream), 0),
    'entries', (select coalesce(jsonb_agg(jsonb_build_array(p.place, p.nth, p.digest)), '[]')
      from private.search_entries p where p.stream_id = stream));
end;
$$;

-- Deletes the entries `gone` of a document, [[place, nth] …], and writes `entries`. `seen` is the head of the log when
-- it was read; with `whole`, the document then counts as indexed up to there. Service only.
create function public.write_index(stream uuid, seen bigint, gone jsonb, entries jsonb, whole boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
  belongs text;
begin
  perform private.only_indexer();
  -- Locks the stream first, as an append does, so that this and a redaction do not deadlock.
  select s.workspace_id into workspace from private.streams s
  where s.id = stream and s.kind = 'document' and s.version >= seen for share;
  if not found then
    perform private.refuse('invalid-event', 'other-log', 'the log has not reached this version');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 5));
  if seen < (select s.version from private.search_states s where s.stream_id = stream) then
    return;
  end if;
  insert into private.search_workspaces (workspace_id) values (workspace) on conflict do nothing;
  select to_hex(w.number) into belongs from private.search_workspaces w where w.workspace_id = workspace;
  delete from private.search_entries p using jsonb_array_elements(gone) as old (key)
  where p.stream_id = stream and p.place = old.key ->> 0 and p.nth = (old.key ->> 1)::int;
  insert into private.search_entries (stream_id, workspace_id, version, place, nth, digest, kind, class, from_version,
    from_time, written_at, to_version, to_time, stood_version, stood_edit, author_id, authors, ended_by, thread_id,
    named_at, text, words)
  select stream, workspace, seen, r.place, r.nth, r.digest, r.kind, r.class, r.from_version,
    r.from_time, r.written_at, r.to_version, r.to_time, r.stood_version, r.stood_edit, r.author_id, r.authors,
    r.ended_by, r.thread_id, r.named_at, left(r.text, 10000),
    private.search_vector(left(r.text, 10000), belongs || r.class)
  from jsonb_to_recordset(entries) as r (place text, nth int, digest text, kind text, class text,
    from_version bigint, from_time timestamptz, written_at timestamptz, to_version bigint, to_time timestamptz,
    stood_version bigint, stood_edit int, author_id uuid, authors uuid[], ended_by uuid, thread_id uuid,
    named_at bigint[], text text)
  on conflict (stream_id, place, nth) do update set version = excluded.version, digest = excluded.digest,
    kind = excluded.kind, class = excluded.class, from_version = excluded.from_version,
    from_time = excluded.from_time, written_at = excluded.written_at,
    to_version = excluded.to_version, to_time = excluded.to_time,
    stood_version = excluded.stood_version, stood_edit = excluded.stood_edit, author_id = excluded.author_id,
    authors = excluded.authors, ended_by = excluded.ended_by, thread_id = excluded.thread_id,
    named_at = excluded.named_at, text = excluded.text, words = excluded.words;
  if whole then
    insert into private.search_states (stream_id, version) values (stream, seen)
    on conflict (stream_id) do update set version = excluded.version, indexed_at = now();
  end if;
end;
$$;

-- Empties the index of a workspace, or of all, so that it is derived again. Service only.
create function public.rebuild_index(workspace uuid default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.only_indexer();
  delete from private.search_states s using private.streams d
  where d.id = s.stream_id and (workspace is null or d.workspace_id = workspace);
  delete from private.search_entries p where workspace is null or p.workspace_id = workspace;
  update private.search_workspaces w set position = 0 where workspace is null or w.workspace_id = workspace;
end;
$$;

-- A found entry: its key, its class and kind, and the time by which results are ordered.
create type private.found_entry as (stream_id uuid, place text, nth int, class text, kind text, stamp timestamptz);

-- The condition on an entry m of a search, for private.find_entries: $2 is an author, $3 and $4 begin and end the time
-- in which it changed, $5 is a time at which it was present. Restricted readers learn neither who wrote text nor when.
-- They find the present text while it is current, and the text of named versions; by author and time, only comments.
create function private.entry_condition(sees_history boolean, by_author boolean, by_time boolean,
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

-- The entries of one class that match a query: all if they are at most 2000, otherwise the newest 400. In a search as
-- of a day, the newest are those with the latest `from_time`.
create function private.find_entries(
  workspace uuid, asked tsquery, of_class text, sees_history boolean, author uuid,
  since timestamptz, until timestamptz, at_time timestamptz
) returns setof private.found_entry language plpgsql stable
  set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  by_day constant boolean := at_time is not null and sees_history;
  condition constant text := private.entry_condition(sees_history, author is not null,
    since is not null or until is not null, at_time is not null);
  found_at constant text := case when by_day then 'm.from_time' else 'm.stamp' end;
  entry constant text := format('(m.stream_id, m.place, m.nth, m.class, m.kind, %s)::private.found_entry', found_at);
  few private.found_entry[];
  is_all boolean;
begin
  if by_day then
    -- The limit comes before the condition, since most entries of other times fail it.
    execute format('
      select coalesce(array_agg(%s) filter (where %s), ''{}''), count(*) <= 2000
      from (select * from private.search_entries m where m.words @@ $1 limit 2001) m', entry, condition)
      into few, is_all using asked, author, since, until, at_time;
  else
    execute format('select array(select %s from private.search_entries m where m.words @@ $1 and %s limit 2001)',
      entry, condition)
      into few using asked, author, since, until, at_time;
    is_all := cardinality(few) <= 2000;
  end if;
  if is_all then
    return query select * from unnest(few);
    return;
  end if;
  return query execute format('
    select m.stream_id, m.place, m.nth, m.class, m.kind, %s from private.search_entries m
    where m.workspace_id = $6 and m.class = $7 and m.words @@ $1 and %s %s
    order by %1$s desc limit 400', found_at, condition,
    -- Present entries have no end. Without an `or`, the index serves the condition.
    case when by_day and of_class <> 'n' then 'and m.to_time > $5' end)
    using asked, author, since, until, at_time, workspace, of_class;
end;
$$;

-- A found entry as the caller receives it. Restricted readers get the author and time of comments only, and for past
-- text the newest named version in which it is present.
create function private.told_entry(m private.search_entries, sees_history boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('document', m.stream_id, 'kind', m.kind, 'text', m.text, 'stands', m.class = 'n',
      'thread', m.thread_id)
    || case
      when sees_history then jsonb_build_object('author', m.author_id, 'authors', m.authors, 'since', m.written_at,
        'from', m.from_version, 'until', m.to_time, 'endedBy', m.ended_by, 'gone', m.class in ('g', 'h'),
        'stoodAt', m.stood_version, 'stoodEdit', m.stood_edit)
      when m.kind = 'comment' then jsonb_build_object('author', m.author_id, 'since', m.written_at)
      else coalesce((select jsonb_build_object('named', v.name, 'stoodAt', v.at) from public.versions v
        where m.class <> 'n' and v.document_id = m.stream_id and v.at = any (m.named_at)
        order by v.at desc limit 1), '{}')
    end
$$;

-- Searches a workspace: the present text (`now`), everything ever written (`ever`), or the text as of a time. Returns
-- { results: [titles first, then the newest], found, documents, isMore }, where `documents` counts the results in each;
-- null for callers who are not members. Each place in a document is found once: its present entry, otherwise the last.
-- A link has no text of its own and reads as the title of its target, so a search for a title by words alone also finds
-- the links to that document.
create function public.search(
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

revoke execute on all functions in schema private from public;
revoke execute on function public.read_unindexed(int), public.settle_index(uuid, bigint), public.read_index(uuid),
  public.write_index(uuid, bigint, jsonb, jsonb, boolean), public.rebuild_index(uuid) from public, anon, authenticated;
revoke execute on function public.search(uuid, text, text, uuid, timestamptz, timestamptz, timestamptz, boolean, int)
  from public, anon;
grant execute on function public.read_unindexed(int), public.settle_index(uuid, bigint), public.read_index(uuid),
  public.write_index(uuid, bigint, jsonb, jsonb, boolean), public.rebuild_index(uuid) to service_role;
grant execute on function public.search(uuid, text, text, uuid, timestamptz, timestamptz, timestamptz, boolean, int)
  to authenticated, service_role;
