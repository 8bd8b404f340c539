/**
 * The last two migrations that the migrations of release 0.1.0 replaced, unchanged. A workspace
 * that was created before these two gets them before its migrations are replaced.
 */
export const completingMigrations = [
  {
    version: "20261128193000",
    text: `
-- Statements about authorship are derived from the log and kept. Where what they mean has changed, those that were
-- derived before are derived again: each process names the rule by which it derives, and the first with a newer one
-- marks all.
create table private.derived_rules (
  kind text primary key check (kind in ('lines', 'search')),
  rule integer not null check (rule > 0)
);

create function public.derive_by(kind text, rule integer) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives');
  end if;
  insert into private.derived_rules as known (kind, rule) values (derive_by.kind, derive_by.rule)
  on conflict (kind) do update set rule = excluded.rule where known.rule < excluded.rule;
  if not found then
    return false;
  end if;
  if derive_by.kind = 'lines' then
    insert into private.stale_lines (stream_id) select distinct c.stream_id from public.change_lines c
    on conflict (stream_id) do update set taken_at = null, tries = 0, marked_at = now();
    delete from public.change_lines c where c.version >= 0;
  else
    delete from private.search_states s where s.version >= 0;
    update private.search_workspaces w set position = 0 where w.position > 0;
  end if;
  return true;
end;
$$;
revoke execute on function public.derive_by(text, integer) from public, anon, authenticated;
grant execute on function public.derive_by(text, integer) to service_role;

create or replace function private.told_entry(m private.search_entries, sees_history boolean) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('document', m.stream_id, 'kind', m.kind, 'text', m.text, 'stands', m.class = 'n',
      'thread', m.thread_id)
    || case
      when sees_history then jsonb_build_object('author', m.author_id, 'authors', m.authors, 'since', m.written_at,
        'from', m.from_version, 'until', m.to_time, 'endedBy', m.ended_by, 'gone', m.class in ('g', 'h'),
        'stoodAt', m.stood_version, 'stoodEdit', m.stood_edit)
      when m.kind = 'comment' then jsonb_build_object('author', m.author_id, 'since', m.written_at)
      else coalesce((select jsonb_build_object('named', v.name, 'stoodAt', v.at) from public.versions v
        where m.class <> 'n' and v.document_id = m.stream_id and v.at = any (m.named_at)
        order by v.at desc limit 1), '{}')
    end
$$;
`,
  },
  {
    version: "20261128194000",
    text: `
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
`,
  },
] as const;
