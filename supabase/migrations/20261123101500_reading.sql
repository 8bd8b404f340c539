-- Reading the log and its read models, under the reader's rights.

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

revoke all on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments
  from anon, authenticated, service_role;
grant select on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments
  to authenticated, service_role;

-- What activity shows: a workspace's events but the edits, which are most of them.
create index events_but_edits on public.events (workspace_id, position) where type <> 'document.edited';

-- An event with its payload as the clients read it: hashes and salt in hex, the update in base64
-- without line breaks. Redacted, it has no salt, and redacted_by says by which version.
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

-- The events of a stream after a version, oldest first, as a list; empty for who may not read it. A page ends after
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

-- The events of a workspace and, where the caller may read their history, of its documents, after a
-- position, oldest first.
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

-- The author of each Yjs client id of a stream: a user, or where `source` names a document, to be looked up in its log.
create function public.read_clients(stream uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('clientId', c.client_id, 'actorId', c.actor_id, 'version', c.version)
      || case when c.source is null then '{}' else jsonb_build_object('source', c.source) end
    order by c.version, c.client_id), '[]')
  from private.stream_clients c
  where c.stream_id = stream and (select private.may_read(stream))
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.read_events(uuid, bigint, int), public.read_feed(uuid, bigint, int),
  public.read_clients(uuid) from public, anon;
grant execute on function public.read_events(uuid, bigint, int), public.read_feed(uuid, bigint, int),
  public.read_clients(uuid) to authenticated, service_role;
