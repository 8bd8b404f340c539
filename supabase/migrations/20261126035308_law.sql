-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase,
        needs) values
  ('account', 'account', 'active', 'account.picture_set', 'active', 'self')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update,
        shape) values
  ('account.picture_set', 1, 'account', 'account', false, '{"type":"object","properties":{"picture":{"nullable":true,"type":"uuid"}}}')
on conflict (event_type, version) do update set retired_at = null;
