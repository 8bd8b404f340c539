-- A thread knows the version at which it was opened: the moment at which one can see what it was about.

alter table public.threads add column opened_version bigint;
update public.threads t set opened_version = e.version
from public.events e where e.stream_id = t.document_id and e.subject_kind = 'thread' and e.subject_id = t.id and e.type = 'thread.opened';
alter table public.threads alter column opened_version set not null;

create or replace function private.project_thread(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    insert into public.threads
      (id, document_id, workspace_id, phase, version, anchor_start, anchor_end, quote, opened_by, opened_at, opened_version)
    values (e.subject_id, e.stream_id, e.workspace_id, e.to_phase, e.version,
      coalesce(body ->> 'start', ''), coalesce(body ->> 'end', ''), coalesce(body ->> 'quote', ''), e.actor_id, e.recorded_at, e.version);
    return;
  end if;
  update public.threads
  set phase = e.to_phase,
      version = e.version,
      resolved_by = case when e.type = 'thread.resolved' then e.actor_id end,
      resolved_at = case when e.type = 'thread.resolved' then e.recorded_at end
  where document_id = e.stream_id and id = e.subject_id;
end;
$$;
