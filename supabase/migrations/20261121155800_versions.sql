-- Named versions: names for moments of a document, kept for good. What a body must mean beyond its shape gets one place,
-- and so does the fold of what lives inside a document.

create table public.versions (
  id uuid not null,
  -- Thrown away with the read model it hangs on, when that is rebuilt.
  document_id uuid not null references public.documents (id) on delete cascade,
  workspace_id uuid not null,
  at bigint not null check (at > 0),
  name text not null,
  pinned boolean not null,
  phase text not null,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Ids of subjects are chosen by clients, each for its own stream.
  primary key (document_id, id)
);
alter table public.versions enable row level security;
create policy "members read their workspaces' named versions" on public.versions for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create trigger a_refuse_others before insert or update or delete or truncate on public.versions
  for each statement execute function private.refuse_others();
alter table public.versions enable always trigger a_refuse_others;
revoke all on public.versions from anon, authenticated, service_role;
grant select on public.versions to authenticated, service_role;

create function private.project_version(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'version.named' then
    insert into public.versions
      (id, document_id, workspace_id, at, name, pinned, phase, created_by, created_at, updated_at)
    values (e.subject_id, e.stream_id, e.workspace_id, (body ->> 'at')::bigint, body ->> 'name', false, e.to_phase,
      e.actor_id, e.recorded_at, e.recorded_at);
    return;
  end if;
  update public.versions
  set phase = e.to_phase,
      pinned = e.to_phase = 'pinned',
      name = case when e.type = 'version.renamed' then body ->> 'name' else name end,
      updated_at = e.recorded_at
  where document_id = e.stream_id and id = e.subject_id;
end;
$$;

-- Folds an event of what lives inside a document: a line for each kind.
create function private.project_inside_document(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  case e.subject_kind
    when 'version' then perform private.project_version(e, body);
    else null;
  end case;
end;
$$;

create or replace function private.project_document(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'document.created' then
    insert into public.documents
      (id, workspace_id, title, phase, version, created_by, created_at, updated_by, updated_at, edits)
    values (e.stream_id, e.workspace_id, body ->> 'title', e.to_phase, e.version,
      e.actor_id, e.recorded_at, e.actor_id, e.recorded_at, 0);
    return;
  end if;
  update public.documents
  set version = e.version,
      updated_by = e.actor_id,
      updated_at = e.recorded_at,
      phase = case when e.subject_kind = 'document' then e.to_phase else phase end,
      title = case when e.type = 'document.renamed' then body ->> 'title' else title end,
      edits = edits + (e.type = 'document.edited')::int
  where id = e.stream_id;
  if e.subject_kind <> 'document' then
    perform private.project_inside_document(e, body);
  end if;
end;
$$;

-- Refuses what a compiled schema cannot say of a body: how its parts fit each other and what is recorded already. The
-- stream is locked; `reached` is its version before this event.
create function private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
begin
  if p.type = 'invitation.created' and (body ->> 'kind' = 'email') <> (body ->> 'email' is not null) then
    perform private.refuse('invalid-event', 'an invitation by email has an address, one by link has none');
  elsif p.type = 'version.named' and (body ->> 'at')::bigint > reached then
    perform private.refuse('invalid-event', 'the document has not reached the version that is named');
  end if;
end;
$$;

create or replace function private.rule(p private.proposal, head private.streams, actor uuid, invited boolean) returns public.events
language plpgsql set search_path = '' as $$
declare
  subject private.subjects;
  rule private.transitions;
  role text := private.role_in(head.workspace_id);
  e public.events;
  salt bytea := uuid_send(gen_random_uuid());
begin
  select * into subject from private.subjects s
  where s.stream_id = head.id and s.kind = p.subject_kind and s.id = p.subject_id;
  select * into rule from private.transitions t
  where t.subject_kind = p.subject_kind and t.from_phase = coalesce(subject.phase, 'absent')
    and t.event_type = p.type and t.stream_kind = head.kind and t.retired_at is null;
  if not found then
    perform private.refuse('illegal-transition', coalesce(subject.phase, 'absent') || ' does not allow ' || p.type);
  end if;
  if p.subject_kind <> head.kind and not exists (
    select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
    where s.stream_id = head.id and s.kind = head.kind and s.id = head.id and h.retired_at is null
  ) then
    perform private.refuse('illegal-transition', 'what it lives in does not allow it now');
  end if;
  if not private.holds(rule.needs, actor, role, p.subject_id, subject.author_id, invited) then
    perform private.refuse('not-permitted', 'this needs the right ' || rule.needs);
  end if;

  e.id := p.id;
  e.stream_id := head.id;
  e.stream_kind := head.kind;
  e.workspace_id := head.workspace_id;
  select s.version + 1, greatest(clock_timestamp(), s.recorded_at + interval '1 microsecond')
    into e.version, e.recorded_at from private.streams s where s.id = head.id;
  perform private.check_meaning(p, p.body::jsonb, head.id, e.version - 1);
  select f.position + 1 into e.position from private.feeds f where f.workspace_id = head.workspace_id;
  e.type := p.type;
  e.subject_kind := p.subject_kind;
  e.subject_id := p.subject_id;
  e.from_phase := rule.from_phase;
  e.to_phase := rule.to_phase;
  e.schema := p.schema;
  e.actor_id := actor;
  e.client_ids := private.bind_clients(head.id, p.client_ids, actor, e.version);
  select greatest(least(coalesce(p.client_time, e.recorded_at), e.recorded_at), s.client_time)
    into e.client_time from private.streams s where s.id = head.id;
  e.payload_hash := private.payload_hash(salt, p.body, p.update);
  insert into public.events select e.* returning * into e;
  insert into public.event_payloads (event_id, salt, body, update) values (e.id, salt, p.body, p.update);
  perform private.project(e, p.body::jsonb);

  if p.subject_kind = 'member' and not exists (
    select from public.members m where m.workspace_id = head.id and m.role = 'owner' and m.phase = 'active'
  ) then
    perform private.refuse('not-permitted', 'the last owner cannot leave, be removed or get a lesser role');
  end if;
  return e;
end;
$$;

revoke execute on function private.project_version(public.events, jsonb), private.project_inside_document(public.events, jsonb),
  private.check_meaning(private.proposal, jsonb, uuid, bigint) from public;
