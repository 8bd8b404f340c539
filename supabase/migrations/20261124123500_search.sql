-- Search. What is written lies in Yjs updates, which SQL cannot read, so the service's maintenance
-- writes what a document says and ever said as entries: a stretch of a textblock, a title or a
-- comment, as it read from one version to before another. They are a cache: registered, so that
-- what is redacted leaves in the same transaction, and made again from the log at any time.

-- What is searched for and what is found is folded alike: letters of either case, with and without
-- accents, points and vowel signs, in each form of the same letter.
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

-- Letters of scripts that put no spaces between words, or that put more than one word between two:
-- Thai to Burmese, Han, kana, Hangul, and pictographs. Every two that follow each other are a token.
create function private.gram_letters() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '\u0e01-\u0e2e\u0e30-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u2600-\u27bf\u2e80-\u2fdf'
    '\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff'
    '\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff'
    '\U0001f000-\U0001faff\U00020000-\U0003ffff'
$$;

-- What stands between words.
create function private.word_breaks() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f'
    '\u066a-\u066d\u06d4\u06dd\u06de\u0964\u0965\u0e2f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u17d4-\u17da\u1680'
    '\u2000-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20cf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004'
    '\u3008-\u3020\u3030\u303d-\u3040\u30a0\u30fb\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe6f\uff01-\uff0f\ufff0-\uffff'
$$;

-- The tokens of a text, each with its place: words, and pairs of letters where words are not set
-- apart. `alone` is a letter of such a script without another behind it; `ends` is one that ends a
-- longer run.
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

-- The tokens of an entry as a text search vector. Each begins with what it belongs to, the number of its workspace and
-- the class of the entry: so whoever asks touches no entry of anything that they may not read,
-- and learns nothing by how long it takes. Arabic and Hebrew words are there without article or
-- particle, too.
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

-- What somebody looks for: every word, in any order, as the beginning of a word; what stands in
-- quotation marks, word by word. Nothing in it is an operator. Without any word it is empty.
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

-- Each workspace that is searched, by a short number, and up to which position of its feed its documents are indexed.
create table private.search_workspaces (
  position bigint not null default 0,
  number int generated always as identity,
  workspace_id uuid primary key
);

-- What was written, as it can be searched. What stands has no `to_version`. The classes:
-- n   stands now
-- g,h was deleted; h was so at a named version
-- p,q reads otherwise now, though nothing of it went; q was so at a named version
create table private.search_entries (
  -- How far the log had come when the service read it for this.
  version bigint not null,
  from_version bigint not null,
  to_version bigint,
  -- The last revision at which it stood: an edit within a version.
  stood_version bigint,
  stood_edit int,
  from_time timestamptz not null,
  written_at timestamptz not null,
  to_time timestamptz check ((to_time is null) = (to_version is null)),
  stamp timestamptz not null generated always as (coalesce(to_time, written_at)) stored,
  -- The how manieth of its place.
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
  -- Everybody of whom a word stands in it, and the named versions (by `at`) that read so.
  authors uuid[] not null,
  named_at bigint[] not null,
  text text not null,
  words tsvector not null,
  primary key (stream_id, place, nth)
);
-- Without a list of what is still to be put in, which every search would have to read.
create index search_entries_by_words on private.search_entries using gin (words) with (fastupdate = off);
create index search_entries_by_time on private.search_entries (workspace_id, class, stamp);

-- Up to which version a document is indexed, and since when.
create table private.search_states (
  version bigint not null,
  indexed_at timestamptz not null default now(),
  stream_id uuid primary key
);

select private.register_cache('private.search_entries');
select private.register_cache('private.search_states');

-- Refuses everybody but the service.
create function private.only_indexer() returns void
language plpgsql set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service indexes documents');
  end if;
end;
$$;

-- Documents whose log has gone beyond what is indexed, of a few workspaces at most:
-- [{ workspace, position, documents: [id …] }]. Nothing is taken: whoever has indexed them says so
-- by settle_index, and what nobody came to is told again. Service only.
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

-- What is indexed of a document: { version, entries: [[place, nth, digest] …] }. Service only.
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

