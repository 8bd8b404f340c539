-- A document stays marked for its lines where something may still be appended to it without leaving
-- a mark, and one whose lines could not be derived for a passing reason is taken again soon.

create or replace function public.write_lines(stream uuid, after_version bigint, seen bigint, head text, lines jsonb)
returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  own private.streams;
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  select s.* into own from private.streams s where s.id = stream and s.kind = 'document' for share;
  if own.id is null or not exists (
    select from public.events e where e.stream_id = stream and e.version = seen and encode(e.hash, 'hex') = head
  ) then
    perform private.refuse('invalid-event', 'other-log', 'this is not the log that the lines were derived from');
  end if;
  delete from public.change_lines c where c.stream_id = stream and c.from_version > after_version;
  insert into public.change_lines (stream_id, workspace_id, version, actor_id, from_version, to_version,
    began_at, ended_at, added, removed, changes, parts)
  select stream, own.workspace_id, seen, l.actor, l."from", l."to", l.began, l.at, l.added, l.removed,
    l.changes, l.parts
  from jsonb_to_recordset(lines) as l(actor uuid, "from" bigint, "to" bigint, began timestamptz,
    at timestamptz, added int, removed int, changes int, parts jsonb)
  on conflict (stream_id, from_version) do nothing;
  delete from public.change_lines c where c.stream_id = stream and c.from_version in (
    select old.from_version from public.change_lines old where old.stream_id = stream
    order by old.from_version desc offset 2000);
  if own.version = seen and own.announced_at < clock_timestamp() - interval '5 seconds' then
    delete from private.stale_lines q where q.stream_id = stream;
  else
    -- Edits leave no mark for five seconds after their workspace was told of the document.
    update private.stale_lines q set taken_at = null, tries = 0, marked_at = now() where q.stream_id = stream;
  end if;
end;
$$;

-- Gives back documents that were taken, and whose lines could not be derived for a reason that passes:
-- they may be taken again in some seconds, and this was no try in vain. Service only.
create function public.return_stale_lines(documents uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service derives lines');
  end if;
  update private.stale_lines q set taken_at = null, tries = greatest(q.tries - 1, 0), marked_at = now()
  where q.stream_id = any (documents) and q.taken_at is not null;
end;
$$;
revoke execute on function public.return_stale_lines(uuid[]) from public, anon, authenticated;
grant execute on function public.return_stale_lines(uuid[]) to service_role;
