-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'document', 'live', 'document.step_imported', 'live', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('document.step_imported', 1, 'document', 'document', true, '{"type":"object","properties":{"version":{"type":"integer","min":1,"max":9007199254740991},"type":{"type":"string","min":0,"max":100},"subject":{"nullable":true,"type":"object","properties":{"kind":{"type":"string","min":0,"max":100},"id":{"type":"uuid"}}},"phase":{"type":"string","min":0,"max":100},"author":{"type":"integer","min":0,"max":499},"kept":{"type":"string","min":0,"max":4000},"text":{"type":"string","min":0,"max":65536}}}')
on conflict (event_type, version) do update set retired_at = null;
