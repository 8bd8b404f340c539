-- The projections of documents and their contents, the order of documents in the tree, and the dispatch over all
-- projections.

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

-- Projects an event of a thread. A redacted body has no anchor and no quote.
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

-- Projects an event of a comment, and refuses a comment whose thread is not in the same document. Retired hosting
-- phases count, because a rebuild projects old events. A redacted body names no thread.
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

-- Projects an event of a subject inside a document other than threads and comments.
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

-- Further projections by event type. `function` names a function in `private` with the arguments of private.project,
-- which calls it last. A later migration adds a projection here instead of replacing a function above.
create table private.projection_hooks (
  event_type text not null,
  function text not null,
  primary key (event_type, function)
);

-- Projects an event: the phase of its subject, then the read models. An event of a thread or comment moves the
-- document's version, but not updated_by and updated_at.
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

-- Projects `count` consecutive edits that end with `last`, with the same result as private.project for each.
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

-- Deletes the read models and projects the log again. Service only. Accounts come first, because memberships copy
-- names. A hosted project refuses statements without a condition (`safeupdate`) even within functions, hence
-- `where true`.
create function public.rebuild_projections() returns void
language plpgsql security definer set search_path = '' as $$
declare
  entry record;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service rebuilds');
  end if;
  -- Every append locks a row of this table first, so no append runs meanwhile.
  lock table private.streams in exclusive mode;
  delete from private.invitation_tokens where true;
  delete from private.subjects where true;
  delete from public.documents where true;
  delete from public.invitations where true;
  delete from public.members where true;
  delete from public.workspaces where true;
  delete from public.accounts where true;
  update private.feeds set epoch = 0 where epoch <> 0;
  for entry in
    select e as event, p.body::jsonb as body
    from public.events e left join public.event_payloads p on p.event_id = e.id
    order by e.workspace_id nulls first, e.position, e.stream_id, e.version
  loop
    perform private.project(entry.event, entry.body);
  end loop;
end;
$$;

-- Projects the icon of a document. private.project_document updates the other columns.
create function private.project_document_icon(e public.events, body jsonb) returns void
language sql set search_path = '' as $$
  update public.documents d set icon = body ->> 'emoji' where d.id = e.stream_id
$$;
-- Projects whether a document is a template.
create function private.project_document_template(e public.events, body jsonb) returns void
language sql set search_path = '' as $$
  update public.documents d set template = (body ->> 'template')::boolean where d.id = e.stream_id
$$;
insert into private.projection_hooks (event_type, function) values
  ('document.icon_set', 'project_document_icon'),
  ('document.template_set', 'project_document_template');

-- The tree: each document has a parent document or is at the top level, in an order that people choose.
-- machines/document-tree.ts computes the same from a list of events; a test compares both.

