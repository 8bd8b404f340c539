-- What Supabase Realtime keeps in every project: the table whose policies say who may read and write which topic,
-- and the functions that broadcast from a transaction. It is applied at every start.

create schema if not exists realtime;
grant usage on schema realtime to anon, authenticated, service_role;
grant create, usage on schema realtime to supabase_realtime_admin with grant option;

create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  -- A hosted database runs in UTC; this one may not.
  updated_at timestamp without time zone not null default (now() at time zone 'utc'),
  inserted_at timestamp without time zone not null default (now() at time zone 'utc'),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  constraint messages_payload_exclusive check (payload is null or binary_payload is null),
  constraint messages_pkey primary key (id, inserted_at)
) partition by range (inserted_at);

alter table realtime.messages enable row level security;
alter table realtime.messages owner to supabase_realtime_admin;
create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private is true;
grant insert, select, update on realtime.messages to anon, authenticated, service_role;

create or replace function realtime.topic()
returns text language sql stable set search_path = ''
as $$ select nullif(pg_catalog.current_setting('realtime.topic', true), '')::text $$;

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void language plpgsql set search_path = ''
as $$
declare
  generated uuid := pg_catalog.gen_random_uuid();
begin
  -- Whatever goes wrong, the caller's transaction goes on.
  begin
    if not payload ? 'id' then
      payload := pg_catalog.jsonb_set(payload, '{id}', pg_catalog.to_jsonb(generated));
    end if;
    perform pg_catalog.set_config('realtime.topic', topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (generated, payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void language plpgsql set search_path = ''
as $$
begin
  begin
    perform pg_catalog.set_config('realtime.topic', topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
)
returns void language plpgsql set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    pg_catalog.jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception when others then
  raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

create or replace function realtime.to_regrole(role_name text)
returns regrole language sql immutable set search_path = ''
as $$ select role_name::pg_catalog.regrole $$;
grant execute on function realtime.to_regrole(text) to anon, authenticated, service_role;

-- Hosted Realtime reads the write-ahead log; here the server listens. NOTIFY fires at commit, in the order of commits.
create or replace function realtime.announce_message()
returns trigger language plpgsql set search_path = ''
as $$
begin
  perform pg_catalog.pg_notify('realtime_messages', new.id::text);
  return null;
end
$$;

create or replace trigger announce_message after insert on realtime.messages
for each row when (new.event is not null and (new.payload is not null or new.binary_payload is not null))
execute function realtime.announce_message();

-- One partition a day, from yesterday to three days ahead; kept for 72 hours.
create or replace function realtime.keep_partitions()
returns void language plpgsql set search_path = ''
as $$
declare
  today date := (pg_catalog.now() at time zone 'utc')::date;
  first_day date;
  partition text;
begin
  for offset_days in -1..3 loop
    first_day := today + offset_days;
    partition := 'messages_' || pg_catalog.to_char(first_day, 'YYYY_MM_DD');
    if pg_catalog.to_regclass('realtime.' || partition) is null then
      execute pg_catalog.format(
        'create table realtime.%I partition of realtime.messages for values from (%L) to (%L)',
        partition, first_day, first_day + 1
      );
      -- Nobody is to go round the policies of the parent.
      execute pg_catalog.format('alter table realtime.%I enable row level security', partition);
    end if;
  end loop;
  for partition in
    select child.relname
    from pg_catalog.pg_inherits
    join pg_catalog.pg_class child on child.oid = inhrelid
    where inhparent = 'realtime.messages'::pg_catalog.regclass
      and child.relname < 'messages_' || pg_catalog.to_char(today - 3, 'YYYY_MM_DD')
  loop
    execute pg_catalog.format('drop table realtime.%I', partition);
  end loop;
end
$$;
revoke execute on function realtime.keep_partitions() from public, anon, authenticated, service_role;
revoke execute on function realtime.announce_message() from public, anon, authenticated, service_role;

select realtime.keep_partitions();

-- Migrations written for a hosted project may add tables to it.
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
