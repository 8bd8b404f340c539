-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'document', 'live', 'document.reworked', 'live', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('document.reworked', 1, 'document', 'document', true, '{"type":"object","properties":{"kind":{"type":"enum","values":["passage","author"]},"author":{"nullable":true,"type":"uuid"},"from":{"nullable":true,"type":"integer","min":1,"max":9007199254740991},"to":{"type":"integer","min":1,"max":9007199254740991},"quote":{"nullable":true,"type":"string","min":0,"max":300}}}')
on conflict (event_type, version) do update set retired_at = null;