-- A rank between two others (null `low`: before all; null `high`: after all). A rank is a counter of eight hexadecimal
-- digits, followed by as many fractional digits as needed, the last of which is not 0.
create function private.rank_between(low text, high text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := '0123456789abcdef';
  whole bigint;
  found text;
  lesser int;
  greater int;
begin
  if low is null and high is null then
    return '80000000';
  end if;
  whole := ('x' || lpad(left(coalesce(low, high), 8), 16, '0'))::bit(64)::bigint;
  whole := whole + case when low is null then -1 else 1 end;
  found := lpad(to_hex(whole), 8, '0');
  if low is null or high is null or found collate "C" < high collate "C" then
    return found;
  end if;
  found := left(low, 8);
  -- The counter of `low` is smaller, so its fraction has no upper bound.
  if left(high, 8) <> found then
    high := null;
  end if;
  loop
    -- Past the end of a rank `substring` is empty, and `strpos` finds an empty text at 1: the digit 0.
    lesser := strpos(digits, substring(low from length(found) + 1 for 1)) - 1;
    greater := coalesce(strpos(digits, substring(high from length(found) + 1 for 1)) - 1, 16);
    if greater - lesser > 1 then
      return found || substring(digits from (lesser + greater) / 2 + 1 for 1);
    end if;
    found := found || substring(digits from lesser + 1 for 1);
    if greater > lesser then
      high := null;
    end if;
  end loop;
end;
$$;

-- A document (level 1) and its ancestors, from the document upwards.
create function private.path_of(document uuid)
returns table (id uuid, parent_id uuid, phase text, level int)
language sql stable set search_path = '' as $$
  with recursive up as (
    select d.id, d.parent_id, d.phase, 1 as level from public.documents d where d.id = document
    union all
    select d.id, d.parent_id, d.phase, up.level + 1 from up join public.documents d on d.id = up.parent_id
  )
  select up.id, up.parent_id, up.phase, up.level from up
$$;

-- For each unpurged document: the number of levels of its branch, itself included, and the number of its children. A
-- check reads these rows instead of walking the branch, so the work of an append is bounded. Triggers on
-- public.documents maintain the rows, also during a rebuild of the projections.
create table private.branches (
  height int not null default 1,
  children int not null default 0,
  document_id uuid primary key,
  parent_id uuid
);
create index branches_by_height on private.branches (parent_id, height) where parent_id is not null;
revoke all on private.branches from public, anon, authenticated, service_role;

-- Updates the heights of a document and its ancestors, up to the first that stays the same.
create function private.settle_heights(document uuid) returns void
language plpgsql set search_path = '' as $$
begin
  while document is not null loop
    update private.branches b set height = tallest.height
    from (select coalesce(max(c.height), 0) + 1 as height from private.branches c where c.parent_id = document) as tallest
    where b.document_id = document and b.height <> tallest.height
    returning b.parent_id into document;
    exit when not found;
  end loop;
end;
$$;

-- Updates private.branches when a document is created, moved, purged or deleted.
create function private.keep_branches() returns trigger
language plpgsql set search_path = '' as $$
declare
  before private.branches;
  is_counted boolean := tg_op <> 'DELETE' and new.phase <> 'purged';
begin
  select * into before from private.branches b where b.document_id = case when tg_op = 'INSERT' then new.id else old.id end;
  if not is_counted then
    delete from private.branches b where b.document_id = old.id;
  else
    insert into private.branches (document_id, parent_id) values (new.id, new.parent_id)
    on conflict (document_id) do update set parent_id = excluded.parent_id;
  end if;
  if before.parent_id is not null then
    update private.branches b set children = b.children - 1 where b.document_id = before.parent_id;
    perform private.settle_heights(before.parent_id);
  end if;
  if is_counted and new.parent_id is not null then
    update private.branches b set children = b.children + 1 where b.document_id = new.parent_id;
    perform private.settle_heights(new.parent_id);
  end if;
  return null;
end;
$$;
create trigger d_keep_branches after insert or delete on public.documents
  for each row execute function private.keep_branches();
create trigger d_keep_moved_branches after update of parent_id, phase on public.documents for each row
  when (old.parent_id is distinct from new.parent_id or (old.phase = 'purged') <> (new.phase = 'purged'))
  execute function private.keep_branches();
alter table public.documents enable always trigger d_keep_branches;
alter table public.documents enable always trigger d_keep_moved_branches;

-- Refuses a move into the document's own branch, into a missing or trashed parent, behind a missing sibling or beyond
-- a limit. The workspace's counter is locked, so no other document of the workspace moves meanwhile.
create function private.check_move(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void
language plpgsql set search_path = '' as $$
declare
  own public.documents;
  parent uuid := (body ->> 'parent')::uuid;
  after uuid := (body ->> 'after')::uuid;
  above record;
begin
  select * into own from public.documents d where d.id = stream;
  if after = stream or after is not null and not exists (
    select from public.documents d where d.id = after and d.workspace_id = own.workspace_id
  ) then
    perform private.refuse('invalid-event', 'sibling-missing',
      'the document behind which it is to stand is not another one of this workspace');
  end if;
  if parent is null then
    return;
  end if;
  if not exists (
    select from public.documents d where d.id = parent and d.workspace_id = own.workspace_id and d.phase <> 'purged'
  ) then
    perform private.refuse('invalid-event', 'parent-missing',
      'the document in which it is to stand is not one of this workspace');
  end if;
  select max(path.level) as levels, bool_or(path.id = stream) as has_own, bool_or(path.phase <> 'live') as is_trashed
  into above from private.path_of(parent) as path;
  if above.has_own then
    perform private.refuse('illegal-transition', 'own-branch', 'a document does not stand in itself');
  end if;
  if above.is_trashed then
    perform private.refuse('illegal-transition', 'parent-trashed',
      'the document in which it is to stand is in the trash');
  end if;
  if parent is distinct from own.parent_id and (
    select b.children from private.branches b where b.document_id = parent
  ) >= private.most('document_children') then
    perform private.refuse_limit('document_children');
  end if;
  if above.levels + (select b.height from private.branches b where b.document_id = stream)
    > private.most('document_levels') then
    perform private.refuse_limit('document_levels');
  end if;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('document.moved', 'check_move');

-- Projects the place of a document. A new document comes last at the top level. A moved one comes after the sibling
-- `after`, last if that sibling has moved elsewhere meanwhile, or first if `after` is null. A restored one keeps its
-- place; if an ancestor is in the trash, it comes last in the parent of the topmost trashed ancestor.
create function private.project_document_place(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  own public.documents;
  parent uuid;
  list uuid;
  low text;
  high text;
  place text;
begin
  select * into own from public.documents d where d.id = e.stream_id;
  if e.type = 'document.moved' then
    parent := (body ->> 'parent')::uuid;
  elsif e.type = 'document.restored' then
    select above.parent_id into parent from private.path_of(own.parent_id) as above
    where above.phase <> 'live' order by above.level desc limit 1;
    if not found then
      return;
    end if;
  end if;
  list := coalesce(parent, own.workspace_id);
  if e.type = 'document.moved' and body ->> 'after' is null then
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
  else
    select d.rank into low from public.documents d
    where d.id = (body ->> 'after')::uuid and coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    if not found then
      select max(d.rank) into low from public.documents d
      where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    end if;
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id and d.rank > low;
  end if;
  place := private.rank_between(low, high);
  if length(place) > 1000 then
    perform private.refuse('illegal-transition', 'no-room-between',
      'there is no more room between these two documents');
  end if;
  update public.documents d set parent_id = parent, rank = place where d.id = own.id;
end;
$$;
insert into private.projection_hooks (event_type, function) values
  ('document.created', 'project_document_place'),
  ('document.moved', 'project_document_place'),
  ('document.restored', 'project_document_place');

revoke execute on all functions in schema private from public;
revoke execute on function public.rebuild_projections() from public, anon, authenticated;
grant execute on function public.rebuild_projections() to service_role;
