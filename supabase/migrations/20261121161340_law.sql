-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'document', 'live', 'document.forked', 'live', 'editor'),
  ('document', 'document', 'live', 'document.merged', 'live', 'editor'),
  ('document', 'document', 'live', 'document.imported', 'live', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('document.forked', 1, 'document', 'document', true, '{"type":"object","properties":{"document":{"type":"uuid"},"version":{"type":"integer","min":1,"max":9007199254740991}}}'),
  ('document.merged', 1, 'document', 'document', true, '{"type":"object","properties":{"document":{"type":"uuid"},"version":{"type":"integer","min":1,"max":9007199254740991}}}'),
  ('document.imported', 1, 'document', 'document', true, '{"type":"object","properties":{"document":{"type":"uuid"},"version":{"type":"integer","min":1,"max":9007199254740991},"head":{"type":"string","min":64,"max":64},"bundle":{"type":"string","min":64,"max":64},"events":{"type":"integer","min":1,"max":9007199254740991},"label":{"type":"string","min":0,"max":300},"authors":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","min":0,"max":80},"clients":{"type":"array","items":{"type":"integer","min":0,"max":9007199254740991},"min":0,"max":5000}}},"min":0,"max":500}}}')
on conflict (event_type, version) do update set retired_at = null;
