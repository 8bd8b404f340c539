-- What a graded reader gets is a text. A kept state has behind it who is bound to which client id, and with that it would say
-- who wrote which letter: this stays with those who read the log.

-- A kept state (events/snapshot.ts) without the bindings behind it: their JSON, its length, and the mark 'PAL1'.
create function private.without_bindings(state bytea) returns bytea
language plpgsql immutable set search_path = '' as $$
declare
  said bigint;
begin
  if octet_length(state) < 8 or substring(state from octet_length(state) - 3) <> '\x50414c31' then
    return state;
  end if;
  said := ('x' || encode(substring(state from octet_length(state) - 7 for 4), 'hex'))::bit(32)::bigint;
  return substring(state from 1 for greatest(0, octet_length(state) - 8 - said)::int);
end;
$$;

-- The state of a document at a version that has a name, or (null) the newest that is kept, as { version, state } with base64;
-- null where there is none. A graded reader's only way to the text.
create or replace function public.read_version(stream uuid, at_version bigint default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('version', s.version,
    'state', translate(encode(private.without_bindings(s.state), 'base64'), E'\n', ''))
  from public.snapshots s
  where s.stream_id = stream
    and (select private.role_in(d.workspace_id) from public.documents d where d.id = stream) is not null
    and case when at_version is null then true
      else s.version = at_version and exists (select from public.versions v where v.document_id = stream and v.at = at_version) end
  order by s.version desc
  limit 1
$$;

revoke execute on function private.without_bindings(bytea) from public;
