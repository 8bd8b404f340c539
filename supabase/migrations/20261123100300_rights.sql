-- Who may do what. The policies and the append path ask the same functions.

-- Owner, editor, commenter, viewer: each has the rights of those below. Null for anything else. (A
-- standard SQL body binds its names when it is created and is inlined where it is called.)
create function private.rank(role text) returns int
language sql immutable parallel safe
return case role when 'owner' then 4 when 'editor' then 3 when 'commenter' then 2 when 'viewer' then 1 end;

-- The caller's role in a workspace; null for strangers and former members.
create function private.role_in(workspace uuid) returns text
language sql stable security definer set search_path = '' as $$
  select role from public.members
  where workspace_id = workspace and user_id = (select auth.uid()) and phase = 'active'
$$;

-- The workspaces of the caller: evaluated once for a statement where a policy asks for it in a subselect.
create function private.my_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select workspace_id from public.members where user_id = (select auth.uid()) and phase = 'active'
$$;

-- The workspaces in which the caller may read the history of documents. A workspace may limit the
-- roles of viewer and commenter to named versions: they read the present text, named versions,
-- comments and members, but no event and no payload of a document, by whatever way they ask:
-- tables, functions, caches, channels. All of these ask this function or private.may_read.
create function private.my_open_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.workspace_id from public.members m join public.workspaces w on w.id = m.workspace_id
  where m.user_id = (select auth.uid()) and m.phase = 'active'
    and case m.role when 'viewer' then w.viewer_history when 'commenter' then w.commenter_history
      else 'everything' end = 'everything'
$$;

-- Whether the caller may read the history of this workspace's documents.
create function private.sees_history(workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select workspace in (select private.my_open_workspaces())
$$;

-- Everybody with whom the caller shares a workspace now.
create function private.my_people() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct user_id from public.members where workspace_id in (select private.my_workspaces())
    and phase = 'active'
$$;

-- Whether the caller may read the log of a stream. The same answer for one that is forbidden and
-- one that does not exist. The service reads everything, as it does in the tables.
create function private.may_read(stream uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    stream = (select auth.uid())
    or current_setting('role', true) = 'service_role'
    or (
      select case s.kind when 'workspace' then private.role_in(s.workspace_id) is not null
        else private.sees_history(s.workspace_id) end
      from private.streams s where s.id = stream and s.workspace_id is not null
    ),
    false)
$$;

-- Whether the caller may read a document at a version: at any; without the right to its history, at
-- its present and named ones.
create function private.may_read_version(stream uuid, at_version bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    private.may_read(stream)
    or (
      select private.role_in(s.workspace_id) is not null and (
        at_version = s.version
          or exists (select from public.versions v where v.document_id = stream and v.at = at_version))
      from private.streams s where s.id = stream and s.kind = 'document'
    ),
    false)
$$;

-- Whether the right that a rule needs is held, given the caller's role, the subject and its author.
create function private.holds(needs text, actor uuid, role text, subject_id uuid, author_id uuid, invited boolean)
returns boolean
language sql immutable parallel safe
return coalesce(
  case needs
    when 'anyone' then true
    when 'self' then subject_id = actor
    when 'author' then author_id = actor and role is not null
    when 'invited' then invited
    else private.rank(role) >= private.rank(needs)
  end,
  false);

revoke execute on all functions in schema private from public;
-- Policies are evaluated with the rights of the caller.
grant execute on function private.role_in(uuid), private.my_workspaces(), private.my_open_workspaces(),
  private.my_people()
  to anon, authenticated;
