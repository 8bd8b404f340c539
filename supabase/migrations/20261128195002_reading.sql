-- Read access: roles, policies, and the functions that read the log. Policies and the append path call the same
-- functions.

-- The rank of a role: each role has the rights of all lower ones. Null for any other text.
create function private.rank(role text) returns int
language sql immutable parallel safe
return case role when 'owner' then 4 when 'editor' then 3 when 'commenter' then 2 when 'viewer' then 1 end;

-- Whether the actor holds the right that a rule needs, given their role, the subject, its author and an invitation.
create function private.holds(needs text, actor uuid, role text, subject_id uuid, author_id uuid, invited boolean)
returns boolean
language sql immutable parallel safe
return coalesce(
  case needs
    when 'anyone' then true
    when 'self' then subject_id = actor
    when 'author' then author_id = actor and role is not null
    when 'invited' then invited
    else private.rank(role) >= private.rank(needs)
  end,
  false);

-- The caller's role in a workspace; null for strangers and former members.
create function private.role_in(workspace uuid) returns text
language sql stable security definer set search_path = '' as $$
  select role from public.members
  where workspace_id = workspace and user_id = (select auth.uid()) and phase = 'active'
$$;

-- The caller's workspaces. A policy that calls this in a subselect evaluates it once per statement.
create function private.my_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select workspace_id from public.members where user_id = (select auth.uid()) and phase = 'active'
$$;

-- The workspaces in which the caller may read the history of documents. A workspace may limit viewers and commenters
-- to named versions. They then read the present text, named versions, comments and members, but no event and no
-- payload of a document. Tables, functions, caches and channels enforce this through this function or
-- private.may_read.
create function private.my_open_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.workspace_id from public.members m join public.workspaces w on w.id = m.workspace_id
  where m.user_id = (select auth.uid()) and m.phase = 'active'
    and case m.role when 'viewer' then w.viewer_history when 'commenter' then w.commenter_history
      else 'everything' end = 'everything'
$$;

