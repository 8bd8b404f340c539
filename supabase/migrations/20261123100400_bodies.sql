-- What a body may be. The client checks the same schemas; this is where it counts.

-- Whether a text has a visible character; events/core/visible-text.ts has the same list of invisible ones.
create function private.is_visible(content text) returns boolean
language sql immutable set search_path = '' as $$
  select content ~ (
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f'
    '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3'
    '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
  )
$$;

-- What is wrong with a value under a compiled schema, or null. It reads json, not jsonb, because jsonb drops duplicate
-- keys and rewrites numbers before anybody can object. Lengths count code points, as zod does.
-- The format of a text is checked by the function private.is_<format>, which a later migration may add.
create function private.body_fault(shape jsonb, value json, place text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  kind text := shape ->> 'type';
  got text := json_typeof(value);
  content text := value #>> '{}';
  entry record;
  seen text[] := '{}';
  fault text;
  fits boolean;
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
      if shape ? 'format' then
        execute format('select private.%I($1)', 'is_' || (shape ->> 'format')) into fits using content;
        if not fits then return place || ' is no ' || (shape ->> 'format'); end if;
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

-- What stays of a redacted body: ids and numbers, none of the words.
create function private.redacted_body(body text) returns text
language sql immutable set search_path = '' as $$
  select (body::jsonb || coalesce(
    (select jsonb_object_agg(key, case jsonb_typeof(value) when 'array' then '[]'::jsonb else '""'::jsonb end)
     from jsonb_each(body::jsonb)
     where key in ('title', 'text', 'quote', 'name', 'label', 'authors') and jsonb_typeof(value) <> 'null'),
    '{}'))::text
$$;

-- The known versions of the document's schema. A log with an edit of a newer one is read-only for
-- everybody who does not know that version yet; so an editor must not be able to invent a number. A
-- release that raises it adds a row in a migration.
create table private.text_schemas (version int primary key);
insert into private.text_schemas (version) values (1);

revoke execute on all functions in schema private from public;
