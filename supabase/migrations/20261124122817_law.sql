-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase,
        needs) values
  ('document', 'document', 'live', 'document.template_set', 'live', 'editor'),
  ('document', 'document', 'trashed', 'document.purged', 'purged', 'owner')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update,
        shape) values
  ('document.template_set', 1, 'document', 'document', false, '{"type":"object","properties":{"template":{"type":"boolean"}}}'),
  ('document.purged', 1, 'document', 'document', false, '{"type":"object","properties":{}}')
on conflict (event_type, version) do update set retired_at = null;
