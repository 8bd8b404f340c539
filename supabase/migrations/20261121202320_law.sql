-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('account.profile_changed', 3, 'account', 'account', false, '{"type":"object","properties":{"name":{"type":"string","min":0,"max":80,"visible":true},"color":{"nullable":true,"type":"integer","min":0,"max":11}}}'),
  ('workspace.created', 2, 'workspace', 'workspace', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120,"visible":true}}}'),
  ('workspace.renamed', 2, 'workspace', 'workspace', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120,"visible":true}}}'),
  ('document.created', 2, 'document', 'document', false, '{"type":"object","properties":{"workspaceId":{"type":"uuid"},"title":{"type":"string","min":0,"max":300,"visible":true}}}'),
  ('document.renamed', 2, 'document', 'document', false, '{"type":"object","properties":{"title":{"type":"string","min":0,"max":300,"visible":true}}}'),
  ('version.named', 2, 'document', 'version', false, '{"type":"object","properties":{"at":{"type":"integer","min":1,"max":9007199254740991},"name":{"type":"string","min":1,"max":120,"visible":true}}}'),
  ('version.renamed', 2, 'document', 'version', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120,"visible":true}}}'),
  ('comment.added', 2, 'document', 'comment', false, '{"type":"object","properties":{"thread":{"type":"uuid"},"text":{"type":"string","min":1,"max":10000,"visible":true}}}'),
  ('comment.edited', 2, 'document', 'comment', false, '{"type":"object","properties":{"text":{"type":"string","min":1,"max":10000,"visible":true}}}')
on conflict (event_type, version) do update set retired_at = null;
