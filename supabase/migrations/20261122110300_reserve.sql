-- Small edits go a little beyond what a document may hold: whoever types on into a full one, and then deletes, is not held up by
-- the letters that came first. What is large is refused where the document is full.
insert into private.limits (name, most) values
  ('reserve_bytes', 1048576),
  ('reserve_pieces', 100000),
  ('small_bytes', 4096),
  ('small_pieces', 512);

create or replace function private.count_payload() returns trigger
language plpgsql set search_path = '' as $$
declare
  e public.events;
  load record;
  head private.streams;
  small boolean;
begin
  select * into e from public.events where id = new.event_id;
  if e.type in ('thread.opened', 'comment.added', 'comment.edited') then
    perform private.tally(e.stream_id, e.stream_id, 'document_talk', octet_length(new.body));
    if e.type = 'comment.added' then
      perform private.tally(e.stream_id, (new.body::jsonb ->> 'thread')::uuid, 'thread_comments', 1);
    end if;
  end if;
  if new.update is null then
    return null;
  end if;
  load := private.load_of(new.update);
  if load.bytes > private.most('payload_bytes') then
    perform private.refuse('too-large', format('limit payload_bytes: %s', private.most('payload_bytes')));
  end if;
  update private.streams s
  set bytes = s.bytes + load.bytes,
      pieces = s.pieces + load.pieces,
      history = s.history + load.bytes,
      -- What is gone may have been what was too much.
      stopped_at = case when e.type = 'document.redacted' then null else s.stopped_at end
  where s.id = e.stream_id returning * into head;
  if e.type = 'document.redacted' then
    insert into private.upkeep (stream_id) values (e.stream_id) on conflict do nothing;
    return null;
  end if;
  if head.history > private.most('document_history') then
    perform private.refuse('too-large', format('limit document_history: %s', private.most('document_history')));
  end if;
  -- Taking away is always possible.
  if load.cuts then
    return null;
  end if;
  small := load.bytes <= private.most('small_bytes') and load.pieces <= private.most('small_pieces');
  if head.stopped_at is not null
    or head.bytes > private.most('document_bytes') + (case when small then private.most('reserve_bytes') else 0 end) then
    perform private.refuse('too-large', format('limit document_bytes: %s', private.most('document_bytes')));
  end if;
  if head.pieces > private.most('document_pieces') + (case when small then private.most('reserve_pieces') else 0 end) then
    perform private.refuse('too-large', format('limit document_pieces: %s', private.most('document_pieces')));
  end if;
  return null;
end;
$$;

-- The newest sound snapshot at or before a version (without one: the newest), as { version, size, state, stoppedAt, bytes, pieces }: version and
-- state are null where there is none, and state alone where it is larger than 4 MiB and to be read in parts. `stoppedAt` is
-- the version behind which the document cannot be folded, if there is one. Null for who may not read it.
create or replace function public.open_snapshot(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', kept.version, 'size', octet_length(kept.state), 'stoppedAt', d.stopped_at,
    'bytes', d.bytes, 'pieces', d.pieces, 'state', case when octet_length(kept.state) <= 4194304 then replace(encode(kept.state, 'base64'), E'\n', '') end)
  from private.streams d left join lateral (
    select s.version, s.state from public.snapshots s
    where s.stream_id = d.id and (at_version is null or s.version <= at_version) and private.is_sound(s)
    order by s.version desc limit 1
  ) as kept on true
  where d.id = stream and (select private.may_read(stream))
$$;
