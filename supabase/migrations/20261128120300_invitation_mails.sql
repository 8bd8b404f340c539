-- Mails of invitations are limited here, so that the limits hold wherever the function runs that sends
-- them: what it sends carries the words of one person to an address that never asked.

-- The mails of the last day. The address is kept as its hash.
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

-- Takes one mail of an invitation off the limits, for an owner who holds its token:
-- { refused: null, workspaceName, inviterName, email, role }, or { refused } with the limit's name:
-- `not-open`, `sent-lately` (once in ten minutes an invitation), `account-sent-enough` (a day),
-- `address-has-enough` (a day, of all senders together). A mail that then fails counts as well.
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
  -- One order for all, so that no two wait for each other.
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
revoke execute on function public.claim_invitation_mail(uuid, text) from public, anon;
grant execute on function public.claim_invitation_mail(uuid, text) to authenticated;
