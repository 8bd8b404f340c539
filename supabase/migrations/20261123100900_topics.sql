-- Private channels. A topic's name ends with the epoch of its workspace: Realtime asks a policy
-- when a client joins and then remembers the answer, so a right that is taken away needs another
-- name.

-- The present topic of a stream, whoever asks.
create function private.topic_of(stream uuid) returns text
language sql stable set search_path = '' as $$
  select s.kind || ':' || s.id || ':' || coalesce(f.epoch, 0)
  from private.streams s left join private.feeds f on f.workspace_id = s.workspace_id
  where s.id = stream
$$;

-- The present topic of a stream for somebody who may listen to it; null for everybody else, and for no such stream.
create function public.stream_topic(stream uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when stream = (select auth.uid()) then 'account:' || stream || ':0'
    when private.may_read(stream) then private.topic_of(stream)
  end
$$;

-- What the caller may do on a topic: 'speak', 'listen', or null where it is not exactly the present name.
create function private.topic_access(topic text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  stream uuid := substring(topic
    from '^(?:account|workspace|document):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):[0-9]{1,18}$')::uuid;
begin
  if stream is null or public.stream_topic(stream) is distinct from topic then
    return null;
  end if;
  if topic like 'document:%' and private.rank(
    (select private.role_in(workspace_id) from private.streams where id = stream)) >= private.rank('editor') then
    return 'speak';
  end if;
  return 'listen';
end;
$$;

create policy "members listen to the present topic" on realtime.messages for select to authenticated
  using (extension in ('broadcast', 'presence')
    and (select private.topic_access((select realtime.topic()))) is not null);

create policy "editors speak in documents, members are present" on realtime.messages for insert to authenticated
  with check (case extension
    when 'broadcast' then (select private.topic_access((select realtime.topic()))) = 'speak'
    when 'presence' then (select private.topic_access((select realtime.topic()))) is not null
    else false
  end);

-- Broadcasts that a stream has grown: the ids of the events, never their payloads. A workspace
-- hears of all its documents, but of edits alone at most once in five seconds.
create function private.announce(head private.streams, version bigint, epoch bigint, ids uuid[],
  edits_only boolean) returns void
language plpgsql set search_path = '' as $$
declare
  payload jsonb := jsonb_build_object('stream', head.id, 'version', version, 'ids', to_jsonb(ids));
begin
  perform realtime.send(payload, 'log', format('%s:%s:%s', head.kind, head.id, coalesce(epoch, 0)), true);
  if head.kind = 'document' and (not edits_only or head.announced_at < clock_timestamp() - interval '5 seconds') then
    perform realtime.send(payload, 'log', format('workspace:%s:%s', head.workspace_id, coalesce(epoch, 0)), true);
    update private.streams s set announced_at = clock_timestamp() where s.id = head.id;
  end if;
end;
$$;

-- Broadcasts to the topics of the old epoch, of a workspace and its documents, that there is a new one.
create function private.announce_move(workspace uuid, old_epoch bigint) returns void
language sql set search_path = '' as $$
  select realtime.send('{}'::jsonb, 'moved', kind || ':' || id || ':' || old_epoch, true)
  from private.streams where workspace_id = workspace
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.topic_access(text) to anon, authenticated;
revoke execute on function public.stream_topic(uuid) from public, anon;
grant execute on function public.stream_topic(uuid) to authenticated, service_role;
