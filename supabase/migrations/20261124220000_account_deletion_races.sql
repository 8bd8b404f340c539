-- Deleting an account beside others who act at the same moment. Two owners who went at once each found the other there,
-- so that a workspace was left to nobody with its documents in it, or one of the two ran into a deadlock; who came in
-- by a link while a workspace was being emptied had its documents purged before their eyes; and an event that was sent
-- again after the end had the address of the account noted once more.

-- Locks what an append depends on beside its stream. Whose account was deleted begins and joins nothing more, and
-- nothing is noted of them: on a hosted project their token goes on for minutes.
create or replace function private.lock_dependencies(
  head private.streams, actor uuid, batch private.proposal[], invited boolean
) returns void
language plpgsql set search_path = '' as $$
declare
  phase text;
begin
  if head.kind = 'account' or invited or head.version = 0 then
    select a.phase into phase from public.accounts a where a.user_id = actor for share;
    if phase is distinct from 'deleted' then
      perform private.remember_email(actor);
    elsif head.kind <> 'account' then
      perform private.refuse('not-permitted', 'account-deleted', 'the account was deleted');
    end if;
  end if;
  if head.kind = 'workspace' and exists (select from unnest(batch) as p where p.subject_kind = 'member') then
    perform from public.members where workspace_id = head.workspace_id order by user_id for update;
  else
    perform from public.members where workspace_id = head.workspace_id and user_id = actor for share;
  end if;
end;
$$;

-- Revokes invitations to a workspace that are open, so that nobody comes into it, as many as there is time for.
drop function private.revoke_invitations(uuid);
create function private.revoke_invitations(workspace uuid, until timestamptz) returns void
language plpgsql set search_path = '' as $$
declare
  events jsonb;
begin
  loop
    select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'type', 'invitation.revoked', 'body', '{}',
      'subject', jsonb_build_object('kind', 'invitation', 'id', open.id)))
    into events from (
      select i.id from public.invitations i where i.workspace_id = workspace and i.phase = 'open' limit 200
    ) as open;
    exit when events is null;
    perform private.append(workspace, null, events, false);
    exit when clock_timestamp() > until;
  end loop;
end;
$$;

-- Deletes the caller's account: of the invitations to and the documents of workspaces in which they are alone as many
-- as a second is enough for, and when none is left, everything else at once. Answers how many documents are left, and
-- whether it is done; who is told that it is not calls again. Called again afterwards it changes nothing. `address` is
-- the account's own, typed by whoever means it.
create or replace function public.delete_account(address text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  actor uuid := auth.uid();
  until timestamptz := clock_timestamp() + interval '1 second';
  phase text;
  alone uuid[];
  workspace uuid;
  gone public.documents;
begin
  if actor is null then
    perform private.refuse('not-permitted', 'signed-out', 'nobody is signed in');
  end if;
  if lower(trim(address)) is distinct from lower(auth.jwt() ->> 'email') then
    perform private.refuse('invalid-event', 'address-wrong', 'this is not the address of the account');
  end if;
  -- What of this person’s own begins or joins at this moment waits here, or is there.
  select a.phase into phase from public.accounts a where a.user_id = actor for update;
  if phase = 'deleted' then
    return jsonb_build_object('deleted', true, 'left', 0);
  end if;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  foreach workspace in array alone loop
    -- Nobody comes into what is being emptied. Who was faster is in it from here on, and keeps it.
    perform from private.streams s where s.id = workspace for update;
    continue when exists (
      select from public.members m
      where m.workspace_id = workspace and m.user_id <> actor and m.phase = 'active'
    );
    perform private.revoke_invitations(workspace, until);
    loop
      exit when clock_timestamp() > until;
      select * into gone from public.documents d
      where d.workspace_id = workspace and d.phase <> 'purged' and not exists (
        select from public.documents inside
        where coalesce(inside.parent_id, inside.workspace_id) = d.id and inside.phase <> 'purged'
      )
      limit 1;
      exit when not found;
      if gone.phase = 'live' then
        perform private.append(gone.id, null, private.lone_event('document.trashed'), false);
      end if;
      perform private.append(gone.id, null, private.lone_event('document.purged'), false);
    end loop;
    exit when clock_timestamp() > until;
  end loop;
  -- Two who go at once go one after the other: what the first leaves to the second alone is emptied, too.
  perform from private.streams s
  where s.id = any (array(select w.id from private.workspaces_without(actor) as w)) order by s.id for update;
  if exists (select from private.workspaces_without(actor) as w where w.effect = 'kept') then
    perform private.refuse('not-permitted', 'last-owner', 'a workspace with other members would have no owner');
  end if;
  alone := array(select w.id from private.workspaces_without(actor) as w where w.effect = 'alone');
  if exists (select from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged')
    or exists (select from public.invitations i where i.workspace_id = any (alone) and i.phase = 'open') then
    return jsonb_build_object('deleted', false, 'left', (
      select count(*) from public.documents d where d.workspace_id = any (alone) and d.phase <> 'purged'
    ));
  end if;
  perform private.append(actor, null,
    case when phase is null then private.lone_event('account.created') else '[]' end
      || private.lone_event('account.deleted'), true);
  for workspace in select w.id from private.workspaces_without(actor) as w order by w.id loop
    perform private.append(workspace, null, jsonb_build_array(jsonb_build_object(
      'id', gen_random_uuid(), 'type', 'member.left', 'body', '{}',
      'subject', jsonb_build_object('kind', 'member', 'id', actor))), false);
  end loop;
  return jsonb_build_object('deleted', true, 'left', 0);
end;
$$;

revoke execute on all functions in schema private from public;
