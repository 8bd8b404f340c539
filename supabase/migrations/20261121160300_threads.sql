-- Comments: threads on some words of a document, and what was said in them. They live in the document's stream.

create table public.threads (
  id uuid not null,
  -- Thrown away with the read model it hangs on, when that is rebuilt.
  document_id uuid not null references public.documents (id) on delete cascade,
  workspace_id uuid not null,
  phase text not null,
  version bigint not null,
  -- Yjs relative positions in base64, and the words that stood between them.
  anchor_start text not null,
  anchor_end text not null,
  quote text not null,
  opened_by uuid not null,
  opened_at timestamptz not null,
  resolved_by uuid,
  resolved_at timestamptz check ((resolved_at is null) = (resolved_by is null)),
  -- Ids of subjects are chosen by clients, each for its own stream.
  primary key (document_id, id)
);

create table public.comments (
  id uuid not null,
  document_id uuid not null,
  thread_id uuid not null,
  workspace_id uuid not null,
  phase text not null,
  version bigint not null,
  text text not null,
  author_id uuid not null,
  added_at timestamptz not null,
  edited_at timestamptz,
  primary key (document_id, id),
  foreign key (document_id, thread_id) references public.threads (document_id, id) on delete cascade
);
create index comments_by_thread on public.comments (document_id, thread_id);

alter table public.threads enable row level security;
alter table public.comments enable row level security;
create policy "members read their workspaces' threads" on public.threads for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' comments" on public.comments for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create trigger a_refuse_others before insert or update or delete or truncate on public.threads
  for each statement execute function private.refuse_others();
create trigger a_refuse_others before insert or update or delete or truncate on public.comments
  for each statement execute function private.refuse_others();
alter table public.threads enable always trigger a_refuse_others;
alter table public.comments enable always trigger a_refuse_others;
revoke all on public.threads, public.comments from anon, authenticated, service_role;
grant select on public.threads, public.comments to authenticated, service_role;

create function private.project_thread(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    insert into public.threads
      (id, document_id, workspace_id, phase, version, anchor_start, anchor_end, quote, opened_by, opened_at)
    values (e.subject_id, e.stream_id, e.workspace_id, e.to_phase, e.version,
      coalesce(body ->> 'start', ''), coalesce(body ->> 'end', ''), coalesce(body ->> 'quote', ''), e.actor_id, e.recorded_at);
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

-- A comment needs a thread of its own document. That is asked here, where every comment passes; a phase that hosted once
-- counts, for the log is folded again long after. Where the words were redacted, so is the place they were said in.
create function private.project_comment(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'comment.added' then
    if body is null then
      return;
    end if;
    if not exists (
      select from private.subjects s join private.hosting h on h.subject_kind = s.kind and h.phase = s.phase
      where s.stream_id = e.stream_id and s.kind = 'thread' and s.id = (body ->> 'thread')::uuid
    ) then
      perform private.refuse('illegal-transition', 'there is no such thread in this document');
    end if;
    insert into public.comments
      (id, document_id, thread_id, workspace_id, phase, version, text, author_id, added_at)
    values (e.subject_id, e.stream_id, (body ->> 'thread')::uuid, e.workspace_id, e.to_phase, e.version,
      body ->> 'text', e.actor_id, e.recorded_at);
    return;
  end if;
  update public.comments
  set phase = e.to_phase,
      version = e.version,
      text = case e.type when 'comment.edited' then coalesce(body ->> 'text', '') when 'comment.deleted' then '' else text end,
      edited_at = case when e.type = 'comment.edited' then e.recorded_at else edited_at end
  where document_id = e.stream_id and id = e.subject_id;
end;
$$;

-- What is said about a document changes its version, but is no change of its text: who changed that, and when, stays.
create or replace function private.project(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.subjects (stream_id, kind, id, phase, author_id, version)
  values (e.stream_id, e.subject_kind, e.subject_id, e.to_phase, e.actor_id, e.version)
  on conflict (stream_id, kind, id) do update set phase = excluded.phase, version = excluded.version;
  if e.subject_kind in ('thread', 'comment') then
    update public.documents set version = e.version where id = e.stream_id;
    if e.subject_kind = 'thread' then
      perform private.project_thread(e, body);
    else
      perform private.project_comment(e, body);
    end if;
    return;
  end if;
  case e.stream_kind
    when 'account' then perform private.project_account(e, body);
    when 'workspace' then perform private.project_workspace(e, body);
    when 'document' then perform private.project_document(e, body);
  end case;
end;
$$;

revoke execute on function private.project_thread(public.events, jsonb), private.project_comment(public.events, jsonb) from public;
