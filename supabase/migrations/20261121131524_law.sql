-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
  ('account', 'account', 'absent', 'account.created', 'active', 'self'),
  ('account', 'account', 'active', 'account.profile_changed', 'active', 'self'),
  ('account', 'account', 'active', 'auth.signed_in', 'active', 'self'),
  ('account', 'account', 'active', 'auth.signed_out', 'active', 'self'),
  ('account', 'account', 'active', 'auth.token_refreshed', 'active', 'self'),
  ('account', 'account', 'active', 'auth.password_recovery', 'active', 'self'),
  ('account', 'account', 'active', 'auth.user_updated', 'active', 'self'),
  ('workspace', 'workspace', 'absent', 'workspace.created', 'active', 'anyone'),
  ('workspace', 'workspace', 'active', 'workspace.renamed', 'active', 'owner'),
  ('workspace', 'member', 'absent', 'member.joined', 'active', 'invited'),
  ('workspace', 'member', 'active', 'member.role_changed', 'active', 'owner'),
  ('workspace', 'member', 'active', 'member.removed', 'removed', 'owner'),
  ('workspace', 'member', 'active', 'member.left', 'left', 'self'),
  ('workspace', 'member', 'removed', 'member.joined', 'active', 'invited'),
  ('workspace', 'member', 'left', 'member.joined', 'active', 'invited'),
  ('workspace', 'invitation', 'absent', 'invitation.created', 'open', 'owner'),
  ('workspace', 'invitation', 'open', 'invitation.accepted', 'accepted', 'invited'),
  ('workspace', 'invitation', 'open', 'invitation.declined', 'declined', 'invited'),
  ('workspace', 'invitation', 'open', 'invitation.revoked', 'revoked', 'owner'),
  ('document', 'document', 'absent', 'document.created', 'live', 'editor'),
  ('document', 'document', 'live', 'document.renamed', 'live', 'editor'),
  ('document', 'document', 'live', 'document.edited', 'live', 'editor'),
  ('document', 'document', 'live', 'document.reverted', 'live', 'editor'),
  ('document', 'document', 'live', 'document.trashed', 'trashed', 'editor'),
  ('document', 'document', 'trashed', 'document.restored', 'live', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.hosting (subject_kind, phase) values
  ('workspace', 'active'),
  ('document', 'live')
on conflict (subject_kind, phase) do update set retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
  ('account.created', 1, 'account', 'account', false, '{"type":"object","properties":{}}'),
  ('account.profile_changed', 1, 'account', 'account', false, '{"type":"object","properties":{"name":{"type":"string","min":0,"max":80},"color":{"type":"integer","min":0,"max":11}}}'),
  ('auth.signed_in', 1, 'account', 'account', false, '{"type":"object","properties":{}}'),
  ('auth.signed_out', 1, 'account', 'account', false, '{"type":"object","properties":{}}'),
  ('auth.token_refreshed', 1, 'account', 'account', false, '{"type":"object","properties":{}}'),
  ('auth.password_recovery', 1, 'account', 'account', false, '{"type":"object","properties":{}}'),
  ('auth.user_updated', 1, 'account', 'account', false, '{"type":"object","properties":{"fields":{"type":"array","items":{"type":"string","min":1,"max":40},"min":0,"max":20}}}'),
  ('workspace.created', 1, 'workspace', 'workspace', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120}}}'),
  ('workspace.renamed', 1, 'workspace', 'workspace', false, '{"type":"object","properties":{"name":{"type":"string","min":1,"max":120}}}'),
  ('member.joined', 1, 'workspace', 'member', false, '{"type":"object","properties":{"role":{"type":"enum","values":["owner","editor","commenter","viewer"]},"invitationId":{"type":"uuid"}}}'),
  ('member.role_changed', 1, 'workspace', 'member', false, '{"type":"object","properties":{"role":{"type":"enum","values":["owner","editor","commenter","viewer"]}}}'),
  ('member.removed', 1, 'workspace', 'member', false, '{"type":"object","properties":{}}'),
  ('member.left', 1, 'workspace', 'member', false, '{"type":"object","properties":{}}'),
  ('invitation.created', 1, 'workspace', 'invitation', false, '{"type":"object","properties":{"kind":{"type":"enum","values":["email","link"]},"email":{"nullable":true,"type":"string","min":3,"max":254},"role":{"type":"enum","values":["editor","commenter","viewer"]},"expiresAt":{"nullable":true,"type":"integer","min":0,"max":253402300799999},"tokenHash":{"type":"string","min":64,"max":64}}}'),
  ('invitation.accepted', 1, 'workspace', 'invitation', false, '{"type":"object","properties":{}}'),
  ('invitation.declined', 1, 'workspace', 'invitation', false, '{"type":"object","properties":{}}'),
  ('invitation.revoked', 1, 'workspace', 'invitation', false, '{"type":"object","properties":{}}'),
  ('document.created', 1, 'document', 'document', false, '{"type":"object","properties":{"workspaceId":{"type":"uuid"},"title":{"type":"string","min":0,"max":300}}}'),
  ('document.renamed', 1, 'document', 'document', false, '{"type":"object","properties":{"title":{"type":"string","min":0,"max":300}}}'),
  ('document.edited', 1, 'document', 'document', true, '{"type":"object","properties":{}}'),
  ('document.reverted', 1, 'document', 'document', true, '{"type":"object","properties":{"toVersion":{"type":"integer","min":1,"max":9007199254740991}}}'),
  ('document.trashed', 1, 'document', 'document', false, '{"type":"object","properties":{}}'),
  ('document.restored', 1, 'document', 'document', false, '{"type":"object","properties":{}}')
on conflict (event_type, version) do update set retired_at = null;
