-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('document', 'thread', 'absent', 'thread.opened', 'open', 'commenter'),
  ('document', 'thread', 'open', 'thread.resolved', 'resolved', 'commenter'),
  ('document', 'thread', 'resolved', 'thread.reopened', 'open', 'commenter'),
  ('document', 'comment', 'absent', 'comment.added', 'shown', 'commenter'),
  ('document', 'comment', 'shown', 'comment.edited', 'shown', 'author'),
  ('document', 'comment', 'shown', 'comment.deleted', 'deleted', 'author')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.hosting (subject_kind, phase) values
  ('thread', 'open'),
  ('thread', 'resolved')
on conflict (subject_kind, phase) do update set retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('thread.opened', 1, 'document', 'thread', false, '{"type":"object","properties":{"start":{"type":"string","min":1,"max":200},"end":{"type":"string","min":1,"max":200},"quote":{"type":"string","min":1,"max":1000}}}'),
  ('thread.resolved', 1, 'document', 'thread', false, '{"type":"object","properties":{}}'),
  ('thread.reopened', 1, 'document', 'thread', false, '{"type":"object","properties":{}}'),
  ('comment.added', 1, 'document', 'comment', false, '{"type":"object","properties":{"thread":{"type":"uuid"},"text":{"type":"string","min":1,"max":10000}}}'),
  ('comment.edited', 1, 'document', 'comment', false, '{"type":"object","properties":{"text":{"type":"string","min":1,"max":10000}}}'),
  ('comment.deleted', 1, 'document', 'comment', false, '{"type":"object","properties":{}}')
on conflict (event_type, version) do update set retired_at = null;
