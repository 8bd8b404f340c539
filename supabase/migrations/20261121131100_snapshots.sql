-- Snapshots: a document's Yjs state at a version. A cache, made from the log by the service, verified against its head.

create table public.snapshots (
  stream_id uuid not null,
  version bigint not null,
  state bytea not null,
  primary key (stream_id, version)
);
alter table public.snapshots alter column state set storage external;
alter table public.snapshots enable row level security;
create policy "who may read a stream reads its snapshots" on public.snapshots for select to authenticated
  using (stream_id in (
    select d.id from public.documents d where d.workspace_id in (select private.my_workspaces())
  ));
create trigger a_refuse_others before insert or update or delete or truncate on public.snapshots
  for each statement execute function private.refuse_others();
alter table public.snapshots enable always trigger a_refuse_others;
revoke all on public.snapshots from anon, authenticated, service_role;
grant select on public.snapshots to authenticated, service_role;

-- Stores the state (base64) of a stream at a version that the log has reached. Service only.
create function public.write_snapshot(stream uuid, version bigint, state text) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'only the service writes snapshots');
  end if;
  if not exists (select from private.streams s where s.id = stream and s.version >= write_snapshot.version)
    or write_snapshot.version < 1 then
    perform private.refuse('invalid-event', 'the log has not reached this version');
  end if;
  if private.from_base64(write_snapshot.state) is null then
    perform private.refuse('invalid-event', 'state is not base64');
  end if;
  insert into public.snapshots as kept (stream_id, version, state)
  values (stream, write_snapshot.version, private.from_base64(write_snapshot.state))
  on conflict (stream_id, version) do update set state = excluded.state;
end;
$$;

-- The newest snapshot at or before a version (without one: the newest), as { version, state } with base64; null for none.
create function public.read_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version, 'state', translate(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream and (at_version is null or s.version <= at_version) and (select private.may_read(stream))
  order by s.version desc
  limit 1
$$;

revoke execute on function public.write_snapshot(uuid, bigint, text) from public, anon, authenticated;
grant execute on function public.write_snapshot(uuid, bigint, text) to service_role;
revoke execute on function public.read_snapshot(uuid, bigint) from public, anon;
grant execute on function public.read_snapshot(uuid, bigint) to authenticated, service_role;
