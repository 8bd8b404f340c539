-- A right that shrank was announced on the topic of every document of its workspace: up to 25 000 broadcasts in one
-- append, which holds the workspace's lock. A page that has a document open listens on the workspace's topic as well,
-- and takes its documents along.

-- Says on the old topics that they are left: on the workspace's, and on those of the documents that were written in
-- last, for pages whose workspace channel is lost at this moment. Everybody else asks for the name once a minute.
create or replace function private.announce_move(workspace uuid, old_epoch bigint) returns void
language sql set search_path = '' as $$
  select realtime.send('{}'::jsonb, 'moved', told.kind || ':' || told.id || ':' || old_epoch, true)
  from (
    select s.kind, s.id from private.streams s where s.id = workspace
    union all
    (select s.kind, s.id from private.streams s
      where s.workspace_id = workspace and s.kind = 'document'
      order by s.announced_at desc limit 200)
  ) as told
$$;

-- Until now all streams of the installation were read for it.
create index streams_workspace_id_idx on private.streams (workspace_id);
