-- A list of client ids with a null in it is none, and refused as such; it used to come as far as the table of the ids.

-- Who carries a state names every hand in it, and old documents have had many.
create or replace function private.client_ids(entry jsonb) returns bigint[]
language plpgsql immutable set search_path = '' as $$
declare
  ids bigint[];
begin
  if coalesce(jsonb_typeof(entry -> 'clientIds'), 'null') = 'null' then
    return '{}';
  end if;
  if jsonb_typeof(entry -> 'clientIds') <> 'array'
    or jsonb_array_length(entry -> 'clientIds') > (case when private.is_carrying(entry ->> 'type') then 16384 else 64 end)
    or exists (select from jsonb_array_elements_text(entry -> 'clientIds') as item where item is null or item !~ '^(0|[1-9][0-9]{0,15})$') then
    perform private.refuse('invalid-event', 'clientIds is not a list of client ids');
  end if;
  select coalesce(array_agg(distinct item::bigint), '{}') into ids from jsonb_array_elements_text(entry -> 'clientIds') as item;
  if 9007199254740991 < any (ids) then
    perform private.refuse('invalid-event', 'clientIds is not a list of client ids');
  end if;
  return ids;
end;
$$;
revoke execute on function private.client_ids(jsonb) from public;
