-- Whoever writes a segment locks its stream before anything else, as an append does. It used to delete the segments that it
-- replaces first, and wait for the stream then: a redaction, which has the stream and wants the segments gone, and this
-- waited for each other until one of them was thrown out.

create or replace function public.write_segment(
  stream uuid, from_version bigint, to_version bigint, seen bigint, format int, moments int, head text, bytes text
) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service writes segments');
  end if;
  perform from private.streams s where s.id = stream for share;
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
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
  delete from public.segments s where s.stream_id = stream and s.from_version >= write_segment.from_version;
  insert into public.segments (stream_id, from_version, to_version, version, format, moments, head, bytes)
  values (stream, write_segment.from_version, write_segment.to_version, seen, write_segment.format, write_segment.moments,
    decode(write_segment.head, 'hex'), private.from_base64(write_segment.bytes));
end;
$$;
