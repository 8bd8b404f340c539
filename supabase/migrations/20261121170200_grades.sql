-- Grades of history. A workspace may keep the making of its texts to those who make them: a role that is graded 'versions'
-- reads the present text, named versions, comments and who belongs here, but no event of a document and no payload, from
-- whatever side it asks: tables, functions, derived states, channels. All of these ask private.may_read, or the set of
-- workspaces whose log is open to the caller.

alter table public.workspaces
  add column viewer_history text not null default 'everything' check (viewer_history in ('versions', 'everything')),
  add column commenter_history text not null default 'everything' check (commenter_history in ('versions', 'everything'));

-- The workspaces in which the caller reads the logs of documents.
create function private.my_open_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.workspace_id from public.members m join public.workspaces w on w.id = m.workspace_id
  where m.user_id = (select auth.uid()) and m.phase = 'active'
    and case m.role when 'viewer' then w.viewer_history when 'commenter' then w.commenter_history else 'everything' end = 'everything'
$$;

create function private.sees_history(workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select workspace in (select private.my_open_workspaces())
$$;

-- Whether the caller may read the log of a stream. The same answer for one that is forbidden and one that does not exist.
-- The service reads everything, as it does in the tables.
create or replace function private.may_read(stream uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    stream = (select auth.uid())
    or current_setting('role', true) = 'service_role'
    or (
      select case s.kind when 'workspace' then private.role_in(s.workspace_id) is not null else private.sees_history(s.workspace_id) end
      from private.streams s where s.id = stream and s.workspace_id is not null
    ),
    false)
$$;

-- Whether the caller may read a document at a version: any, or for a graded reader the present and what has a name.
create function private.may_read_version(stream uuid, at_version bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.may_read(stream)
    or (
      select private.role_in(s.workspace_id) is not null and (
        at_version = s.version or exists (select from public.versions v where v.document_id = stream and v.at = at_version))
      from private.streams s where s.id = stream and s.kind = 'document'
    ),
    false)
$$;

-- The state of a document at a version that has a name, or (null) the newest that is kept, as { version, state } with base64;
-- null where there is none. A graded reader's only way to the text.
create function public.read_version(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version, 'state', translate(encode(s.state, 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream
    and (select private.role_in(d.workspace_id) from public.documents d where d.id = stream) is not null
    and case when at_version is null then true
      else s.version = at_version and exists (select from public.versions v where v.document_id = stream and v.at = at_version) end
  order by s.version desc
  limit 1
$$;

create or replace function private.project_workspace(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  before public.workspaces;
begin
  if e.type = 'workspace.created' then
    insert into public.workspaces (id, name, phase, version, created_by, created_at, updated_at)
    values (e.stream_id, body ->> 'name', e.to_phase, e.version, e.actor_id, e.recorded_at, e.recorded_at);
    -- Who creates a workspace is its first owner, by this very event: machines/member.ts calls it the founder.
    insert into private.subjects (stream_id, kind, id, phase, author_id, version)
    values (e.stream_id, 'member', e.actor_id, 'active', e.actor_id, e.version);
    perform private.admit(e, e.actor_id, 'owner');
    return;
  end if;
  select * into before from public.workspaces where id = e.stream_id;
  update public.workspaces
  set version = e.version,
      updated_at = e.recorded_at,
      viewer_history = case when e.type = 'workspace.history_graded' then body ->> 'viewer' else viewer_history end,
      commenter_history = case when e.type = 'workspace.history_graded' then body ->> 'commenter' else commenter_history end,
      phase = case when e.subject_kind = 'workspace' then e.to_phase else phase end,
      name = case when e.type = 'workspace.renamed' then body ->> 'name' else name end
  where id = e.stream_id;
  if e.type = 'workspace.history_graded' and (
    before.viewer_history = 'everything' and body ->> 'viewer' = 'versions'
    or before.commenter_history = 'everything' and body ->> 'commenter' = 'versions'
  ) then
    -- A right is taken away, and whoever listens to a document has it until the channel moves.
    update private.feeds set epoch = e.version where workspace_id = e.stream_id;
  end if;
  if e.subject_kind = 'member' then
    perform private.project_member(e, body);
  elsif e.subject_kind = 'invitation' then
    perform private.project_invitation(e, body);
  end if;
end;
$$;

-- The events of a workspace and, where the caller sees them, of its documents, after a position, oldest first.
create or replace function public.read_feed(workspace uuid, after_position bigint default 0, max_count int default 1000) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.as_row(page.e, page.p) order by (page.e).position), '[]')
  from (
    select e, p, coalesce(sum(octet_length(p.body) + coalesce(octet_length(p.update), 0)) over (
      order by e.position rows between unbounded preceding and 1 preceding), 0) as before
    from public.events e left join public.event_payloads p on p.event_id = e.id
    where e.workspace_id = workspace and e.position > coalesce(after_position, 0)
      and (select private.role_in(workspace)) is not null
      and (e.stream_kind <> 'document' or (select private.sees_history(workspace)))
    order by e.position
    limit greatest(0, least(coalesce(max_count, 1000), 1000))
  ) as page
  where page.before < 4194304
$$;

create or replace function private.check_carrying(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  other uuid := (body ->> 'document')::uuid;
  head private.streams;
begin
  if p.type = 'document.redacted' then
    perform private.check_redaction(p, body, stream);
    return;
  end if;
  if not private.is_carrying(p.type) then
    if substring(p.update from 1 for 3) in ('\x000003', '\x000004', '\x000005') then
      perform private.refuse('invalid-event', 'the update was not written in this document');
    end if;
    return;
  end if;
  if private.carried_from(p.update) is distinct from other then
    perform private.refuse('invalid-event', 'the update does not say which document it comes from');
  end if;
  -- A state that is too large for one event comes in several that follow each other.
  if p.type <> 'document.merged' and reached > 1 and not exists (
    select from public.events e join public.event_payloads before on before.event_id = e.id
    where e.stream_id = stream and e.version = reached and e.type = p.type and e.actor_id = (select auth.uid())
      and before.body = p.body
  ) then
    perform private.refuse('illegal-transition', 'a document begins as a copy or not at all');
  end if;
  if p.type = 'document.imported' then
    return;
  end if;
  select * into head from private.streams s where s.id = other and s.kind = 'document';
  if not found or not private.may_read_version(other, (body ->> 'version')::bigint) then
    perform private.refuse('not-permitted', 'there is no such stream, or you have no access to it');
  end if;
  if other = stream or (body ->> 'version')::bigint > head.version then
    perform private.refuse('invalid-event', 'the other document has not reached the version that is named');
  end if;
  if p.type = 'document.merged' and not exists (
    select from public.documents d
    where (d.id = stream and d.forked_from = other) or (d.id = other and d.forked_from = stream)
  ) then
    perform private.refuse('invalid-event', 'neither document began as a copy of the other');
  end if;
end;
$$;

drop policy "people read their own account's events and members their workspace's" on public.events;
create policy "people read their events, members those that they may see" on public.events
  for select to authenticated
  using (
    (stream_kind = 'workspace' and workspace_id in (select private.my_workspaces()))
    or (stream_kind = 'document' and workspace_id in (select private.my_open_workspaces()))
    or (workspace_id is null and stream_id = (select auth.uid()))
  );

-- Makes a table of derived states known, so that redaction reaches it and graded readers do not.
create or replace function private.register_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.caches (relation) values (cache);
  execute format('create trigger b_guard_cache before insert or update on %s for each row execute function private.guard_cache()', cache);
  execute format('alter table %s enable always trigger b_guard_cache', cache);
  perform private.grade_cache(cache);
end;
$$;

create function private.grade_cache(cache regclass) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create policy "and who sees the history of its document" on %s as restrictive for select to authenticated
    using (stream_id in (select d.id from public.documents d where d.workspace_id in (select private.my_open_workspaces())))', cache);
end;
$$;
select private.grade_cache(relation) from private.caches;

revoke execute on all functions in schema private from public;
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_open_workspaces(), private.my_people(),
  private.topic_access(text) to anon, authenticated;
revoke execute on function public.read_version(uuid, bigint) from public, anon;
grant execute on function public.read_version(uuid, bigint) to authenticated, service_role;
