-- The hashes of the log, byte for byte as docs/spec/hash.md and events/log/hash.ts have them.

-- The hash functions are single expressions with names bound when they are created (a standard SQL
-- body), so that the planner inlines them: an append computes every hash twice, once to store it
-- and once in the guard. They are declared no less volatile than convert_to, which is called stable
-- because a conversion can be redefined.

-- One field: its length in bytes as a big-endian 32-bit integer and then the bytes; a null is the
-- length 0xFFFFFFFF alone. So no two lists of fields have the same bytes.
create function private.hash_field(field bytea) returns bytea
language sql immutable parallel safe
return coalesce(int4send(octet_length(field)) || field, '\xffffffff'::bytea);

-- Integers one after the other, 64-bit and big-endian; null for null.
create function private.integers_send(items bigint[]) returns bytea
language sql immutable parallel safe
return (select string_agg(int8send(item), ''::bytea order by place) from unnest(items) with ordinality
  as list (item, place));

-- A time in microseconds since 1970, 64-bit and big-endian.
create function private.time_send(moment timestamptz) returns bytea
language sql stable parallel safe
return int8send((extract(epoch from moment) * 1000000)::bigint);

-- The commitment of an event to its payload: SHA-256 over its fields. The salt keeps a short body
-- from being guessed once it is redacted.
create function private.payload_hash(salt bytea, body text, update bytea) returns bytea
language sql stable parallel safe
return sha256(
  private.hash_field('palimpsest-payload/1'::bytea)
  || private.hash_field(salt)
  || private.hash_field(convert_to(body, 'UTF8'))
  || private.hash_field(update)
);

-- The chain: SHA-256 over every column of the row but the hash itself, after the hash of the row
-- before (null at version 1). Of a field that is never null and always as long, the length is
-- written out: half of the work, at every append twice.
create function private.event_hash(previous bytea, event public.events) returns bytea
language sql stable parallel safe
return sha256(
  private.hash_field('palimpsest-event/1'::bytea)
  || private.hash_field(previous)
  || '\x00000010'::bytea || uuid_send(event.id)
  || '\x00000010'::bytea || uuid_send(event.stream_id)
  || private.hash_field(convert_to(event.stream_kind, 'UTF8'))
  || private.hash_field(uuid_send(event.workspace_id))
  || '\x00000008'::bytea || int8send(event.version)
  || private.hash_field(int8send(event.position))
  || private.hash_field(convert_to(event.type, 'UTF8'))
  || private.hash_field(convert_to(event.subject_kind, 'UTF8'))
  || '\x00000010'::bytea || uuid_send(event.subject_id)
  || private.hash_field(convert_to(event.from_phase, 'UTF8'))
  || private.hash_field(convert_to(event.to_phase, 'UTF8'))
  || '\x00000008'::bytea || int8send(event.schema::bigint)
  || '\x00000010'::bytea || uuid_send(event.actor_id)
  || case when event.client_ids is null then '\xffffffff'::bytea
    else private.hash_field(private.integers_send(event.client_ids)) end
  || '\x00000008'::bytea || private.time_send(event.client_time)
  || '\x00000008'::bytea || private.time_send(event.recorded_at)
  || '\x00000020'::bytea || event.payload_hash
);

revoke execute on all functions in schema private from public;
