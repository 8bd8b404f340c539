-- As on a hosted project, REST is told when its tables or functions change, so that it looks at them
-- anew. What is in other schemas, such as the daily partitions of Realtime, it does not serve.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_ddl_commands() as command
    where command.command_tag in (
      'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
      'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE', 'CREATE VIEW', 'ALTER VIEW',
      'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER FUNCTION',
      'CREATE TRIGGER', 'CREATE TYPE', 'ALTER TYPE', 'CREATE RULE', 'COMMENT'
    ) and command.schema_name = 'public'
  ) then
    perform pg_catalog.pg_notify('pgrst', 'reload schema');
  end if;
end $$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from pg_catalog.pg_event_trigger_dropped_objects() as dropped
    where dropped.object_type in (
      'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'rule'
    ) and dropped.schema_name = 'public'
  ) then
    perform pg_catalog.pg_notify('pgrst', 'reload schema');
  end if;
end $$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
exception
  -- On a server of somebody's own, whose user may not: there a notice has to be sent by hand.
  when insufficient_privilege then null;
end $$;
