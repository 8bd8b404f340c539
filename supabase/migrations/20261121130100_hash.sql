-- The hashes of the log, byte for byte as SPEC.md and events/hash.ts have them.

-- One field: its length in bytes as a big-endian 32-bit integer, then the bytes; a null is the length 0xFFFFFFFF alone.
create function private.field(value bytea) returns bytea
language sql immutable set search_path = '' as $$
  select case when value is null then '\xffffffff'::bytea else int4send(octet_length(value)) || value end
$$;

create function private.field(value text) returns bytea
language sql immutable set search_path = '' as $$
  select private.field(convert_to(value, 'UTF8'))
$$;

create function private.field(value uuid) returns bytea
language sql immutable set search_path = '' as $$
  select private.field(uuid_send(value))
$$;

create function private.field(value bigint) returns bytea
language sql immutable set search_path = '' as $$
  select private.field(int8send(value))
$$;

-- Microseconds since 1970.
create function private.field(value timestamptz) returns bytea
language sql immutable set search_path = '' as $$
  select private.field((extract(epoch from value) * 1000000)::bigint)
$$;

create function private.field(value bigint[]) returns bytea
language sql immutable set search_path = '' as $$
  select private.field(
    (select string_agg(int8send(item), ''::bytea order by place) from unnest(value) with ordinality as items (item, place))
  )
$$;

-- What an event commits to without revealing it: the salt keeps a short body from being guessed once it is redacted.
create function private.payload_hash(salt bytea, body text, update bytea) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(private.field('palimpsest-payload/1'::text) || private.field(salt) || private.field(body) || private.field(update))
$$;

-- The chain: every column of the row but the hash itself, over the hash of the row before (null at version 1).
create function private.event_hash(previous bytea, event public.events) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(
    private.field('palimpsest-event/1'::text)
    || private.field(previous)
    || private.field(event.id)
    || private.field(event.stream_id)
    || private.field(event.stream_kind)
    || private.field(event.workspace_id)
    || private.field(event.version)
    || private.field(event.position)
    || private.field(event.type)
    || private.field(event.subject_kind)
    || private.field(event.subject_id)
    || private.field(event.from_phase)
    || private.field(event.to_phase)
    || private.field(event.schema::bigint)
    || private.field(event.actor_id)
    || private.field(event.client_ids)
    || private.field(event.client_time)
    || private.field(event.recorded_at)
    || private.field(event.payload_hash)
  )
$$;
