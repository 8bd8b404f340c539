-- Who may do what. The policies and the append path ask the same functions.

-- Owner, editor, commenter, viewer: each has the rights of those below. Null for anything else.
create function private.rank(role text) returns int
language sql immutable set search_path = '' as $$
  select case role when 'owner' then 4 when 'editor' then 3 when 'commenter' then 2 when 'viewer' then 1 end
$$;

-- The caller's role in a workspace; null for strangers and former members.
create function private.role_in(workspace uuid) returns text
language sql stable security definer set search_path = '' as $$
  select role from public.members
  where workspace_id = workspace and user_id = (select auth.uid()) and phase = 'active'
$$;

-- The workspaces the caller belongs to: evaluated once per statement where a policy asks for it in a subselect.
create function private.my_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select workspace_id from public.members where user_id = (select auth.uid()) and phase = 'active'
$$;

-- Everybody with whom the caller shares a workspace.
create function private.my_people() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct user_id from public.members where workspace_id in (select private.my_workspaces())
$$;

-- Whether the caller may read a stream at all. The same answer for one that is forbidden and one that does not exist.
create function private.may_read(stream uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    stream = (select auth.uid())
    or (select private.role_in(workspace_id) is not null from private.streams where id = stream and workspace_id is not null),
    false)
$$;

-- Whether the right a rule needs is held, given the caller's role, the subject and its author.
create function private.holds(needs text, actor uuid, role text, subject_id uuid, author_id uuid, invited boolean)
returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(
    case needs
      when 'anyone' then true
      when 'self' then subject_id = actor
      when 'author' then author_id = actor and role is not null
      when 'invited' then invited
      else private.rank(role) >= private.rank(needs)
    end,
    false)
$$;

revoke execute on all functions in schema private from public;
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_people() to anon, authenticated;
