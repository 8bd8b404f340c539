-- Where a thread's words stood is no word: a purge leaves it, as a redaction does, and so does the
-- fold of what is left.
create or replace function private.project_document_purge(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
begin
  delete from private.upkeep u where u.stream_id = e.stream_id;
  delete from private.tombstones t using public.events before
  where before.stream_id = e.stream_id and t.event_id = before.id;
  update public.event_payloads p
  set salt = null, body = private.redacted_body(p.body), update = private.purged_update(p.update),
    redacted_by = e.version
  from public.events before
  where before.stream_id = e.stream_id and before.version < e.version and p.event_id = before.id
    and p.redacted_by is null;
  update private.streams s set redacted_at = e.version where s.id = e.stream_id and s.redacted_at < e.version;
  perform private.drop_caches(e.stream_id);
  update public.comments c set text = '' where c.document_id = e.stream_id;
  update public.threads t set quote = '' where t.document_id = e.stream_id;
  update public.versions v set name = '' where v.document_id = e.stream_id;
  update public.documents d set title = '', icon = null, template = false where d.id = e.stream_id;
end;
$$;
