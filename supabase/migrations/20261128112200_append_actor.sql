-- append_events takes the id of the person whose page sends the events. One browser holds one session: another person
-- may have signed in between the typing and the sending, and the words must not be recorded as theirs.
-- A default argument instead of a second function: PostgREST cannot choose between two.
drop function public.append_events(uuid, bigint, jsonb);

-- Appends a batch of events to a stream, all or none, and answers [{ id, version, hash, recordedAt, toPhase }].
-- A null expected_version skips the version check; 0 begins a stream. An actor other than the caller is refused; null
-- skips that check. Refusals are in private.refuse.
create function public.append_events(stream uuid, expected_version bigint, events jsonb, actor uuid default null)
  returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if actor <> (select auth.uid()) then
    perform private.refuse('not-permitted', 'other-account', 'the token belongs to another account than the events');
  end if;
  return private.append(stream, expected_version, events, false);
end;
$$;

revoke execute on function public.append_events(uuid, bigint, jsonb, uuid) from public, anon;
grant execute on function public.append_events(uuid, bigint, jsonb, uuid) to authenticated, service_role;
