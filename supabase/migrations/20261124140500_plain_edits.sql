-- As before, but for every version of the text's schema that there is: edits of the second went
-- one by one.
create or replace function private.plain_edits(batch private.proposal[]) returns boolean[]
language plpgsql stable set search_path = '' as $$
declare
  p private.proposal;
  plain boolean[] := '{}';
  known int[] := array(select t.version from private.text_schemas t);
begin
  foreach p in array batch loop
    plain := plain || (p.type = 'document.edited' and cardinality(p.client_ids) = 0 and p.schema = any (known)
      and coalesce(substring(p.update from 1 for 3) not in ('\x000003', '\x000004', '\x000005'), false));
  end loop;
  return plain;
end;
$$;
revoke execute on all functions in schema private from public;
