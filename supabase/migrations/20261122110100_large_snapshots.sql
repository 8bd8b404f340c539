-- A state of many megabytes is kept and read in parts: one answer of that size would hold up everybody whose requests go
-- through the same process while it is put into JSON and taken out again.

-- Parts of a state that is being written, by one of those who may be at it. Registered as derived, so that a redaction empties it.
create table private.snapshot_parts (
  stream_id uuid not null,
  version bigint not null,
  upload uuid not null,
  part int not null check (part between 0 and 255),
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  made_at timestamptz not null default now(),
  primary key (stream_id, version, upload, part)
);
alter table private.snapshot_parts enable row level security;
select private.register_cache('private.snapshot_parts');

-- Keeps a part (base64) of a state that write_snapshot is to be called for without one. Service only.
create function public.write_snapshot_part(stream uuid, version bigint, upload uuid, part int, bytes text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service writes snapshots');
  end if;
  if private.from_base64(write_snapshot_part.bytes) is null then
    perform private.refuse('invalid-event', 'bytes is not base64');
  end if;
  -- What somebody began and never ended.
  delete from private.snapshot_parts p where p.stream_id = stream and p.made_at < now() - interval '1 hour';
  insert into private.snapshot_parts (stream_id, version, upload, part, bytes)
  values (stream, write_snapshot_part.version, write_snapshot_part.upload, write_snapshot_part.part, private.from_base64(write_snapshot_part.bytes))
  on conflict (stream_id, version, upload, part) do update set bytes = excluded.bytes, made_at = excluded.made_at;
end;
$$;

drop function public.write_snapshot(uuid, bigint, text, bigint, text);

-- As before; without a state it takes the parts of an upload.
create function public.write_snapshot(
  stream uuid, version bigint, state text, seen bigint default null, head text default null, upload uuid default null
) returns void
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
  if write_snapshot.state is null then
    select string_agg(p.bytes, '' order by p.part) into bytes
    from private.snapshot_parts p
    where p.stream_id = stream and p.version = write_snapshot.version and p.upload = write_snapshot.upload;
    delete from private.snapshot_parts p where p.stream_id = stream and p.upload = write_snapshot.upload;
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

-- The newest sound snapshot at or before a version (without one: the newest), as { version, size, state, stoppedAt, bytes, pieces }: version and
-- state are null where there is none, and state alone where it is larger than a MiB and to be read in parts. `stoppedAt` is
-- the version behind which the document cannot be folded, if there is one. Null for who may not read it.
create function public.open_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', kept.version, 'size', octet_length(kept.state), 'stoppedAt', d.stopped_at,
    'bytes', d.bytes, 'pieces', d.pieces, 'state', case when octet_length(kept.state) <= 1048576 then replace(encode(kept.state, 'base64'), E'\n', '') end)
  from private.streams d left join lateral (
    select s.version, s.state from public.snapshots s
    where s.stream_id = d.id and (at_version is null or s.version <= at_version) and private.is_sound(s)
    order by s.version desc limit 1
  ) as kept on true
  where d.id = stream and (select private.may_read(stream))
$$;

-- A part of a snapshot's state (base64), at most a MiB from a byte on; null where it is gone.
create function public.read_snapshot_part(stream uuid, version bigint, start int) returns text
language sql stable security definer set search_path = '' as $$
  select replace(encode(substring(s.state from read_snapshot_part.start + 1 for 1048576), 'base64'), E'\n', '')
  from public.snapshots s
  where s.stream_id = stream and s.version = read_snapshot_part.version and (select private.may_read(stream))
$$;

revoke execute on function public.write_snapshot(uuid, bigint, text, bigint, text, uuid) from public, anon, authenticated;
grant execute on function public.write_snapshot(uuid, bigint, text, bigint, text, uuid) to service_role;
revoke execute on function public.write_snapshot_part(uuid, bigint, uuid, int, text) from public, anon, authenticated;
grant execute on function public.write_snapshot_part(uuid, bigint, uuid, int, text) to service_role;
revoke execute on function public.open_snapshot(uuid, bigint), public.read_snapshot_part(uuid, bigint, int) from public, anon;
grant execute on function public.open_snapshot(uuid, bigint), public.read_snapshot_part(uuid, bigint, int) to authenticated, service_role;
