-- The read models: folds of the log, kept by the append transaction, disposable. Nobody writes to them.

create table public.accounts (
  user_id uuid primary key,
  name text not null,
  color int not null,
  phase text not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table public.workspaces (
  id uuid primary key,
  name text not null,
  phase text not null,
  version bigint not null,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table public.members (
  workspace_id uuid not null references public.workspaces (id),
  user_id uuid not null,
  role text not null check (role in ('owner', 'editor', 'commenter', 'viewer')),
  phase text not null,
  name text not null,
  color int not null,
  email text,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index members_by_user on public.members (user_id);

create table public.invitations (
  id uuid primary key,
  workspace_id uuid not null references public.workspaces (id),
  kind text not null check (kind in ('email', 'link')),
  email text check ((email is null) = (kind = 'link')),
  role text not null check (role in ('editor', 'commenter', 'viewer')),
  phase text not null,
  expires_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null
);
create index invitations_by_workspace on public.invitations (workspace_id);

create table public.documents (
  id uuid primary key,
  workspace_id uuid not null references public.workspaces (id),
  title text not null,
  phase text not null,
  version bigint not null,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_by uuid not null,
  updated_at timestamptz not null,
  edits bigint not null
);
-- Not by updated_at: every flush of a typist updates it, and an indexed column would cost an index entry each time.
create index documents_by_workspace on public.documents (workspace_id);

-- Where accept_invitation finds what a token must hash to.
create table private.invitation_tokens (
  invitation_id uuid primary key,
  token_hash text not null,
  version bigint not null
);
