-- The hashes of the log, byte for byte as SPEC.md and events/hash.ts have them.

-- SHA-256 over fields, each its length in bytes as a big-endian 32-bit integer and then the bytes; a null is the length
-- 0xFFFFFFFF alone. So no two lists of fields have the same bytes.
create function private.hash_fields(variadic fields bytea[]) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(string_agg(coalesce(int4send(octet_length(field)) || field, '\xffffffff'), '' order by place))
  from unnest(fields) with ordinality as list (field, place)
$$;

-- The commitment of an event to its payload. The salt keeps a short body from being guessed once it is redacted.
create function private.payload_hash(salt bytea, body text, update bytea) returns bytea
language sql immutable set search_path = '' as $$
  select private.hash_fields(convert_to('palimpsest-payload/1', 'UTF8'), salt, convert_to(body, 'UTF8'), update)
$$;

-- The chain: every column of the row but the hash itself, over the hash of the row before (null at version 1). Integers
-- are 64-bit and big-endian, times are microseconds since 1970.
create function private.event_hash(previous bytea, event public.events) returns bytea
language sql immutable set search_path = '' as $$
  select private.hash_fields(
    convert_to('palimpsest-event/1', 'UTF8'),
    previous,
    uuid_send(event.id),
    uuid_send(event.stream_id),
    convert_to(event.stream_kind, 'UTF8'),
    uuid_send(event.workspace_id),
    int8send(event.version),
    int8send(event.position),
    convert_to(event.type, 'UTF8'),
    convert_to(event.subject_kind, 'UTF8'),
    uuid_send(event.subject_id),
    convert_to(event.from_phase, 'UTF8'),
    convert_to(event.to_phase, 'UTF8'),
    int8send(event.schema),
    uuid_send(event.actor_id),
    (select string_agg(int8send(item), '' order by place) from unnest(event.client_ids) with ordinality as ids (item, place)),
    int8send((extract(epoch from event.client_time) * 1000000)::bigint),
    int8send((extract(epoch from event.recorded_at) * 1000000)::bigint),
    event.payload_hash
  )
$$;

revoke execute on all functions in schema private from public;
