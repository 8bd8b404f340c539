-- Segments: a document's history in the form that a player reads. A cache like snapshots: made from the log by the service,
-- held against the hash of the log at its last version, thrown away and made again whenever that is wanted.

create table public.segments (
  stream_id uuid not null,
  from_version bigint not null check (from_version >= 1),
  to_version bigint not null,
  -- How far the log had come when the service began to read it for this: what was redacted later may be in here.
  version bigint not null,
  format int not null,
  moments int not null check (moments >= 1),
  head bytea not null,
  bytes bytea not null,
  primary key (stream_id, from_version),
  check (to_version >= from_version and version >= to_version)
);
alter table public.segments alter column bytes set storage external;
alter table public.segments enable row level security;
create policy "who may read a stream reads its segments" on public.segments for select to authenticated
  using (stream_id in (
    select d.id from public.documents d where d.workspace_id in (select private.my_workspaces())
  ));
create trigger a_refuse_others before insert or update or delete or truncate on public.segments
  for each statement execute function private.refuse_others();
alter table public.segments enable always trigger a_refuse_others;
revoke all on public.segments from anon, authenticated, service_role;
grant select on public.segments to authenticated, service_role;

-- Where redaction knows of caches, this is one of them.
do $$
begin
  if to_regprocedure('private.register_cache(regclass)') is not null then
    perform private.register_cache('public.segments');
  end if;
end;
$$;

-- Keeps a segment (base64) that goes on where the one before it ends, in place of all from its first version on. `head` is
-- the hash (hex) of the event that it ends with: what was not made from this very log is refused. Service only.
create function public.write_segment(
  stream uuid, from_version bigint, to_version bigint, seen bigint, format int, moments int, head text, bytes text
) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service writes segments');
  end if;
  if not exists (
    select from public.events e
    where e.stream_id = stream and e.version = write_segment.to_version and encode(e.hash, 'hex') = write_segment.head
  ) or not exists (select from private.streams s where s.id = stream and s.version >= seen) then
    perform private.refuse('invalid-event', 'this is not the log that the segment was made from');
  end if;
  if write_segment.from_version > 1 and not exists (
    select from public.segments s where s.stream_id = stream and s.to_version = write_segment.from_version - 1
  ) then
    perform private.refuse('invalid-event', 'the segment before it is missing');
  end if;
  if private.from_base64(write_segment.bytes) is null then
    perform private.refuse('invalid-event', 'bytes is not base64');
  end if;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  delete from public.segments s where s.stream_id = stream and s.from_version >= write_segment.from_version;
  insert into public.segments (stream_id, from_version, to_version, version, format, moments, head, bytes)
  values (stream, write_segment.from_version, write_segment.to_version, seen, write_segment.format, write_segment.moments,
    decode(write_segment.head, 'hex'), private.from_base64(write_segment.bytes));
end;
$$;

-- A stream's segments of one format behind a version, in order, as [{ from, to, moments, bytes }] with base64.
create function public.read_segments(
  stream uuid, after_version bigint default 0, max_count int default 8, of_format int default 1
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'from', s.from_version, 'to', s.to_version, 'moments', s.moments,
    'bytes', translate(encode(s.bytes, 'base64'), E'\n', '')) order by s.from_version), '[]')
  from (
    select * from public.segments s
    where s.stream_id = stream and s.from_version > coalesce(after_version, 0) and s.format = of_format
      and (select private.may_read(stream))
    order by s.from_version
    limit greatest(0, least(coalesce(max_count, 8), 64))
  ) as s
$$;

revoke execute on function public.write_segment(uuid, bigint, bigint, bigint, int, int, text, text) from public, anon, authenticated;
grant execute on function public.write_segment(uuid, bigint, bigint, bigint, int, int, text, text) to service_role;
revoke execute on function public.read_segments(uuid, bigint, int, int) from public, anon;
grant execute on function public.read_segments(uuid, bigint, int, int) to authenticated, service_role;
