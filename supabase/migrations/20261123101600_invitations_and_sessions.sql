-- Invitations. An owner appends invitation.created with the SHA-256 of a token (at least 22 characters from a good
-- source of randomness) and gives the token to whom they invite. Who shows it gets the right `invited` for one append:
-- reading the hash in the log is of no use to anybody.

-- The invitation of this token; null for a wrong token and for no such invitation alike.
create function private.invitation_for(invitation uuid, token text) returns public.invitations
language sql stable set search_path = '' as $$
  select i.* from public.invitations i join private.invitation_tokens t on t.invitation_id = i.id
  where i.id = invitation and length(token) >= 22
    and t.token_hash = encode(sha256(convert_to(token, 'UTF8')), 'hex')
$$;

-- The invitation, with its workspace's stream locked and everything that could refuse the caller checked.
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

-- Makes the caller a member: { workspaceId, role }. Asked again by somebody who is one already, it changes nothing.
-- A link stays open for others; an invitation by email is used up.
create function public.accept_invitation(invitation uuid, token text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  -- From here on the workspace is locked: two who come in at once do not get the same colour.
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
  -- Who was removed does not come back through a link they still have.
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

-- Declines an invitation by email. A link is nobody's in particular, so there is nothing to decline.
create function public.decline_invitation(invitation uuid, token text) returns void
language plpgsql security definer set search_path = '' as $$
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

-- What the token invites to, before its holder signs in: { workspaceId, workspaceName, inviterName,
-- kind, email, role, phase, expiresAt }; null without the right token. The phase of an invitation
-- that has expired is `expired`.
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

-- How the caller's membership ended: { phase, by, at }. Who is no member any more cannot read the
-- log that says so; they may be told whether they left or were removed, by whom, and when.
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

-- Where the caller is signed in. On a hosted project the role of the migrations may read and delete
-- in this table of the auth service; both functions are about the caller's own sessions alone.
create function public.read_sessions() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(own) order by own.current desc, own.used_at desc), '[]')
  from (
    select
      s.id,
      coalesce(s.user_agent, '') as user_agent,
      s.created_at,
      -- The service writes this one time without a zone, in UTC.
      greatest(s.created_at, s.refreshed_at at time zone 'UTC') as used_at,
      s.id::text is not distinct from (select auth.jwt()) ->> 'session_id' as current
    from auth.sessions s
    where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
    order by 4 desc
    limit 100
  ) own
$$;

-- Ends another of the caller's sessions and with it, by their foreign key, its refresh tokens;
-- false when there is none.
create function public.end_session(session uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s
  where s.id = session and s.user_id = (select auth.uid()) and s.id::text is distinct
    from (select auth.jwt()) ->> 'session_id';
  return found;
end $$;

revoke execute on all functions in schema private from public;
revoke execute on function public.accept_invitation(uuid, text), public.decline_invitation(uuid, text),
  public.read_departure(uuid), public.read_sessions(), public.end_session(uuid) from public, anon;
grant execute on function public.accept_invitation(uuid, text), public.decline_invitation(uuid, text),
  public.read_departure(uuid), public.read_sessions(), public.end_session(uuid) to authenticated;
revoke execute on function public.preview_invitation(uuid, text) from public;
grant execute on function public.preview_invitation(uuid, text) to anon, authenticated, service_role;
