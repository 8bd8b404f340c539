-- How full a document is, for who may read its history: { bytes, pieces, measuredAt, stoppedAt }; null for everybody else. With each
-- event it tells how much that brought, which readers of named versions alone are not told.
create or replace function public.read_load(stream uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('bytes', s.bytes, 'pieces', s.pieces, 'measuredAt', s.measured_at, 'stoppedAt', s.stopped_at)
  from private.streams s
  where s.id = stream and s.kind = 'document' and (select private.may_read(stream))
$$;
