-- A fold that was ended for its time says less than one that came to too much: the machine may have been busy. So such a stop is
-- lifted again, after an hour, then two, four and so on, and whoever opens the document then tries once more.
alter table private.streams
  add column stopped_until timestamptz,
  add column stops int not null default 0;
create index on private.streams (stopped_until) where stopped_until is not null;

-- Keeps that a fold had to be ended for its time behind a version. What the document holds stays counted as it was: nothing was
-- measured. Service only.
create function public.write_stop(stream uuid, version bigint) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  head private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service measures documents');
  end if;
  select * into head from private.streams s where s.id = write_stop.stream and s.kind = 'document' for update;
  if not found or write_stop.version < 1 or head.version < write_stop.version then
    perform private.refuse('invalid-event', 'this is not the log that was folded');
  end if;
  if write_stop.version < head.redacted_at then
    perform private.refuse('version-conflict', 'something was redacted since');
  end if;
  update private.streams s
  set stopped_at = write_stop.version,
      -- Two who fold it at the same time come to the same stop, and one that is for good stays so.
      stopped_until = case when s.stopped_at is null then now() + interval '1 hour' * (1 << least(s.stops, 9)) else s.stopped_until end,
      stops = s.stops + (s.stopped_at is null)::int
  where s.id = write_stop.stream;
end;
$$;

-- What is measured is known: a stop that comes of it is for good, and the stops before it are forgotten.
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
      stopped_at = case when write_load.stopped then write_load.version end,
      stopped_until = null,
      stops = 0
  where s.id = write_load.stream;
end;
$$;

-- Takes the marks of at most so many documents, those marked first before the others, and none that is younger than
-- `settled`: [id …]. Each is given to one who asks. Stops whose time is over are lifted with that. Service only.
create or replace function public.take_upkeep(max_count int default 8, settled interval default '10 seconds') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  taken jsonb;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service keeps documents up');
  end if;
  -- Before any mark is taken, and waiting for nobody: an append holds its stream while it marks it.
  update private.streams s set stopped_at = null, stopped_until = null
  where s.id in (select over.id from private.streams over where over.stopped_until <= now() for update skip locked);
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

-- Marks documents again that were taken and could not be kept up at the time. Service only.
create function public.mark_upkeep(streams uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service keeps documents up');
  end if;
  insert into private.upkeep (stream_id)
  select s.id from private.streams s where s.id = any (mark_upkeep.streams) and s.kind = 'document' order by s.id
  on conflict do nothing;
end;
$$;

-- Until now a stop said nothing of how it came about, and one for time was kept as if the document were full: each of them is
-- tried once more, and measured.
update private.streams s set stopped_until = now(), measured_at = null where s.stopped_at is not null;
insert into private.upkeep (stream_id)
select s.id from private.streams s where s.stopped_until is not null
on conflict do nothing;

revoke execute on function public.write_stop(uuid, bigint), public.mark_upkeep(uuid[]) from public, anon, authenticated;
grant execute on function public.write_stop(uuid, bigint), public.mark_upkeep(uuid[]) to service_role;
