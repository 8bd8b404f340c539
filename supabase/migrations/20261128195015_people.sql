-- Functions for people: invitations, sessions, personal state, and the first rows of a workspace that the server
-- renders.

-- Invitations. An owner appends invitation.created with the SHA-256 of a random token of at least 22 characters, and
-- gives the token to the invited person. The token grants the right `invited` for one append. The hash in the log does
-- not reveal it.

-- The invitation of this token; null for a wrong token and a missing invitation alike.
create function private.invitation_for(invitation uuid, token text) returns public.invitations
language sql stable set search_path = '' as $$
  select i.* from public.invitations i join private.invitation_tokens t on t.invitation_id = i.id
  where i.id = invitation and length(token) >= 22
    and t.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex')
$$;

-- Locks the stream of an invitation's workspace and returns the invitation. Refuses a caller who is signed out, has a
-- wrong token, or is not the addressee of an invitation by e-mail.
create function private.claim_invitation(invitation uuid, token text) returns public.invitations
language plpgsql set search_path = '' as $$
declare
  i public.invitations;
begin
  if auth.uid() is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  perform from private.streams s
  where s.id = (select (private.invitation_for(invitation, token)).workspace_id) for update;
  i := private.invitation_for(invitation, token);
  if i.id is null then
    perform private.refuse('not-permitted', 'invitation-missing', 'there is no such invitation');
  end if;
  if i.kind = 'email' and lower(i.email) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('not-permitted', 'invitation-for-other', 'the invitation is for another address');
  end if;
  return i;
end;
$$;

-- Makes the caller a member and returns { workspaceId, role }. For a present member it changes nothing. A link stays
-- open for others; an invitation by e-mail is used up.
create function public.accept_invitation(invitation uuid, token text) returns jsonb
language plpgsql security definer set search_path = '' set lock_timeout = '4s' as $$
declare
  -- Locks the workspace's stream, so that two people who join at once get different colours.
  i public.invitations := private.claim_invitation(invitation, token);
  actor uuid := auth.uid();
  events jsonb := '[]';
begin
  if private.role_in(i.workspace_id) is not null then
    return jsonb_build_object('workspaceId', i.workspace_id, 'role', private.role_in(i.workspace_id));
  end if;
  if i.phase <> 'open' then
    perform private.refuse('illegal-transition', 'invitation-closed', 'the invitation is ' || i.phase);
  end if;
  if i.expires_at <= clock_timestamp() then
    perform private.refuse('illegal-transition', 'invitation-expired', 'the invitation has expired');
  end if;
  -- A removed member cannot rejoin with an invitation that is older than the removal.
  if exists (
    select from private.subjects s join private.invitation_tokens t on t.invitation_id = i.id
    where s.stream_id = i.workspace_id and s.kind = 'member' and s.id = actor
      and s.phase = 'removed' and s.version > t.version
  ) then
    perform private.refuse('not-permitted', 'removed-since', 'the invitation is older than the removal');
  end if;
  if i.kind = 'email' then
    events := jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.accepted', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', i.id)));
  end if;
  events := events || jsonb_build_object('id', gen_random_uuid(), 'type', 'member.joined',
    'body', json_build_object('role', i.role, 'invitationId', i.id, 'color',
      private.next_color(i.workspace_id, actor))::text,
    'subject', jsonb_build_object('kind', 'member', 'id', actor));
  perform private.append(i.workspace_id, null, events, true);
  return jsonb_build_object('workspaceId', i.workspace_id, 'role', i.role);
end;
$$;

-- Declines an invitation by e-mail. A link has no addressee and cannot be declined.
create function public.decline_invitation(invitation uuid, token text) returns void
language plpgsql security definer set search_path = '' set lock_timeout = '4s' as $$
declare
  i public.invitations := private.claim_invitation(invitation, token);
begin
  if i.kind = 'link' then
    perform private.refuse('not-permitted', 'invitation-for-nobody', 'a link is not addressed to anybody');
  end if;
  perform private.append(i.workspace_id, null,
    jsonb_build_array(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.declined', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', i.id))), true);
end;
$$;

