-- The guards: the log is append-only, and what is added continues it, whatever the grants are and whoever asks. All of these
-- triggers fire always, also for replication roles.

-- Refuses whatever statement it is attached to.
create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception using
    errcode = '42501',
    message = format('%I is append-only: %s is refused for everyone', tg_table_name, tg_op);
end;
$$;

-- Refuses a statement of anybody but the owner of the table, who is the owner of append_events.
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

-- Checks a new event against the head of its stream, the phase of its subject and the caller's identity, links it into
-- the chain and moves the head. It trusts nothing that the append path computed, except the law, which is a foreign key.
create function private.guard_event() returns trigger
language plpgsql set search_path = '' as $$
declare
  head private.streams;
  linked bytea;
begin
  select * into head from private.streams where id = new.stream_id for update;
  if head.kind is distinct from new.stream_kind
    or head.workspace_id is distinct from new.workspace_id
    or new.version is distinct from head.version + 1
    or new.recorded_at <= head.recorded_at
    or new.client_time < head.client_time
    or new.actor_id is distinct from auth.uid()
    or new.from_phase is distinct from coalesce(
      (select s.phase from private.subjects s
       where s.stream_id = new.stream_id and s.kind = new.subject_kind and s.id = new.subject_id), 'absent')
  then
    raise exception using errcode = '23514', message = 'the event does not continue its stream';
  end if;
  if new.workspace_id is not null then
    update private.feeds set position = position + 1
    where workspace_id = new.workspace_id and position = new.position - 1;
    if not found then
      raise exception using errcode = '23514', message = 'the event does not continue its workspace';
    end if;
  end if;
  linked := private.event_hash(head.hash, new);
  if new.hash <> linked then
    raise exception using errcode = '23514', message = 'the event does not continue the chain';
  end if;
  new.hash := linked;
  update private.streams
  set version = new.version, hash = linked, client_time = new.client_time, recorded_at = new.recorded_at
  where id = new.stream_id;
  return new;
end;
$$;

-- Checks that a new payload is the one its event has committed to.
create function private.guard_payload() returns trigger
language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from public.events e
    where e.id = new.event_id and e.payload_hash = private.payload_hash(new.salt, new.body, new.update)
  ) then
    raise exception using errcode = '23514', message = 'the payload is not the one its event committed to';
  end if;
  return new;
end;
$$;

-- Refuses an edit of a version of the document's schema that is not known.
create function private.guard_text_schema() returns trigger
language plpgsql set search_path = '' as $$
begin
  if exists (select from private.schemas s where s.event_type = new.type and s.carries_update)
    and not exists (select from private.text_schemas t where t.version = new.schema)
  then
    perform private.refuse('invalid-event', 'this version of the text’s schema is unknown');
  end if;
  return new;
end;
$$;

do $$
declare
  t regclass;
begin
  foreach t in array array['public.accounts', 'public.workspaces', 'public.members', 'public.invitations', 'public.documents',
    'public.versions', 'public.threads', 'public.comments']::regclass[]
  loop
    execute format('create trigger a_refuse_others before insert or update or delete or truncate on %s for each statement execute function private.refuse_others()', t);
    execute format('alter table %s enable always trigger a_refuse_others', t);
  end loop;
end;
$$;

create trigger a_refuse_change before update or delete or truncate on public.events
  for each statement execute function private.refuse_change();
create trigger a_refuse_others before insert on public.events
  for each statement execute function private.refuse_others();
create trigger a_guard_text_schema before insert on public.events for each row
  when (new.schema > 1)
  execute function private.guard_text_schema();
create trigger b_guard before insert on public.events for each row execute function private.guard_event();
alter table public.events enable always trigger a_refuse_change;
alter table public.events enable always trigger a_refuse_others;
alter table public.events enable always trigger a_guard_text_schema;
alter table public.events enable always trigger b_guard;

-- The one change of a payload is its redaction, whose guard stands with it.
create trigger a_refuse_change before delete or truncate on public.event_payloads
  for each statement execute function private.refuse_change();
create trigger a_refuse_others before insert or update on public.event_payloads
  for each statement execute function private.refuse_others();
create trigger b_guard before insert on public.event_payloads for each row execute function private.guard_payload();
alter table public.event_payloads enable always trigger a_refuse_change;
alter table public.event_payloads enable always trigger a_refuse_others;
alter table public.event_payloads enable always trigger b_guard;

revoke execute on all functions in schema private from public;
