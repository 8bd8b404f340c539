-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'version', 'absent', 'version.named', 'named', 'editor'),
  ('document', 'version', 'named', 'version.renamed', 'named', 'editor'),
  ('document', 'version', 'named', 'version.pinned', 'pinned', 'editor'),
  ('document', 'version', 'pinned', 'version.renamed', 'pinned', 'editor'),
  ('document', 'version', 'pinned', 'version.unpinned', 'named', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('version.named', 1, 'document', 'version', false, '{"type":"object","properties":{"at":{"type":"integer","min":1,"max":9007199254740991},"name":{"type":"string","min":1,"max":120}}}'),
  ('version.renamed', 1, 'document', 'version', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120}}}'),
  ('version.pinned', 1, 'document', 'version', false, '{"type":"object","properties":{}}'),
  ('version.unpinned', 1, 'document', 'version', false, '{"type":"object","properties":{}}')
on conflict (event_type, version) do update set retired_at = null;
