-- The projections of documents and what is inside them, and the dispatch over all projections.

-- Projects an event of a named version.
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

-- Projects an event of a thread. Where its words were redacted, its body has no anchor and no quote.
create function private.project_thread(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'thread.opened' then
    insert into public.threads
      (id, document_id, workspace_id, phase, version, anchor_start, anchor_end, quote, opened_by,
        opened_at, opened_version)
    values (e.subject_id, e.stream_id, e.workspace_id, e.to_phase, e.version,
      coalesce(body ->> 'start', ''), coalesce(body ->> 'end', ''), coalesce(body ->> 'quote', ''),
        e.actor_id, e.recorded_at, e.version);
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

-- Projects an event of a comment. A comment needs a thread of its own document: that is checked
-- here, where every comment passes. A phase that hosted once counts, because the log is projected
-- again long after; a redacted body names no thread.
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
      perform private.refuse('illegal-transition', 'thread-missing', 'there is no such thread in this document');
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
      text = case e.type when 'comment.edited' then coalesce(body ->> 'text', '') when 'comment.deleted'
        then '' else text end,
      edited_at = case when e.type = 'comment.edited' then e.recorded_at else edited_at end
  where document_id = e.stream_id and id = e.subject_id;
end;
$$;

-- Projects an event of another subject inside a document.
create function private.project_inside_document(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  case e.subject_kind
    when 'version' then perform private.project_version(e, body);
    else null;
  end case;
end;
$$;

-- Projects an event of a document.
create function private.project_document(e public.events, body jsonb) returns void
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
      edits = edits + (e.type = 'document.edited')::int,
      forked_from = case when e.type = 'document.forked' then (body ->> 'document')::uuid else forked_from end,
      forked_at = case when e.type = 'document.forked' then (body ->> 'version')::bigint else forked_at end
  where id = e.stream_id;
  if e.subject_kind <> 'document' then
    perform private.project_inside_document(e, body);
  end if;
end;
$$;

-- Projections that a later migration adds, for instance of a new column: the name of a function in
-- `private` with the arguments of private.project, called after the projections below for every
-- event of the type. So nothing here has to be stated again.
create table private.projection_hooks (
  event_type text not null,
  function text not null,
  primary key (event_type, function)
);

-- Projects an event: the phase of its subject, then the read models. A comment changes the
-- document's version but not its text: who changed that, and when, stays.
create function private.project(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  hook text;
begin
  insert into private.subjects (stream_id, kind, id, phase, author_id, version)
  values (e.stream_id, e.subject_kind, e.subject_id, e.to_phase, e.actor_id, e.version)
  on conflict (stream_id, kind, id) do update set phase = excluded.phase, version = excluded.version;
  case
    when e.subject_kind = 'thread' then
      update public.documents set version = e.version where id = e.stream_id;
      perform private.project_thread(e, body);
    when e.subject_kind = 'comment' then
      update public.documents set version = e.version where id = e.stream_id;
      perform private.project_comment(e, body);
    when e.stream_kind = 'account' then perform private.project_account(e, body);
    when e.stream_kind = 'workspace' then perform private.project_workspace(e, body);
    when e.stream_kind = 'document' then perform private.project_document(e, body);
  end case;
  for hook in select h.function from private.projection_hooks h where h.event_type = e.type order by h.function loop
    execute format('select private.%I($1, $2)', hook) using e, body;
  end loop;
end;
$$;

-- Projects so many edits that follow each other, of which this is the last, as private.project would one by one.
create function private.project_edits(last public.events, count int) returns void
language plpgsql set search_path = '' as $$
begin
  update private.subjects s set phase = last.to_phase, version = last.version
  where s.stream_id = last.stream_id and s.kind = last.subject_kind and s.id = last.subject_id;
  update public.documents d
  set version = last.version, updated_by = last.actor_id, updated_at = last.recorded_at,
    edits = d.edits + project_edits.count
  where d.id = last.stream_id;
end;
$$;

-- Deletes the read models and projects the log again. Service only. Accounts come first: memberships copy names.
create function public.rebuild_projections() returns void
language plpgsql security definer set search_path = '' as $$
declare
  entry record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service rebuilds');
  end if;
  -- Appends lock rows of this table first, so none is under way while the fold runs.
  lock table private.streams in exclusive mode;
  delete from private.invitation_tokens;
  delete from private.subjects;
  delete from public.documents;
  delete from public.invitations;
  delete from public.members;
  delete from public.workspaces;
  delete from public.accounts;
  update private.feeds set epoch = 0;
  for entry in
    select e as event, p.body::jsonb as body
    from public.events e left join public.event_payloads p on p.event_id = e.id
    order by e.workspace_id nulls first, e.position, e.stream_id, e.version
  loop
    perform private.project(entry.event, entry.body);
  end loop;
end;
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.rebuild_projections() from public, anon, authenticated;
grant execute on function public.rebuild_projections() to service_role;
