-- What is deleted from a full document makes room once the service has measured it: it is marked for that at once, and not only
-- when it has grown on, which it cannot.
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
    if head.bytes > private.most('document_bytes') or head.pieces > private.most('document_pieces') then
      insert into private.upkeep (stream_id) values (e.stream_id) on conflict do nothing;
    end if;
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
