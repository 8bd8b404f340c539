-- The id in a body is written in small letters, as the log writes its own. Readers compare the texts: an event whose body names
-- a thread or another event in capitals meant one thing to the database, which knows them as numbers, and another to them.

-- What is wrong with a value under a compiled schema, or null. It reads json, not jsonb, because jsonb drops duplicate
-- keys and rewrites numbers before anybody can object. Lengths count code points, as zod does.
create or replace function private.body_fault(shape jsonb, value json, place text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  kind text := shape ->> 'type';
  got text := json_typeof(value);
  content text := value #>> '{}';
  entry record;
  seen text[] := '{}';
  fault text;
begin
  if got = 'null' and (shape -> 'nullable')::boolean then
    return null;
  end if;
  case kind
    when 'object' then
      if got <> 'object' then return place || ' is not an object'; end if;
      for entry in select key, json_each.value from json_each(value) loop
        if entry.key = any (seen) then return place || ' names a key twice'; end if;
        seen := seen || entry.key;
        if not (shape -> 'properties') ? entry.key then return place || ' has a key that does not belong there'; end if;
        fault := private.body_fault(shape -> 'properties' -> entry.key, entry.value, place || '.' || entry.key);
        if fault is not null then return fault; end if;
      end loop;
      if cardinality(seen) <> (select count(*) from jsonb_object_keys(shape -> 'properties')) then
        return place || ' lacks a key';
      end if;
    when 'array' then
      if got <> 'array' then return place || ' is not a list'; end if;
      if json_array_length(value) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      for entry in select json_array_elements.value from json_array_elements(value) loop
        fault := private.body_fault(shape -> 'items', entry.value, place || '[]');
        if fault is not null then return fault; end if;
      end loop;
    when 'string' then
      if got <> 'string' then return place || ' is not text'; end if;
      if char_length(content) not between coalesce((shape ->> 'min')::int, 0) and (shape ->> 'max')::int then
        return place || ' has the wrong length';
      end if;
      if (shape -> 'visible')::boolean and content <> '' and not private.is_visible(content) then
        return place || ' has nothing in it that is seen';
      end if;
    when 'uuid' then
      if got <> 'string' or content !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        return place || ' is not a uuid in small letters';
      end if;
    when 'enum' then
      if got <> 'string' or not (shape -> 'values') ? content then return place || ' is not one of its values'; end if;
    when 'integer' then
      if got <> 'number' or content !~ '^(0|-?[1-9][0-9]{0,15})$' then return place || ' is not an integer'; end if;
      if content::bigint not between (shape ->> 'min')::bigint and (shape ->> 'max')::bigint then
        return place || ' is out of range';
      end if;
    when 'boolean' then
      if got <> 'boolean' then return place || ' is not true or false'; end if;
  end case;
  return null;
end;
$$;

revoke execute on function private.body_fault(jsonb, json, text) from public;
