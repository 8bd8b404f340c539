-- Base64 of a whole document is made letter by letter with translate, and takes as long as all the rest of reading it; replace looks
-- for the line ends alone.

-- The newest sound snapshot at or before a version (without one: the newest), as { version, state } with base64; null for none.
create or replace function public.read_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version, 'state', replace(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream and (at_version is null or s.version <= at_version) and (select private.may_read(stream))
    and private.is_sound(s)
  order by s.version desc
  limit 1
$$;

-- A stream's segments of one format behind a version, in order, as [{ from, to, moments, bytes }] with base64.
create or replace function public.read_segments(
  stream uuid, after_version bigint default 0, max_count int default 8, of_format int default 1
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'from', s.from_version, 'to', s.to_version, 'moments', s.moments,
    'bytes', replace(encode(s.bytes, 'base64'), E'\n', '')) order by s.from_version), '[]')
  from (
    select * from public.segments s
    where s.stream_id = stream and s.from_version > coalesce(after_version, 0) and s.format = of_format
      and (select private.may_read(stream))
    order by s.from_version
    limit greatest(0, least(coalesce(max_count, 8), 64))
  ) as s
$$;
