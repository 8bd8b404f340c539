-- Locks the head of a stream, or makes one for an event that begins a stream. Who may not begin one gets the answer
-- that everybody gets who asks for a stream they may not see.
create or replace function private.lock_stream(stream uuid, first private.proposal) returns private.streams
language plpgsql set search_path = '' as $$
declare
  head private.streams;
  begins private.transitions;
begin
  select * into head from private.streams where id = stream for update;
  if found then
    return head;
  end if;
  select * into begins from private.transitions t
  where t.subject_kind = t.stream_kind and t.from_phase = 'absent' and t.event_type = first.type
    and t.subject_kind = first.subject_kind and t.retired_at is null;
  -- A person's id is that of their account: begun as anything else, it would keep them from ever having one.
  if not found or begins.stream_kind <> 'account' and exists (select from auth.users u where u.id = stream) then
    perform private.refuse('not-permitted', 'there is no such stream, or you have no access to it');
  end if;
  insert into private.streams (id, kind, workspace_id)
  values (stream, begins.stream_kind, case begins.stream_kind
    when 'workspace' then stream
    when 'document' then (first.body::jsonb ->> 'workspaceId')::uuid
  end)
  on conflict do nothing;
  -- Whoever was faster in beginning the same stream has committed by now, and its row is the one that is locked.
  select * into head from private.streams where id = stream for update;
  return head;
end;
$$;
