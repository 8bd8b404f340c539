-- A measure from before a redaction is refused as a derived state from before one is: by version-conflict, for the same again
-- will do.

create or replace function public.write_load(stream uuid, version bigint, bytes bigint, pieces bigint, stopped boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  head private.streams;
  more record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_load.stream and s.kind = 'document' for update;
  if not found or head.version < write_load.version then
    perform private.refuse('invalid-event', 'this is not the log that was measured');
  end if;
  if write_load.version < head.redacted_at then
    perform private.refuse('version-conflict', 'something was redacted since');
  end if;
  select coalesce(sum(load.bytes), 0) as bytes, coalesce(sum(load.pieces), 0) as pieces into more
  from public.events e join public.event_payloads p on p.event_id = e.id cross join lateral private.load_of(p.update) as load
  where e.stream_id = write_load.stream and e.version > write_load.version and p.update is not null;
  update private.streams s
  set bytes = write_load.bytes + more.bytes,
      pieces = write_load.pieces + more.pieces,
      measured_at = write_load.version,
      stopped_at = case when write_load.stopped then write_load.version end
  where s.id = write_load.stream;
end;
$$;

-- The versions of the events behind a version that may come to the most, the largest first: those from 64 KiB on. Service only.
create function public.largest_events(stream uuid, after_version bigint, max_count int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service measures documents');
  end if;
  return (
    select coalesce(jsonb_agg(large.version order by large.bytes desc, large.version), '[]')
    from (
      select e.version, load.bytes
      from public.events e join public.event_payloads p on p.event_id = e.id cross join lateral private.load_of(p.update) as load
      where e.stream_id = largest_events.stream and e.version > coalesce(largest_events.after_version, 0)
        and p.update is not null and p.redacted_by is null and load.bytes >= 65536
      order by load.bytes desc, e.version
      limit greatest(0, least(coalesce(largest_events.max_count, 100), 199))
    ) as large
  );
end;
$$;
revoke execute on function public.largest_events(uuid, bigint, int) from public, anon, authenticated;
grant execute on function public.largest_events(uuid, bigint, int) to service_role;
