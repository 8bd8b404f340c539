-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('account.profile_changed', 2, 'account', 'account', false, '{"type":"object","properties":{"name":{"type":"string","min":0,"max":80},"color":{"nullable":true,"type":"integer","min":0,"max":11}}}'),
  ('member.joined', 2, 'workspace', 'member', false, '{"type":"object","properties":{"role":{"type":"enum","values":["owner","editor","commenter","viewer"]},"invitationId":{"type":"uuid"},"color":{"nullable":true,"type":"integer","min":0,"max":11}}}')
on conflict (event_type, version) do update set retired_at = null;