-- An invitation as its holder sees it before signing in: { workspaceId, workspaceName, inviterName, kind, email, role,
-- phase, expiresAt }; null without the right token. The phase of an expired open invitation is `expired`.
create function public.preview_invitation(invitation uuid, token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'workspaceId', i.workspace_id,
    'workspaceName', w.name,
    'inviterName', coalesce(m.name, ''),
    'kind', i.kind,
    'email', i.email,
    'role', i.role,
    'phase', case when i.phase = 'open' and i.expires_at <= clock_timestamp() then 'expired' else i.phase end,
    'expiresAt', to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from private.invitation_for(invitation, token) as i
  join public.workspaces w on w.id = i.workspace_id
  left join public.members m on m.workspace_id = i.workspace_id and m.user_id = i.created_by
$$;

-- The invitation mails of the last day, with the hash of the address. An invitation mail carries one person's words to
-- an address that did not ask for them, so mails are limited. The database counts them, so the limits hold wherever the
-- sending function runs.
create table private.invitation_mails (
  id bigint generated always as identity primary key,
  invitation_id uuid not null,
  sender_id uuid not null,
  address_hash text not null,
  sent_at timestamptz not null default clock_timestamp()
);
create index invitation_mails_by_invitation on private.invitation_mails (invitation_id, sent_at);
create index invitation_mails_by_sender on private.invitation_mails (sender_id, sent_at);
create index invitation_mails_by_address on private.invitation_mails (address_hash, sent_at);
create index invitation_mails_by_time on private.invitation_mails (sent_at);
revoke all on table private.invitation_mails from public, anon, authenticated, service_role;

-- Counts one mail of an invitation against the limits, for an owner who holds its token. Returns { refused: null,
-- workspaceName, inviterName, email, role }, or { refused } with the reason: `not-open`, `sent-lately` (once in ten
-- minutes per invitation), `account-sent-enough` (20 a day), `address-has-enough` (3 a day, from all senders). A mail
-- that fails afterwards counts as well.
create function public.claim_invitation_mail(invitation uuid, token text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  i public.invitations := private.invitation_for(invitation, token);
  sender uuid := auth.uid();
  address text;
  key text;
  most_of_account constant int := 20;
  most_to_address constant int := 3;
begin
  if sender is null or i.id is null or private.role_in(i.workspace_id) is distinct from 'owner' then
    perform private.refuse('not-permitted', 'not-owner', 'only owners who hold its token mail an invitation');
  end if;
  if i.kind <> 'email' or i.phase <> 'open' or i.expires_at <= clock_timestamp() then
    return jsonb_build_object('refused', 'not-open');
  end if;
  address := encode(sha256(convert_to(lower(i.email), 'UTF8')), 'hex');
  -- Every call locks in the same order, so that no two calls deadlock.
  for key in
    select k from unnest(array['account ' || sender::text, 'address ' || address]) as k order by k collate "C"
  loop
    perform pg_advisory_xact_lock(hashtextextended(key, 8));
  end loop;
  delete from private.invitation_mails m where m.sent_at < clock_timestamp() - interval '1 day';
  if exists (select from private.invitation_mails m
    where m.invitation_id = i.id and m.sent_at > clock_timestamp() - interval '10 minutes') then
    return jsonb_build_object('refused', 'sent-lately');
  end if;
  if (select count(*) from private.invitation_mails m where m.sender_id = sender)
    >= most_of_account then
    return jsonb_build_object('refused', 'account-sent-enough');
  end if;
  if (select count(*) from private.invitation_mails m where m.address_hash = address)
    >= most_to_address then
    return jsonb_build_object('refused', 'address-has-enough');
  end if;
  insert into private.invitation_mails (invitation_id, sender_id, address_hash)
  values (i.id, sender, address);
  return jsonb_build_object(
    'refused', null,
    'workspaceName', (select w.name from public.workspaces w where w.id = i.workspace_id),
    'inviterName', coalesce((select m.name from public.members m
      where m.workspace_id = i.workspace_id and m.user_id = sender), ''),
    'email', i.email,
    'role', i.role);
end;
$$;

-- How the caller's membership ended: { phase, by, at }. A former member cannot read the log, but may know whether they
-- left or were removed, when, and the name of the member who did it.
create function public.read_departure(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'phase', s.phase,
    'by', coalesce(m.name, ''),
    'at', to_char(e.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from private.subjects s
  join public.events e on e.stream_id = s.stream_id and e.version = s.version
  left join public.members m on m.workspace_id = s.stream_id and m.user_id = e.actor_id
  where s.stream_id = workspace and s.kind = 'member' and s.id = (select auth.uid()) and s.phase <> 'active'
$$;

-- The caller's sessions: at most 100, the current one first, then the most recently used. On a hosted project the role
-- of the migrations may read and delete rows of auth.sessions; this function and end_session touch only the caller's
-- own.
create function public.read_sessions() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(own) order by own.current desc, own.used_at desc), '[]')
  from (
    select
      s.id,
      coalesce(s.user_agent, '') as user_agent,
      s.created_at,
      -- The auth service stores `refreshed_at` without a time zone, in UTC.
      greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at,
      s.id::text is not distinct from (select auth.jwt()) ->> 'session_id' as current
    from auth.sessions s
    where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
    order by 4 desc
    limit 100
  ) own
$$;

-- Ends another of the caller's sessions; a foreign key deletes its refresh tokens. False if there is no such session.
create function public.end_session(session uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and s.id::text is distinct
    from (select auth.jwt()) ->> 'session_id';
  return found;
end $$;

-- Personal state: how far a person has read each document, when they opened it, and their favourites. It is not part of
-- any history. Only that person may read it; the service may not.

create table public.personal_documents (
  seen_version bigint not null check (seen_version > 0),
  seen_at timestamptz not null,
  opened_at timestamptz not null,
  user_id uuid not null,
  document_id uuid not null,
  workspace_id uuid not null,
  primary key (user_id, document_id)
);
create index personal_documents_by_opening on public.personal_documents (user_id, workspace_id, opened_at desc);

create table public.personal_workspaces (
  -- Changes up to this time count as read; null until the person marks everything as read.
  read_at timestamptz,
  user_id uuid not null,
  workspace_id uuid not null,
  -- Document ids in the person's own order.
  favourites uuid[] not null default '{}' check (cardinality(favourites) <= 200),
  primary key (user_id, workspace_id)
);

create trigger a_refuse_others before insert or update or delete or truncate on public.personal_documents
  for each statement execute function private.refuse_others();
create trigger a_refuse_others before insert or update or delete or truncate on public.personal_workspaces
  for each statement execute function private.refuse_others();
alter table public.personal_documents enable always trigger a_refuse_others;
alter table public.personal_documents enable row level security;
alter table public.personal_workspaces enable always trigger a_refuse_others;
alter table public.personal_workspaces enable row level security;
create policy "people read what they keep of workspaces they belong to" on public.personal_documents
  for select to authenticated
  using (user_id = (select auth.uid()) and workspace_id in (select private.my_workspaces()));
create policy "people read what they keep of workspaces they belong to" on public.personal_workspaces
  for select to authenticated
  using (user_id = (select auth.uid()) and workspace_id in (select private.my_workspaces()));
revoke all on public.personal_documents, public.personal_workspaces from public, anon, authenticated, service_role;
grant select on public.personal_documents, public.personal_workspaces to authenticated;

-- The workspace of a document whose present version the caller may read; null for any other.
create function private.workspace_of_document(document uuid) returns uuid
language sql stable set search_path = '' as $$
  select s.workspace_id from private.streams s
  where s.id = document and s.kind = 'document' and private.role_in(s.workspace_id) is not null
$$;

-- Broadcasts to the caller's own pages that their personal state has changed.
create function private.announce_personal(payload jsonb) returns void
language sql set search_path = '' as $$
  select realtime.send(payload, 'personal', format('account:%s:0', (select auth.uid())), true)
$$;

-- Stores how far the caller has read a document; the version never decreases. False for a document that the caller may
-- not read and for a version that it does not have. Keeps the 10 000 most recently opened documents of a person.
create function public.mark_seen(document uuid, version bigint, opened boolean default false) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  fresh boolean;
begin
  if me is null or workspace is null or version is null or version < 1
    or version > (select s.version from private.streams s where s.id = document) then
    return false;
  end if;
  insert into public.personal_documents as kept
    (user_id, document_id, workspace_id, seen_version, seen_at, opened_at)
  values (me, document, workspace, version, now(), now())
  on conflict (user_id, document_id) do update
    set seen_version = greatest(kept.seen_version, excluded.seen_version),
      seen_at = case when excluded.seen_version > kept.seen_version then now() else kept.seen_at end,
      opened_at = case when coalesce(opened, false) then now() else kept.opened_at end
    where excluded.seen_version > kept.seen_version or coalesce(opened, false)
  returning xmax = 0 into fresh;
  if fresh is null then
    return true;
  end if;
  if fresh then
    delete from public.personal_documents p where p.user_id = me and p.document_id in (
      select old.document_id from public.personal_documents old where old.user_id = me
      order by old.opened_at desc, old.document_id offset 10000);
  end if;
  perform private.announce_personal(
    jsonb_build_object('workspace', workspace, 'document', document, 'version', version));
  return true;
end;
$$;

-- Stores that the caller has read all changes of a workspace up to a time, at most now. An earlier time than the stored
-- one replaces it. False if the caller is not a member.
create function public.mark_all_read(workspace uuid, until timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if private.role_in(workspace) is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id, read_at)
  values ((select auth.uid()), workspace, least(until, now()))
  on conflict (user_id, workspace_id) do update set read_at = excluded.read_at;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$$;

-- Adds a document to the caller's favourites, at a place counted from 0 (by default the last), or removes it. False if
-- the caller may not read it, or already has 200 other favourites in its workspace.
create function public.set_favourite(document uuid, favourite boolean, place int default null) returns boolean
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me uuid := (select auth.uid());
  workspace uuid := private.workspace_of_document(document);
  others uuid[];
  at int;
begin
  if me is null or workspace is null or favourite is null then
    return false;
  end if;
  insert into public.personal_workspaces (user_id, workspace_id) values (me, workspace) on conflict do nothing;
  select array_remove(p.favourites, document) into others
  from public.personal_workspaces p where p.user_id = me and p.workspace_id = workspace for update;
  if favourite then
    if cardinality(others) >= 200 then
      return false;
    end if;
    at := greatest(0, least(coalesce(place, cardinality(others)), cardinality(others)));
    others := others[:at] || document || others[at + 1:];
  end if;
  update public.personal_workspaces p set favourites = others
  where p.user_id = me and p.workspace_id = workspace;
  perform private.announce_personal(jsonb_build_object('workspace', workspace));
  return true;
end;
$$;

-- The caller's personal state of a workspace: { readAt, favourites, recents, unread }. `recents` are the 20 documents
-- that they opened last. `unread` maps each document whose last change, by another person, they have not read to the
-- version that they have read (0 if they never opened it). Changes from before they joined count as read. Null if they
-- are not a member.
create function public.read_personal(workspace uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'readAt', greatest(m.joined_at, own.read_at),
    'favourites', coalesce(to_jsonb(own.favourites), '[]'),
    'recents', coalesce((
      select jsonb_agg(r.document_id order by r.opened_at desc) from (
        select p.document_id, p.opened_at from public.personal_documents p
        where p.user_id = m.user_id and p.workspace_id = m.workspace_id order by p.opened_at desc limit 20
      ) as r), '[]'),
    'unread', coalesce((
      select jsonb_object_agg(d.id, coalesce(p.seen_version, 0))
      from public.documents d left join public.personal_documents p
        on p.user_id = m.user_id and p.document_id = d.id
      where d.workspace_id = m.workspace_id and d.phase = 'live' and d.updated_by <> m.user_id
        and d.updated_at > greatest(m.joined_at, own.read_at) and d.version > coalesce(p.seen_version, 0)
    ), '{}'))
  from public.members m left join public.personal_workspaces own
    on own.user_id = m.user_id and own.workspace_id = m.workspace_id
  where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
$$;

-- One page of the caller's workspaces, ordered by name: [{ id, name }], after the given one (null: from the first).
create function public.read_workspaces(after_name text, after_id uuid, most int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', page.id, 'name', page.name) order by page.key, page.id), '[]')
  from (
    select w.id, w.name, lower(w.name) as key
    from public.members m join public.workspaces w on w.id = m.workspace_id
    where m.user_id = (select auth.uid()) and m.phase = 'active'
      and (after_id is null or (lower(w.name), w.id) > (lower(after_name), after_id))
    order by 3, 1
    limit greatest(1, least(coalesce(most, 100), 200))
  ) page
$$;

-- The first rows of each list of a workspace, for the server to render; the page reads the rest after hydration. It is
-- one call, because every page of a workspace begins with it. It runs with the caller's rights: the policies of the
-- tables decide which rows they see.
create function public.read_workspace_window(workspace uuid, here uuid, rows_of_each int) returns jsonb
language sql stable set search_path = '' as $$
  with recursive
  bound as (select greatest(1, least(coalesce(rows_of_each, 100), 200)) as most),
  me as materialized (
    select m.user_id, greatest(m.joined_at, own.read_at) as read_at, own.favourites
    from public.members m left join public.personal_workspaces own
      on own.user_id = m.user_id and own.workspace_id = m.workspace_id
    where m.workspace_id = workspace and m.user_id = (select auth.uid()) and m.phase = 'active'
  ),
  every as materialized (
    select d.id, d.parent_id, d.rank, d.phase, d.template, d.updated_at, d.updated_by, d.version
    from public.documents d where d.workspace_id = workspace
  ),
  away as materialized (
    select e.id from every e where e.phase <> 'live'
    union
    select e.id from away a join every e on e.parent_id = a.id
  ),
  live as materialized (
    select e.id, e.parent_id, e.rank, e.template, e.updated_at, coalesce(seen.seen_version, 0) as seen,
      e.updated_by <> me.user_id and e.updated_at > me.read_at and e.version > coalesce(seen.seen_version, 0)
        as unread
    from every e cross join me
      left join public.personal_documents seen on seen.user_id = me.user_id and seen.document_id = e.id
    where not exists (select from away where away.id = e.id)
  ),
  path as (
    select l.id, l.parent_id, l.rank, 0 as up from live l where l.id = here
    union all
    select l.id, l.parent_id, l.rank, path.up + 1 from path join live l on l.id = path.parent_id
    where path.up < 64
  ),
  -- The ancestors of `here`, which the tree shows expanded, each with the places from the top down as one key.
  open as (
    select p.id, (
      select array_agg(above.rank || ' ' || above.id order by above.up desc) from path above where above.up >= p.up
    ) as key
    from path p where p.up > 0
  ),
  placed as materialized (
    select l.id, coalesce(open.key, '{}') || (l.rank || ' ' || l.id) as key,
      row_number() over (partition by l.parent_id order by l.rank collate "C", l.id) as position,
      count(*) over (partition by l.parent_id) as size
    from live l left join open on open.id = l.parent_id
    where l.parent_id is null or open.id is not null
  ),
  tree as materialized (
    (select * from placed order by key collate "C" limit (select most from bound))
    union
    select * from placed where id = here
  ),
  unread as materialized (
    select id, seen from live where unread order by updated_at desc, id limit (select most from bound)
  ),
  -- The latest events, which the activity shows first.
  lately as materialized (
    select e.stream_id, e.actor_id from public.events e where e.workspace_id = workspace
    order by e.position desc limit 400
  ),
  shown as materialized (
    select id from unread
    union
    (select id from live where not unread order by updated_at desc, id limit (select most from bound))
    union
    select id from tree
    union
    select id from path
    union
    select l.id from me cross join unnest(me.favourites) favourite join live l on l.id = favourite
    union
    select e.id from lately join every e on e.id = lately.stream_id
    union
    (select id from live where template order by id limit 20)
    union
    (select id from every where phase = 'trashed' order by updated_at desc, id limit (select most from bound))
    union
    (select id from every where (select count(*) from every) <= (select most from bound))
  ),
  documents as materialized (
    select d.* from public.documents d where d.id = any (array(select id from shown))
  ),
  active as materialized (
    select m.user_id, m.joined_at from public.members m where m.workspace_id = workspace and m.phase = 'active'
  ),
  invited as materialized (
    select i.* from public.invitations i
    where i.workspace_id = workspace and i.phase = 'open' and (i.expires_at is null or i.expires_at > now())
  ),
  invitations as materialized (
    select * from invited order by created_at desc, id limit (select most from bound)
  ),
  -- The people named in the shown rows, and the actors of the latest events.
  named as (
    select created_by as id from documents
    union
    select updated_by from documents
    union
    select created_by from invitations
    union
    select actor_id from lately
  ),
  people as (
    select (select auth.uid()) as id
    union
    (select user_id from active order by joined_at, user_id limit (select most from bound))
    union
    (select id from named limit 2 * (select most from bound))
    union
    (select m.user_id from public.members m where m.workspace_id = workspace
      and (select count(*) from public.members all_of_them where all_of_them.workspace_id = workspace)
        <= (select most from bound))
  )
  select jsonb_build_object(
    'workspaces', public.read_workspaces(null, null, (select most from bound)),
    'documents', coalesce((select jsonb_agg(to_jsonb(d)) from documents d), '[]'),
    'tree', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'level', cardinality(t.key), 'position', t.position,
        'size', t.size, 'hasInside', t.id in (select l.parent_id from live l where l.parent_id is not null)) order by t.key collate "C")
      from tree t), '[]'),
    'members', coalesce((
      select jsonb_agg(to_jsonb(m)) from public.members m join people on people.id = m.user_id
      where m.workspace_id = workspace), '[]'),
    'invitations', coalesce((select jsonb_agg(to_jsonb(i)) from invitations i), '[]'),
    'personal', (
      select jsonb_build_object(
        'readAt', me.read_at,
        'favourites', coalesce(to_jsonb(me.favourites), '[]'),
        'recents', coalesce((
          select jsonb_agg(r.document_id order by r.opened_at desc) from (
            select p.document_id, p.opened_at from public.personal_documents p
            where p.user_id = me.user_id and p.workspace_id = workspace order by p.opened_at desc limit 20
          ) as r), '[]'),
        'unread', coalesce((select jsonb_object_agg(u.id, u.seen) from live u join shown using (id) where u.unread), '{}'))
      from me),
    'counts', jsonb_build_object(
      'workspaces', (select count(*) from public.members m
        where m.user_id = (select auth.uid()) and m.phase = 'active'),
      'all', (select count(*) from every),
      'live', (select count(*) from live),
      'unread', (select count(*) from live where unread),
      'trashed', (select count(*) from every where phase = 'trashed'),
      'everybody', (select count(*) from public.members m where m.workspace_id = workspace),
      'members', (select count(*) from active),
      'invitations', (select count(*) from invited)))
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.accept_invitation(uuid, text), public.decline_invitation(uuid, text),
  public.read_departure(uuid), public.read_sessions(), public.end_session(uuid) from public, anon;
revoke execute on function public.preview_invitation(uuid, text) from public;
grant execute on function public.accept_invitation(uuid, text), public.decline_invitation(uuid, text),
  public.read_departure(uuid), public.read_sessions(), public.end_session(uuid) to authenticated;
grant execute on function public.preview_invitation(uuid, text) to anon, authenticated, service_role;
revoke execute on function public.claim_invitation_mail(uuid, text) from public, anon;
grant execute on function public.claim_invitation_mail(uuid, text) to authenticated;
revoke execute on function public.mark_seen(uuid, bigint, boolean), public.mark_all_read(uuid, timestamptz),
  public.set_favourite(uuid, boolean, int), public.read_personal(uuid) from public, anon;
grant execute on function public.mark_seen(uuid, bigint, boolean), public.mark_all_read(uuid, timestamptz),
  public.set_favourite(uuid, boolean, int), public.read_personal(uuid) to authenticated;
revoke execute on function public.read_workspaces(text, uuid, int),
  public.read_workspace_window(uuid, uuid, int) from public, anon;
grant execute on function public.read_workspaces(text, uuid, int),
  public.read_workspace_window(uuid, uuid, int) to authenticated;
