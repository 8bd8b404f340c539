-- Where documents stand: each inside another one or at the top level, and there in an order that
-- people make. machines/document-tree.ts says the same of any list of events; a test compares both.

alter table public.documents
  add column parent_id uuid,
  -- Its place among the documents of the same parent: byte by byte, the lesser comes first.
  add column rank text collate "C" not null default '80000000';
alter table public.documents alter column parent_id set statistics 0;
alter table public.documents alter column rank set statistics 0;

-- What there was stands at the top level in the order of its creation, as a rebuilding has it.
with numbered as (
  select e.stream_id, row_number() over (partition by e.workspace_id order by e.position) - 1 as place
  from public.events e where e.type = 'document.created'
)
update public.documents d set rank = to_hex(2147483648 + numbered.place)
from numbered where numbered.stream_id = d.id;

-- The documents of one parent, or of the top level, in their order.
create index documents_by_place on public.documents (coalesce(parent_id, workspace_id), rank);
alter index public.documents_by_place alter column 1 set statistics 0;

insert into private.limits (name, most) values ('document_children', 10000), ('document_levels', 64);

-- A rank between two others (null: before or behind all): eight hexadecimal digits that count, and
-- behind them as many as it takes to come between, the last of which is not 0.
create function private.rank_between(low text, high text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := '0123456789abcdef';
  whole bigint;
  found text;
  lesser int;
  greater int;
begin
  if low is null and high is null then
    return '80000000';
  end if;
  whole := ('x' || lpad(left(coalesce(low, high), 8), 16, '0'))::bit(64)::bigint;
  whole := whole + case when low is null then -1 else 1 end;
  found := lpad(to_hex(whole), 8, '0');
  if low is null or high is null or found collate "C" < high collate "C" then
    return found;
  end if;
  found := left(low, 8);
  -- What counts is less than that of the greater one: behind it there is no end.
  if left(high, 8) <> found then
    high := null;
  end if;
  loop
    -- Behind the end of a text there is nothing, which stands first among the digits.
    lesser := strpos(digits, substring(low from length(found) + 1 for 1)) - 1;
    greater := coalesce(strpos(digits, substring(high from length(found) + 1 for 1)) - 1, 16);
    if greater - lesser > 1 then
      return found || substring(digits from (lesser + greater) / 2 + 1 for 1);
    end if;
    found := found || substring(digits from lesser + 1 for 1);
    if greater > lesser then
      high := null;
    end if;
  end loop;
end;
$$;

-- A document and all that it stands in, from itself upwards.
create function private.path_of(document uuid)
returns table (id uuid, parent_id uuid, phase text, level int)
language sql stable set search_path = '' as $$
  with recursive up as (
    select d.id, d.parent_id, d.phase, 1 as level from public.documents d where d.id = document
    union all
    select d.id, d.parent_id, d.phase, up.level + 1 from up join public.documents d on d.id = up.parent_id
  )
  select up.id, up.parent_id, up.phase, up.level from up
$$;

-- How many levels a document and what stands in it come to.
create function private.height_of(document uuid) returns int
language sql stable set search_path = '' as $$
  with recursive down as (
    select document as id, 1 as level
    union all
    select d.id, down.level + 1 from down join public.documents d
      on coalesce(d.parent_id, d.workspace_id) = down.id and d.phase <> 'purged'
  )
  select max(down.level) from down
$$;

-- Refuses a move that would not leave a forest of living documents. The workspace's counter is locked, so nobody else
-- moves anything in it meanwhile.
create function private.check_move(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
language plpgsql set search_path = '' as $$
declare
  own public.documents;
  parent uuid := (body ->> 'parent')::uuid;
  after uuid := (body ->> 'after')::uuid;
begin
  select * into own from public.documents d where d.id = stream;
  if after = stream or after is not null and not exists (
    select from public.documents d where d.id = after and d.workspace_id = own.workspace_id
  ) then
    perform private.refuse('invalid-event', 'sibling-missing',
      'the document behind which it is to stand is not another one of this workspace');
  end if;
  if parent is null then
    return;
  end if;
  if not exists (
    select from public.documents d where d.id = parent and d.workspace_id = own.workspace_id and d.phase <> 'purged'
  ) then
    perform private.refuse('invalid-event', 'parent-missing',
      'the document in which it is to stand is not one of this workspace');
  end if;
  if exists (select from private.path_of(parent) as above where above.id = stream) then
    perform private.refuse('illegal-transition', 'own-branch', 'a document does not stand in itself');
  end if;
  if exists (select from private.path_of(parent) as above where above.phase <> 'live') then
    perform private.refuse('illegal-transition', 'parent-trashed',
      'the document in which it is to stand is in the trash');
  end if;
  if parent is distinct from own.parent_id and (
    select count(*) from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = parent and d.phase <> 'purged'
  ) >= private.most('document_children') then
    perform private.refuse_limit('document_children');
  end if;
  if (select max(above.level) from private.path_of(parent) as above) + private.height_of(stream)
    > private.most('document_levels') then
    perform private.refuse_limit('document_levels');
  end if;
end;
$$;

-- Checks that a later migration adds of what a body means, for events of a type: the name of a
-- function in `private` with the arguments of private.check_meaning, called after the checks below.
-- Edits have none: several of them are appended at once, without a look at their bodies.
create table private.meaning_hooks (
  event_type text not null check (event_type <> 'document.edited'),
  function text not null,
  primary key (event_type, function)
);

-- Refuses what a compiled schema cannot say of a body: how its parts fit each other and what is recorded already. The
-- stream is locked; `reached` is its version before this event.
create or replace function private.check_meaning(p private.proposal, body jsonb, stream uuid, reached bigint)
  returns void
language plpgsql set search_path = '' as $$
declare
  hook text;
begin
  if p.type = 'invitation.created' and (body ->> 'kind' = 'email') <> (body ->> 'email' is not null) then
    perform private.refuse('invalid-event', 'invitation-malformed',
      'an invitation by email has an address, one by link has none');
  elsif p.type = 'version.named' and (body ->> 'at')::bigint > reached
    or p.type = 'document.reverted' and (body ->> 'toVersion')::bigint > reached then
    perform private.refuse('invalid-event', 'version-ahead', 'the document has not reached the version that is named');
  elsif p.type = 'document.reworked' then
    perform private.check_reworking(body, stream, reached);
  end if;
  if p.update is not null then
    perform private.check_carrying(p, body, stream, reached);
  end if;
  for hook in select h.function from private.meaning_hooks h where h.event_type = p.type order by h.function loop
    execute format('select private.%I($1, $2, $3, $4)', hook) using p, body, stream, reached;
  end loop;
end;
$$;
insert into private.meaning_hooks (event_type, function) values ('document.moved', 'check_move');

-- Projects where a document stands. A new one comes last at the top level; one that is moved comes
-- behind the one that is named, or last where that one has gone elsewhere meanwhile; one that is
-- restored keeps its place, or comes last in the nearest document above it that is not in the
-- trash.
create function private.project_document_place(e public.events, body jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  own public.documents;
  parent uuid;
  list uuid;
  low text;
  high text;
  place text;
begin
  select * into own from public.documents d where d.id = e.stream_id;
  if e.type = 'document.moved' then
    parent := (body ->> 'parent')::uuid;
  elsif e.type = 'document.restored' then
    select above.parent_id into parent from private.path_of(own.parent_id) as above
    where above.phase <> 'live' order by above.level desc limit 1;
    if not found then
      return;
    end if;
  end if;
  list := coalesce(parent, own.workspace_id);
  if e.type = 'document.moved' and body ->> 'after' is null then
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
  else
    select d.rank into low from public.documents d
    where d.id = (body ->> 'after')::uuid and coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    if not found then
      select max(d.rank) into low from public.documents d
      where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id;
    end if;
    select min(d.rank) into high from public.documents d
    where coalesce(d.parent_id, d.workspace_id) = list and d.id <> own.id and d.rank > low;
  end if;
  place := private.rank_between(low, high);
  if length(place) > 1000 then
    perform private.refuse('illegal-transition', 'no-room-between',
      'there is no more room between these two documents');
  end if;
  update public.documents d set parent_id = parent, rank = place where d.id = own.id;
end;
$$;
insert into private.projection_hooks (event_type, function) values
  ('document.created', 'project_document_place'),
  ('document.moved', 'project_document_place'),
  ('document.restored', 'project_document_place');

revoke execute on all functions in schema private from public;
