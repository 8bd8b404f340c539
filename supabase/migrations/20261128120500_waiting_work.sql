-- One question instead of seven: an idle process asks what work waits, and learns in the same answer
-- which of it is its own, where several processes serve one project.

create table private.work_turns (
  work text primary key,
  process uuid not null,
  ends_at timestamptz not null
);

-- Of the kinds of work that are asked about, those that wait and that this process is to do. Marks of
-- `upkeep` and `lines` are taken one by one, so every process may take some. Of the others a process
-- has all for as long as it asks again within the time of a turn. `always` also names kinds of which
-- nothing waits.
create function public.take_work(process uuid, kinds text[], always boolean default false) returns text[]
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  kind text;
  waits boolean;
  own text[] := '{}';
begin
  if coalesce(auth.role(), '') in ('anon', 'authenticated') then
    perform private.refuse('not-permitted', 'service-only', 'only the service does this work');
  end if;
  foreach kind in array kinds loop
    waits := always or case kind
      when 'upkeep' then
        exists (select from private.upkeep u where u.marked_at <= now() - interval '10 seconds'
          and (u.taken_at is null or u.taken_at < now() - interval '15 minutes'))
        or exists (select from private.streams s where s.stopped_until <= now())
      when 'lines' then exists (
        select from private.stale_lines q join private.streams s on s.id = q.stream_id
        where q.tries < 3 and (q.taken_at is null or q.taken_at < now() - interval '5 minutes')
          and q.marked_at <= now() - interval '6 seconds'
            - least(s.version * interval '2 milliseconds', interval '10 minutes'))
      when 'index' then exists (
        select from private.feeds f left join private.search_workspaces w on w.workspace_id = f.workspace_id
        where f.position > coalesce(w.position, 0))
      when 'links' then exists (
        select from private.streams s left join private.link_states k on k.stream_id = s.id
        where s.kind = 'document' and s.version > coalesce(k.version, 0)
          and (k.failed_at is null or k.failed_at < now() - interval '10 minutes')
          and exists (select from public.events e
            where e.stream_id = s.id and e.version > coalesce(k.version, 0) and e.schema > 1))
      when 'deletions' then exists (select from private.pending_deletions d
        where d.taken_at is null or d.taken_at < now() - interval '10 minutes')
      when 'users' then exists (select from private.deleted_accounts)
      -- What is left in storage has no mark: it is found by the work itself, which is rarely asked about.
      else kind in ('leftovers', 'pictures')
    end;
    continue when not waits;
    if kind not in ('upkeep', 'lines') then
      insert into private.work_turns as t (work, process, ends_at)
      values (kind, process, now() + interval '20 seconds')
      on conflict (work) do update set process = excluded.process, ends_at = excluded.ends_at
        where t.process = excluded.process or t.ends_at < now();
      continue when not found;
    end if;
    own := own || kind;
  end loop;
  return own;
end;
$$;
revoke execute on function public.take_work(uuid, text[], boolean) from public, anon, authenticated;
grant execute on function public.take_work(uuid, text[], boolean) to service_role;
revoke all on private.work_turns from public, anon, authenticated, service_role;