-- Takes entries of a document out of the index, [[place, nth] …], and puts others in; `seen` is
-- how far the log had come when it was read. With `whole` that is all, and the document is indexed
-- up to there. Service only.
create function public.write_index(stream uuid, seen bigint, gone jsonb, entries jsonb, whole boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  workspace uuid;
  belongs text;
begin
  perform private.only_indexer();
  -- Before anything else, as an append does: so this and a redaction do not wait for each other.
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

-- Empties the index of a workspace, or of all, so that all of it is made anew. Service only.
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

-- Where an entry is found in the index.
create type private.found_entry as (stream_id uuid, place text, nth int, class text, kind text, stamp timestamptz);

-- What the entries that somebody asked for have to be, as a condition on m: of $2 an author, $3 and $4 from when and
-- until when something happened to them, $5 a time at which they stood. Readers without the right
-- to the history know neither who wrote what nor when, nor what stood at versions without a name;
-- and of the text of now nothing that was not indexed for a minute. They are asked of comments
-- alone who wrote them when.
create function private.entry_condition(sees_history boolean, by_author boolean, by_time boolean, at_time boolean)
returns text
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
          select from private.search_states s join private.streams d on d.id = s.stream_id
          where s.stream_id = m.stream_id
            and (s.version = d.version or s.indexed_at > now() - interval ''1 minute''))
        else exists (select from public.versions v where v.document_id = m.stream_id and v.at = any (m.named_at)) end'
    end)
$$;

-- Finds the entries of one class that a query matches: all of them where they are at most 2000, else the newest 400.
create function private.find_entries(
  workspace uuid, asked tsquery, of_class text, sees_history boolean, author uuid,
  since timestamptz, until timestamptz, at_time timestamptz
) returns setof private.found_entry
language plpgsql stable set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  condition text := private.entry_condition(sees_history, author is not null,
    since is not null or until is not null, at_time is not null);
  few private.found_entry[];
begin
  execute format('select array(
    select (m.stream_id, m.place, m.nth, m.class, m.kind, m.stamp)::private.found_entry
    from private.search_entries m where m.words @@ $1 and %s limit 2001)', condition)
    into few using asked, author, since, until, at_time;
  if cardinality(few) <= 2000 then
    return query select * from unnest(few);
    return;
  end if;
  return query execute format('
    select m.stream_id, m.place, m.nth, m.class, m.kind, m.stamp from private.search_entries m
    where m.workspace_id = $6 and m.class = $7 and m.words @@ $1 and %s
    order by m.stamp desc limit 400', condition)
    using asked, author, since, until, at_time, workspace, of_class;
end;
$$;

-- A found entry as it is told: to readers without the right to the history neither who wrote it,
-- except for a comment, nor when, nor until when, but at which named version it stood.
create function private.told_entry(m private.search_entries, sees_history boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('document', m.stream_id, 'kind', m.kind, 'text', m.text, 'stands', m.class = 'n',
      'thread', m.thread_id)
    || case
      when sees_history then jsonb_build_object('author', m.author_id, 'since', m.written_at, 'from', m.from_version,
        'until', m.to_time, 'endedBy', m.ended_by, 'gone', m.class in ('g', 'h'),
        'stoodAt', m.stood_version, 'stoodEdit', m.stood_edit)
      when m.kind = 'comment' then jsonb_build_object('author', m.author_id, 'since', m.written_at)
      else coalesce((select jsonb_build_object('named', v.name, 'stoodAt', v.at) from public.versions v
        where m.class <> 'n' and v.document_id = m.stream_id and v.at = any (m.named_at)
        order by v.at desc limit 1), '{}')
    end
$$;

-- Searches what is written in a workspace: in the text as it is (`now`), in everything ever written
-- (`ever`), or as it stood at a time. { results: [the newest, titles before], found, documents,
-- isMore } where `documents` counts what was found in each; null for who is no member. A place in
-- a document is found once: as it stands, else as it stood last.
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
    ), ordered as (
      select p.*, row_number() over (order by p.kind = 'title' and p.class = 'n' desc,
        case when sees_history then p.stamp else p.updated_at end desc, p.stream_id, p.place) as rank
      from places p
    )
    select jsonb_build_object(
      'results', (select coalesce(jsonb_agg(private.told_entry(m, sees_history) order by o.rank), '[]')
        from ordered o join private.search_entries m using (stream_id, place, nth)
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
grant execute on function public.read_unindexed(int), public.settle_index(uuid, bigint), public.read_index(uuid),
  public.write_index(uuid, bigint, jsonb, jsonb, boolean), public.rebuild_index(uuid) to service_role;
revoke execute on function public.search(uuid, text, text, uuid, timestamptz, timestamptz, timestamptz, boolean, int)
  from public, anon;
grant execute on function public.search(uuid, text, text, uuid, timestamptz, timestamptz, timestamptz, boolean, int)
  to authenticated, service_role;