-- Whether the caller may read the history of a workspace's documents.
create function private.sees_history(workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select workspace in (select private.my_open_workspaces())
$$;

-- The people who share a workspace with the caller now.
create function private.my_people() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct user_id from public.members where workspace_id in (select private.my_workspaces())
    and phase = 'active'
$$;

-- Whether the caller may read the log of a stream; false for a missing stream as for a forbidden one. The service
-- reads everything, as it does in the tables.
create function private.may_read(stream uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    stream = (select auth.uid())
    or current_setting('role', true) = 'service_role'
    or (
      select case s.kind when 'workspace' then private.role_in(s.workspace_id) is not null
        else private.sees_history(s.workspace_id) end
      from private.streams s where s.id = stream and s.workspace_id is not null
    ),
    false)
$$;

-- Whether the caller may read a document at a version. Readers without the right to the history may read the present
-- version and the named ones.
create function private.may_read_version(stream uuid, at_version bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.may_read(stream)
    or (
      select private.role_in(s.workspace_id) is not null and (
        at_version = s.version
          or exists (select from public.versions v where v.document_id = stream and v.at = at_version))
      from private.streams s where s.id = stream and s.kind = 'document'
    ),
    false)
$$;

alter table public.events enable row level security;
alter table public.event_payloads enable row level security;
alter table public.accounts enable row level security;
alter table public.workspaces enable row level security;
alter table public.members enable row level security;
alter table public.invitations enable row level security;
alter table public.documents enable row level security;
alter table public.versions enable row level security;
alter table public.threads enable row level security;
alter table public.comments enable row level security;
create policy "people read their events, members those that they may see" on public.events
  for select to authenticated
  using (
    (stream_kind = 'workspace' and workspace_id in (select private.my_workspaces()))
    or (stream_kind = 'document' and workspace_id in (select private.my_open_workspaces()))
    or (workspace_id is null and stream_id = (select auth.uid()))
  );
create policy "who reads an event reads its payload" on public.event_payloads for select to authenticated
  using (exists (select from public.events e where e.id = event_id));
create policy "people read their own account and those of their workspaces' people" on public.accounts
  for select to authenticated
  using (user_id = (select auth.uid()) or user_id in (select private.my_people()));
create policy "members read their workspaces" on public.workspaces for select to authenticated
  using (id in (select private.my_workspaces()));
create policy "members read who belongs to their workspaces" on public.members for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' invitations" on public.invitations for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' documents" on public.documents for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' named versions" on public.versions for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' threads" on public.threads for select to authenticated
  using (workspace_id in (select private.my_workspaces()));
create policy "members read their workspaces' comments" on public.comments for select to authenticated
  using (workspace_id in (select private.my_workspaces()));

-- API roles read rows under the policies; only functions write them.
revoke all on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments
  from anon, authenticated, service_role;
grant select on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments
  to authenticated, service_role;

-- An event with its payload as clients read it: hashes and salt in hex, the update in base64 without line breaks. A
-- redacted event has no salt, and redacted_by is the version of the redaction.
create function private.as_row(e public.events, p public.event_payloads) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id,
    'stream_id', e.stream_id,
    'stream_kind', e.stream_kind,
    'workspace_id', e.workspace_id,
    'version', e.version,
    'position', e.position,
    'type', e.type,
    'subject_kind', e.subject_kind,
    'subject_id', e.subject_id,
    'from_phase', e.from_phase,
    'to_phase', e.to_phase,
    'schema', e.schema,
    'actor_id', e.actor_id,
    'client_ids', e.client_ids,
    'client_time', to_char(e.client_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'recorded_at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'payload_hash', encode(e.payload_hash, 'hex'),
    'hash', encode(e.hash, 'hex'),
    'salt', encode(p.salt, 'hex'),
    'body', p.body,
    'update', translate(encode(p.update, 'base64'), E'\n', ''))
    || case when p.redacted_by is null then '{}' else jsonb_build_object('redacted_by', p.redacted_by) end
$$;

-- The events of a stream after a version, oldest first; empty for callers who may not read it. A page ends after
-- max_count (at most 1000) rows, or with the row that brings its bodies and updates to 4 MiB.
create function public.read_events(stream uuid, after_version bigint default 0,
  max_count int default 1000) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.as_row(page.e, page.p) order by (page.e).version), '[]')
  from (
    select e, p, coalesce(sum(octet_length(p.body) + coalesce(octet_length(p.update), 0)) over (
      order by e.version rows between unbounded preceding and 1 preceding), 0) as before
    from public.events e left join public.event_payloads p on p.event_id = e.id
    where e.stream_id = stream and e.version > coalesce(after_version, 0) and (select private.may_read(stream))
    order by e.version
    limit greatest(0, least(coalesce(max_count, 1000), 1000))
  ) as page
  where page.before < 4194304
$$;

-- The events of a workspace after a position, oldest first, with those of its documents if the caller may read their
-- history.
create function public.read_feed(workspace uuid, after_position bigint default 0,
  max_count int default 1000) returns jsonb
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

-- The author of each Yjs client id of a stream: a user, or `source`, the document whose log has the author.
create function public.read_clients(stream uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('clientId', c.client_id, 'actorId', c.actor_id, 'version', c.version)
      || case when c.source is null then '{}' else jsonb_build_object('source', c.source) end
    order by c.version, c.client_id), '[]')
  from private.stream_clients c
  where c.stream_id = stream and (select private.may_read(stream))
$$;

-- The migration versions, of the first 1000 given, that this database lacks. `anon` may call it, so that a process
-- with only the publishable key can report whether it is ready.
create function public.missing_migrations(versions text[]) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  missing text[];
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return versions[1:1000];
  end if;
  execute 'select coalesce(array_agg(v order by v), ''{}'') from unnest($1) as v
    where not exists (select from supabase_migrations.schema_migrations m where m.version = v)'
    into missing using versions[1:1000];
  return missing;
end;
$$;

revoke execute on all functions in schema private from public;
-- A policy calls these functions with the rights of the caller.
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_open_workspaces(),
  private.my_people()
  to anon, authenticated;
revoke execute on function public.read_events(uuid, bigint, int), public.read_feed(uuid, bigint, int),
  public.read_clients(uuid) from public, anon;
grant execute on function public.read_events(uuid, bigint, int), public.read_feed(uuid, bigint, int),
  public.read_clients(uuid) to authenticated, service_role;
revoke execute on function public.missing_migrations(text[]) from public;
grant execute on function public.missing_migrations(text[]) to anon, authenticated, service_role;
