-- The name of a version is compared as titles are: of two people who rename it at the same time, the one who came second
-- would otherwise put away the words of the first, and neither would hear of it.
create or replace function private.check_replaced(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  present text := case p.type
    when 'workspace.renamed' then (select w.name from public.workspaces w where w.id = stream)
    when 'document.renamed' then (select d.title from public.documents d where d.id = stream)
    when 'document.icon_set' then (select coalesce(d.icon, '') from public.documents d where d.id = stream)
    when 'version.renamed' then
      (select v.name from public.versions v where v.document_id = stream and v.id = p.subject_id)
  end;
begin
  if p.replaces <> present then
    perform private.refuse('version-conflict', 'replaced-since', 'what it replaces was replaced since');
  end if;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('version.renamed', 'check_replaced');

revoke execute on all functions in schema private from public;
