-- Templates: documents of which new ones may begin as copies. And deleting a document permanently:
-- an owner has every payload of its stream destroyed, as a redaction does with one. The rows of its
-- events stay, so the chain verifies and the workspace's feed has no gap.

alter table public.documents add column template boolean not null default false;
alter table public.documents alter column template set statistics 0;

-- Projects whether a document is a template.
create function private.project_document_template(e public.events, body jsonb) returns void
language sql set search_path = '' as $$
  update public.documents d set template = (body ->> 'template')::boolean where d.id = e.stream_id
$$;

-- What takes the place of an update of which nothing is left: nobody folds a purged document.
create function private.purged_update(update bytea) returns bytea
language sql immutable set search_path = '' as $$
  select case when update is not null then '\x000005'::bytea end
$$;

-- Refuses to purge a document while another one stands in it that is not purged: it would stand in nothing.
create function private.check_purge(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from public.documents d where coalesce(d.parent_id, d.workspace_id) = stream and d.phase <> 'purged'
  ) then
    perform private.refuse('illegal-transition', 'branch-left', 'documents that stand in it are still there');
  end if;
end;
$$;

-- Destroys what was said in a document before its purge, in every place that has it. A rebuilding finds nothing to
-- destroy.
create function private.project_document_purge(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.upkeep u where u.stream_id = e.stream_id;
  delete from private.tombstones t using public.events before
  where before.stream_id = e.stream_id and t.event_id = before.id;
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), update = private.purged_update(p.update),
    redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null;
  update private.streams s set redacted_at = e.version where s.id = e.stream_id and s.redacted_at < e.version;
  perform private.drop_caches(e.stream_id);
  update public.comments c set text = '' where c.document_id = e.stream_id;
  update public.threads t set quote = '', anchor_start = '', anchor_end = '' where t.document_id = e.stream_id;
  update public.versions v set name = '' where v.document_id = e.stream_id;
  update public.documents d set title = '', icon = null, template = false where d.id = e.stream_id;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('document.purged', 'check_purge');
insert into private.projection_hooks (event_type, function) values
  ('document.template_set', 'project_document_template'),
  ('document.purged', 'project_document_purge');

-- Allows two changes of a payload: the one that a recorded redaction of its event makes, and the one that a recorded
-- purge of its stream makes.
create or replace function private.guard_redaction() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.event_id is distinct from old.event_id or old.redacted_by is not null or new.salt is not null
    or new.body is distinct from private.redacted_body(old.body)
    or not exists (
      select from public.events e
      join public.events r on r.stream_id = e.stream_id and r.version = new.redacted_by and r.version > e.version
      join public.event_payloads said on said.event_id = r.id
      where e.id = old.event_id and (
        r.type = 'document.redacted' and (said.body::jsonb ->> 'event')::uuid = e.id
          and new.update is not distinct from case when old.update is not null then private.in_place(said.update) end
        or r.type = 'document.purged' and new.update is not distinct from private.purged_update(old.update)
      )
    )
  then
    raise exception using errcode = '42501', message = 'event_payloads is append-only: no redaction makes this change';
  end if;
  return new;
end;
$$;

revoke execute on all functions in schema private from public;
