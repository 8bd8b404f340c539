-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'document', 'live', 'document.icon_set', 'live', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('document.icon_set', 1, 'document', 'document', false, '{"type":"object","properties":{"emoji":{"nullable":true,"type":"string","min":0,"max":16,"format":"emoji"}}}')
on conflict (event_type, version) do update set retired_at = null;
