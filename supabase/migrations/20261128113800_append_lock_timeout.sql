-- An append waits for a row that another transaction holds for half of a statement's time at most. Its connection then
-- serves others, and the same events may be sent again.
alter function public.append_events(uuid, bigint, jsonb, uuid) set lock_timeout = '4s';
alter function public.accept_invitation(uuid, text) set lock_timeout = '4s';
alter function public.decline_invitation(uuid, text) set lock_timeout = '4s';
alter function public.delete_account(text) set lock_timeout = '4s';
