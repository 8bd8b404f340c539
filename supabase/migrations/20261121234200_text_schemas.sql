-- A log that holds an edit of a newer schema is read-only to everybody who has not that version yet. Any number was taken, so
-- that an editor could make a document read-only for good. From now on a number must be that of a version that there is: a
-- release which raises it brings a migration that adds it here, and is installed with it.
create table private.text_schemas (version int primary key);
insert into private.text_schemas (version) values (1);

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
revoke execute on function private.guard_text_schema() from public;
create trigger a_guard_text_schema before insert on public.events for each row
  when (new.schema > 1)
  execute function private.guard_text_schema();
alter table public.events enable always trigger a_guard_text_schema;
