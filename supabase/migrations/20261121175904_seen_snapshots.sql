-- A state of a version from before a redaction may be kept again, if it was folded from the log as it is since. Until now
-- none was let in, so that whoever asked for an old named version had all of the log folded for them each time.

-- How far the log had come when the service began to read it for this; null: no further than the state's own version.
alter table public.snapshots add column seen bigint check (seen >= version);

create function private.guard_snapshot() returns trigger
language plpgsql set search_path = '' as $$
begin
  if coalesce(new.seen, new.version) < (select s.redacted_at from private.streams s where s.id = new.stream_id for share) then
    perform private.refuse('version-conflict', 'something was redacted since');
  end if;
  return new;
end;
$$;
drop trigger b_guard_cache on public.snapshots;
create trigger b_guard_cache before insert or update on public.snapshots for each row execute function private.guard_snapshot();
alter table public.snapshots enable always trigger b_guard_cache;

drop function public.write_snapshot(uuid, bigint, text);

-- Stores the state (base64) of a stream at a version; the log has reached it and what was `seen` of it. Service only.
create function public.write_snapshot(stream uuid, version bigint, state text, seen bigint default null) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
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
  if private.from_base64(write_snapshot.state) is null then
    perform private.refuse('invalid-event', 'state is not base64');
  end if;
  insert into public.snapshots as kept (stream_id, version, state, seen)
  values (stream, write_snapshot.version, private.from_base64(write_snapshot.state), write_snapshot.seen)
  on conflict (stream_id, version) do update set state = excluded.state, seen = excluded.seen;
end;
$$;

revoke execute on function private.guard_snapshot() from public;
revoke execute on function public.write_snapshot(uuid, bigint, text, bigint) from public, anon, authenticated;
grant execute on function public.write_snapshot(uuid, bigint, text, bigint) to service_role;
