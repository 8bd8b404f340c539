-- One append does bounded work. A batch of 200 moves of a document with 700 others in it walked that branch for each of
-- its events; a batch of 200 names rewrote all memberships of a person 200 times; others read the log of a stream or the
-- members of a workspace for each event. Every check and projection of one event now reads a number of rows that does
-- not grow with the workspace, or is done once for a batch.

-- For each document that is not purged: how many levels it and what stands in it come to, and how many documents stand
-- directly in it. Kept by triggers on public.documents, so that a rebuild of the projections keeps it as well.
create table private.branches (
  height int not null default 1,
  children int not null default 0,
  document_id uuid primary key,
  parent_id uuid
);
create index branches_by_height on private.branches (parent_id, height) where parent_id is not null;
revoke all on private.branches from public, anon, authenticated, service_role;

insert into private.branches (document_id, parent_id, children)
select d.id, d.parent_id,
  (select count(*) from public.documents c where coalesce(c.parent_id, c.workspace_id) = d.id and c.phase <> 'purged')
from public.documents d where d.phase <> 'purged';
do $$
begin
  loop
    update private.branches b set height = tallest.height + 1
    from (select c.parent_id, max(c.height) as height from private.branches c group by c.parent_id) as tallest
    where tallest.parent_id = b.document_id and b.height <> tallest.height + 1;
    exit when not found;
  end loop;
end;
$$;

-- Settles the heights of a document and of those above it, up to the first that stays as it was.
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

-- Refuses a move that would not leave a forest of living documents. The workspace's counter is locked, so no other
-- document of it moves meanwhile.
create or replace function private.check_move(p private.proposal, body jsonb, stream uuid, reached bigint)
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
drop function private.height_of(uuid);

-- Refuses to purge a document while another one stands in it that is not purged: it would stand in nothing.
create or replace function private.check_purge(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void
language plpgsql set search_path = '' as $$
begin
  if (select b.children from private.branches b where b.document_id = stream) > 0 then
    perform private.refuse('illegal-transition', 'branch-left', 'documents that stand in it are still there');
  end if;
end;
$$;

-- Copies a person's name, colour, address and picture into their memberships, or into one of them, where they have
-- changed. Former members keep their name and lose their address.
create or replace function private.name_member(person uuid, workspace uuid default null) returns void
language sql set search_path = '' as $$
  update public.members m
  set name = known.name, color = coalesce(known.color, m.given_color), picture = known.picture, email = case
    when m.phase = 'active' then known.email end
  from (
    select coalesce(nullif(a.name, ''), split_part(e.email, '@', 1), '') as name, a.color, a.picture, e.email
    from (select person) as one
    left join public.accounts a on a.user_id = person
    left join private.emails e on e.user_id = person
  ) as known
  where m.user_id = person and (workspace is null or m.workspace_id = workspace)
    and (m.name, m.color, m.picture, m.email) is distinct from (known.name, coalesce(known.color, m.given_color),
      known.picture, case when m.phase = 'active' then known.email end)
$$;

-- Projects an event of an account. private.append copies what changed into the memberships, once for a batch; a
-- rebuild projects memberships after all accounts.
create or replace function private.project_account(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  if e.type = 'account.created' then
    insert into public.accounts (user_id, name, color, phase, version, created_at, updated_at)
    values (e.stream_id, '', null, e.to_phase, e.version, e.recorded_at, e.recorded_at);
    return;
  end if;
  -- Signing in is nobody else's business: it does not touch updated_at, which people of the same workspace can read.
  update public.accounts
  set phase = e.to_phase,
      version = e.version,
      name = case when e.type = 'account.profile_changed' then body ->> 'name' else name end,
      color = case when e.type = 'account.profile_changed' then (body ->> 'color')::int else color end,
      updated_at = case when e.type like 'account.%' then e.recorded_at else updated_at end
  where user_id = e.stream_id;
end;
$$;

-- Projects the picture of a person. private.name_member copies it into their memberships.
create or replace function private.project_picture(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  update public.accounts a set picture = (body ->> 'picture')::uuid where a.user_id = e.stream_id;
end;
$$;
delete from private.projection_hooks h
where h.function = 'project_picture' and h.event_type in ('workspace.created', 'member.joined');

-- Whether a workspace still has an owner is asked after every event about a member.
create index members_owning on public.members (workspace_id) where role = 'owner' and phase = 'active';

-- Whether an author wrote in a range of versions is asked for every document.reworked.
create index events_by_actor on public.events (stream_id, actor_id, version) where stream_kind = 'document';
create or replace function private.check_reworking(body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  first bigint := (body ->> 'from')::bigint;
  last bigint := (body ->> 'to')::bigint;
  author uuid := (body ->> 'author')::uuid;
begin
  if last > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  end if;
  if body ->> 'kind' = 'passage' then
    if author is not null or first is not null or body ->> 'quote' is null then
      perform private.refuse('invalid-event', 'revert-malformed',
        'a passage has a quote, and neither an author nor a beginning');
    end if;
    return;
  end if;
  if author is null or first is null or first > last or body ->> 'quote' is not null then
    perform private.refuse('invalid-event', 'revert-malformed',
      'an author''s changes have an author and a range of versions, and no quote');
  end if;
  -- The first version of the author from there on, by the index, however many versions others have in between.
  if coalesce((
    select e.version from public.events e
    where e.stream_kind = 'document' and e.stream_id = stream and e.actor_id = author and e.version >= first
    order by e.version limit 1
  ), last + 1) > last then
    perform private.refuse('invalid-event', 'revert-empty', 'the author did nothing in these versions');
  end if;
end;
$$;

-- Whether a subject was given other words since is asked for every redaction.
create index events_by_subject on public.events (stream_id, subject_id, version)
  where type in ('document.renamed', 'version.renamed', 'comment.edited', 'comment.deleted');

-- Plans are kept by a connection. One that was made while a table was small must not read all of it once it is large.
alter function private.append(uuid, bigint, jsonb, boolean) set enable_seqscan = off;

revoke execute on all functions in schema private from public;
