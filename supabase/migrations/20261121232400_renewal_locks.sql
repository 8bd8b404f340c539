-- Whoever has caches made anew locks the stream before anything else, as an append and the writer of a segment do. A redaction
-- that had marked the document for upkeep and wanted the caches gone, and this, which had the caches and wanted to mark the
-- document, waited for each other until one of them was thrown out.

-- Lets go of a document's snapshots and segments, and has them made anew from the log. For who may edit it.
create or replace function public.renew_caches(stream uuid) returns void
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  if coalesce((
    select private.role_in(s.workspace_id) in ('owner', 'editor') from private.streams s where s.id = stream and s.kind = 'document'
  ), false) is not true then
    perform private.refuse('not-permitted', 'only who may edit a document has its text made anew');
  end if;
  perform from private.streams s where s.id = stream for share;
  -- Whoever is writing a segment at this moment writes it before, or over nothing.
  perform pg_advisory_xact_lock(hashtextextended(stream::text, 4));
  delete from public.snapshots s where s.stream_id = stream;
  delete from public.segments s where s.stream_id = stream;
  insert into private.upkeep (stream_id) values (stream) on conflict do nothing;
end;
$$;
