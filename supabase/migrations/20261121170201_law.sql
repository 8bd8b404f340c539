-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('workspace', 'workspace', 'active', 'workspace.history_graded', 'active', 'owner')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('workspace.history_graded', 1, 'workspace', 'workspace', false, '{"type":"object","properties":{"viewer":{"type":"enum","values":["versions","everything"]},"commenter":{"type":"enum","values":["versions","everything"]}}}')
on conflict (event_type, version) do update set retired_at = null;
