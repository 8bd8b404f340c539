-- Snapshots are held against the log whenever they are read, and those who make them and segments are told when that is due:
-- until now only somebody who opened the page of a document made that come about.

-- The hash of the event at whose version the state stands, and the digest of what was kept with it.
alter table public.snapshots add column head bytea, add column digest bytea;

-- What one snapshot has to say for itself: these bytes, at this place of this log.
create function private.snapshot_digest(stream uuid, version bigint, head bytea, state bytea) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to('palimpsest snapshot' || stream::text || ' ' || version::text || ' ', 'UTF8') || head || state)
$$;

-- Whether a kept state is still what was kept, for the log as it is. One from before there were digests is not.
create function private.is_sound(s public.snapshots) returns boolean
language sql stable set search_path = '' as $$
  select s.head is not null
    and s.head = (select e.hash from public.events e where e.stream_id = s.stream_id and e.version = s.version)
    and s.digest = private.snapshot_digest(s.stream_id, s.version, s.head, s.state)
$$;

drop function public.write_snapshot(uuid, bigint, text, bigint);

-- Stores the state (base64) of a stream at a version; the log has reached it and what was `seen` of it. `head` is the hash
-- (hex) of the event that the state was folded up to: a state of another log is refused. Of states that have no name the two
-- newest are kept, and none that is not sound. Service only.
create function public.write_snapshot(stream uuid, version bigint, state text, seen bigint default null, head text default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  linked bytea;
  bytes bytea := private.from_base64(write_snapshot.state);
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service writes snapshots');
  end if;
  if write_snapshot.version < 1 or write_snapshot.seen < write_snapshot.version or not exists (
    select from private.streams s
    where s.id = stream and s.version >= coalesce(write_snapshot.seen, write_snapshot.version)
  ) then
    perform private.refuse('invalid-event', 'the log has not reached this version');
  end if;
  if bytes is null then
    perform private.refuse('invalid-event', 'state is not base64');
  end if;
  select e.hash into linked from public.events e where e.stream_id = stream and e.version = write_snapshot.version;
  if linked is null or encode(linked, 'hex') <> coalesce(write_snapshot.head, encode(linked, 'hex')) then
    perform private.refuse('invalid-event', 'this is not the log that the state was folded from');
  end if;
  insert into public.snapshots as kept (stream_id, version, state, seen, head, digest)
  values (stream, write_snapshot.version, bytes, write_snapshot.seen, linked,
    private.snapshot_digest(stream, write_snapshot.version, linked, bytes))
  on conflict (stream_id, version) do update
    set state = excluded.state, seen = excluded.seen, head = excluded.head, digest = excluded.digest;
  delete from public.snapshots s where s.stream_id = stream and (
    not private.is_sound(s)
    or s.version < (select min(newest.version) from (
        select n.version from public.snapshots n where n.stream_id = stream order by n.version desc limit 2) as newest)
      and s.version <> write_snapshot.version
      and not exists (select from public.versions v where v.document_id = stream and v.at = s.version));
end;
$$;

-- The newest sound snapshot at or before a version (without one: the newest), as { version, state } with base64; null for none.
create or replace function public.read_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version, 'state', translate(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream and (at_version is null or s.version <= at_version) and (select private.may_read(stream))
    and private.is_sound(s)
  order by s.version desc
  limit 1
$$;

-- The state of a document at a version that has a name, or (null) the newest that is kept, as { version, state } with base64;
-- null where there is none that is sound. A graded reader's only way to the text.
create or replace function public.read_version(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version,
    'state', translate(encode(private.without_bindings(s.state), 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream
    and (select private.role_in(d.workspace_id) from public.documents d where d.id = stream) is not null
    and case when at_version is null then true
      else s.version = at_version and exists (select from public.versions v where v.document_id = stream and v.at = at_version) end
    and private.is_sound(s)
  order by s.version desc
  limit 1
$$;

-- Documents whose log has grown by so much that a snapshot or a segment may be due. Appending leaves a mark here now and
-- then, which costs it nothing in between; whoever takes the mark counts exactly.
create table private.upkeep (
  stream_id uuid primary key,
  marked_at timestamptz not null default now()
);

create function private.mark_grown_stream() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into private.upkeep (stream_id) values (new.id) on conflict do nothing;
  return null;
end;
$$;
create trigger c_mark_upkeep after update of version on private.streams for each row
  when (new.kind = 'document' and new.version / 32 <> old.version / 32)
  execute function private.mark_grown_stream();
alter table private.streams enable always trigger c_mark_upkeep;

create function private.mark_heavy_payload() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into private.upkeep (stream_id)
  select e.stream_id from public.events e where e.id = new.event_id and e.stream_kind = 'document'
  on conflict do nothing;
  return null;
end;
$$;
create trigger c_mark_upkeep after insert on public.event_payloads for each row
  when (octet_length(new.update) >= 8192)
  execute function private.mark_heavy_payload();
alter table public.event_payloads enable always trigger c_mark_upkeep;

insert into private.upkeep (stream_id)
select s.id from private.streams s where s.kind = 'document' and s.version >= 32
on conflict do nothing;

-- Takes the marks of at most so many documents, those marked first before the others, and none that is younger than
-- `settled`: [id …]. Each is given to one who asks. Service only.
create function public.take_upkeep(max_count int default 8, settled interval default '10 seconds') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service keeps documents up');
  end if;
  with gone as (
    delete from private.upkeep u where u.stream_id in (
      select w.stream_id from private.upkeep w where w.marked_at <= now() - settled
      order by w.marked_at limit greatest(0, least(max_count, 64)) for update skip locked
    ) returning u.stream_id
  )
  select coalesce(jsonb_agg(gone.stream_id), '[]') into taken from gone;
  return taken;
end;
$$;

revoke execute on function private.snapshot_digest(uuid, bigint, bytea, bytea), private.is_sound(public.snapshots),
  private.mark_grown_stream(), private.mark_heavy_payload() from public;
revoke execute on function public.write_snapshot(uuid, bigint, text, bigint, text) from public, anon, authenticated;
grant execute on function public.write_snapshot(uuid, bigint, text, bigint, text) to service_role;
revoke execute on function public.take_upkeep(int, interval) from public, anon, authenticated;
grant execute on function public.take_upkeep(int, interval) to service_role;
