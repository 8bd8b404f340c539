-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'document', 'live', 'document.redacted', 'live', 'owner'),
  ('document', 'document', 'trashed', 'document.redacted', 'trashed', 'owner')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('document.redacted', 1, 'document', 'document', true, '{"type":"object","properties":{"event":{"type":"uuid"},"reason":{"type":"string","min":0,"max":300}}}')
on conflict (event_type, version) do update set retired_at = null;
