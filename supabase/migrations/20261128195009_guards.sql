-- The guards: triggers that keep the log append-only and let each new row only continue it, independent of grants and
-- of the caller's role. They are `enable always`, so they also fire with `session_replication_role = replica`.

-- Refuses the statement that it is attached to.
create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using
    errcode = '42501',
    message = format('%I is append-only: %s is refused for everyone', tg_table_name, tg_op);
end;
$$;

-- Refuses a statement of any role but the owner of the table, which also owns append_events.
create function private.refuse_others() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
    raise exception using
      errcode = '42501',
      message = format('%I is written by append_events alone: %s is refused', tg_table_name, tg_op);
  end if;
  return null;
end;
$$;

-- Checks new events against the head of their stream, the phases of their subjects, the caller's identity and the
-- chain, and moves the head. It trusts nothing that the append path computed; a foreign key enforces the law.
create function private.guard_events() returns trigger
language plpgsql set search_path = '' as $$
declare
  caller uuid := auth.uid();
  e public.events;
  before public.events;
  head private.streams;
  phase text;
  first_position bigint;
begin
  for e in select * from added order by stream_id, version loop
    if before.stream_id is distinct from e.stream_id then
      if before.stream_id is not null then
        perform private.move_head(head, first_position, before.position);
      end if;
      select * into head from private.streams s where s.id = e.stream_id for update;
      first_position := e.position;
      before := null;
    end if;
    if before.subject_id is distinct from e.subject_id or before.subject_kind is distinct from e.subject_kind then
      phase := null;
      -- The phase after the subject's last earlier row in this statement, otherwise the one before the statement.
      if before.id is not null then
        select a.to_phase into phase from added a
        where a.stream_id = e.stream_id and a.subject_kind = e.subject_kind
          and a.subject_id = e.subject_id and a.version < e.version
        order by a.version desc limit 1;
      end if;
      if phase is null then
        select s.phase into phase from private.subjects s
        where s.stream_id = e.stream_id and s.kind = e.subject_kind and s.id = e.subject_id;
      end if;
    end if;
    if head.kind is distinct from e.stream_kind
      or head.workspace_id is distinct from e.workspace_id
      or e.version is distinct from head.version + 1
      or e.recorded_at <= head.recorded_at
      or e.client_time < head.client_time
      or e.actor_id is distinct from caller
      or e.from_phase is distinct from coalesce(phase, 'absent')
    then
      raise exception using errcode = '23514', message = 'the event does not continue its stream';
    end if;
    if before.id is not null and e.position is distinct from before.position + 1 then
      raise exception using errcode = '23514', message = 'the event does not continue its workspace';
    end if;
    head.hash := private.event_hash(head.hash, e);
    if e.hash is distinct from head.hash then
      raise exception using errcode = '23514', message = 'the event does not continue the chain';
    end if;
    head.version := e.version;
    head.recorded_at := e.recorded_at;
    head.client_time := e.client_time;
    phase := e.to_phase;
    before := e;
  end loop;
  if before.id is not null then
    perform private.move_head(head, first_position, before.position);
  end if;
  return null;
end;
$$;

-- Stores the head of a stream and the position of its workspace, whose counter must be one below the first new
-- position.
create function private.move_head(head private.streams, first_position bigint, last_position bigint) returns void
language plpgsql set search_path = '' as $$
begin
  update private.streams s
  set version = head.version, hash = head.hash, client_time = head.client_time, recorded_at = head.recorded_at
  where s.id = head.id;
  if head.workspace_id is not null then
    update private.feeds f set position = last_position
    where f.workspace_id = head.workspace_id and f.position = first_position - 1;
    if not found then
      raise exception using errcode = '23514', message = 'the event does not continue its workspace';
    end if;
  end if;
end;
$$;

-- Checks that each new payload has the hash that its event committed to.
create function private.guard_payloads() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- One subquery for each row, so that no plan scans the whole log.
  if exists (
    select from added a
    where (select e.payload_hash from public.events e where e.id = a.event_id)
      is distinct from private.payload_hash(a.salt, a.body, a.update)
  ) then
    raise exception using errcode = '23514', message = 'the payload is not the one its event committed to';
  end if;
  return null;
end;
$$;

-- Refuses an edit of an unknown version of the document's schema.
create function private.guard_text_schema() returns trigger
language plpgsql set search_path = '' as $$
begin
  if exists (select from private.schemas s where s.event_type = new.type and s.carries_update)
    and not exists (select from private.text_schemas t where t.version = new.schema)
  then
    perform private.refuse('invalid-event', 'schema-unknown', 'this version of the text’s schema is unknown');
  end if;
  return new;
end;
$$;

-- The role that creates the tables owns them. The `when` condition saves it the catalog query of refuse_others, since
-- every append writes three of these tables.
do $$
declare
  t regclass;
begin
  execute format('create trigger a_refuse_others before insert on public.events
      for each statement when (current_user <> %L) execute function private.refuse_others()', current_user);
  execute format('create trigger a_refuse_others before insert or update on public.event_payloads
      for each statement when (current_user <> %L) execute function private.refuse_others()', current_user);
  foreach t in array array['public.accounts', 'public.workspaces', 'public.members',
    'public.invitations', 'public.documents',
    'public.versions', 'public.threads', 'public.comments']::regclass[]
  loop
    execute format('create trigger a_refuse_others before insert or update or delete or truncate on %s
      for each statement when (current_user <> %L) execute function private.refuse_others()', t, current_user);
    execute format('alter table %s enable always trigger a_refuse_others', t);
  end loop;
end;
$$;

create trigger a_refuse_change before update or delete or truncate on public.events
  for each statement execute function private.refuse_change();
create trigger a_guard_text_schema before insert on public.events for each row
  when (new.schema > 1)
  execute function private.guard_text_schema();
create trigger b_guard after insert on public.events referencing new table as added
  for each statement execute function private.guard_events();
alter table public.events enable always trigger a_refuse_change;
alter table public.events enable always trigger a_refuse_others;
alter table public.events enable always trigger a_guard_text_schema;
alter table public.events enable always trigger b_guard;

-- A payload changes only by redaction, whose guard is in the next file.
create trigger a_refuse_change before delete or truncate on public.event_payloads
  for each statement execute function private.refuse_change();
create trigger b_guard after insert on public.event_payloads referencing new table as added
  for each statement execute function private.guard_payloads();
alter table public.event_payloads enable always trigger a_refuse_change;
alter table public.event_payloads enable always trigger a_refuse_others;
alter table public.event_payloads enable always trigger b_guard;

revoke execute on all functions in schema private from public;
