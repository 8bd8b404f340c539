-- Compiled from machines/*.ts by `npm run generate`. Never edited by hand; frozen once merged.

insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase,
        needs) values
  ('document', 'file', 'absent', 'file.attached', 'attached', 'editor')
on conflict (subject_kind, from_phase, event_type, to_phase) do update set needs = excluded.needs, retired_at = null;

insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update,
        shape) values
  ('file.attached', 1, 'document', 'file', false, '{"type":"object","properties":{"sha256":{"type":"string","min":64,"max":64},"bytes":{"type":"integer","min":1,"max":26214400},"name":{"type":"string","min":1,"max":255,"visible":true},"type":{"type":"enum","values":["image/png","image/jpeg","image/gif","image/webp","image/avif","application/octet-stream"]},"width":{"nullable":true,"type":"integer","min":1,"max":65535},"height":{"nullable":true,"type":"integer","min":1,"max":65535}}}')
on conflict (event_type, version) do update set retired_at = null;
