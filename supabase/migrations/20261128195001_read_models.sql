-- The read models: projections of the log. Only the append transaction writes them, and a rebuild restores them.

create table public.accounts (
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- An index into the palette; null until the person chooses one.
  color int,
  user_id uuid primary key,
  name text not null,
  phase text not null,
  picture uuid
);

create table public.workspaces (
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  id uuid primary key,
  created_by uuid not null,
  name text not null,
  phase text not null,
  -- Which history the role may read: everything, or named versions only.
  viewer_history text not null default 'everything' check (viewer_history in ('versions', 'everything')),
  commenter_history text not null default 'everything' check (commenter_history in ('versions', 'everything'))
);

create table public.members (
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  -- The colour that others see, and the one that the workspace assigned on joining.
  color int not null,
  given_color int not null,
  workspace_id uuid not null references public.workspaces (id),
  user_id uuid not null,
  role text not null check (role in ('owner', 'editor', 'commenter', 'viewer')),
  phase text not null,
  name text not null,
  email text,
  picture uuid,
  primary key (workspace_id, user_id)
);
create index members_by_user on public.members (user_id);
-- After every event about a member, the append checks that the workspace still has an owner.
create index members_owning on public.members (workspace_id) where role = 'owner' and phase = 'active';

create table public.invitations (
  created_at timestamptz not null,
  expires_at timestamptz,
  id uuid primary key,
  workspace_id uuid not null references public.workspaces (id),
  created_by uuid not null,
  kind text not null check (kind in ('email', 'link')),
  email text check ((email is null) = (kind = 'link')),
  role text not null check (role in ('editor', 'commenter', 'viewer')),
  phase text not null
);
create index invitations_by_workspace on public.invitations (workspace_id);

-- The SHA-256 of each invitation's token.
create table private.invitation_tokens (
  version bigint not null,
  invitation_id uuid primary key,
  token_hash text not null
);

create table public.documents (
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  edits bigint not null,
  forked_at bigint,
  id uuid primary key,
  workspace_id uuid not null references public.workspaces (id),
  created_by uuid not null,
  updated_by uuid not null,
  forked_from uuid,
  title text not null,
  phase text not null,
  -- One emoji before the title.
  icon text,
  -- The parent document, or null at the top level.
  parent_id uuid,
  -- The place among the documents of the same parent, compared byte by byte.
  rank text collate "C" not null default '80000000',
  -- New documents may begin as copies of a template.
  template boolean not null default false,
  check ((forked_from is null) = (forked_at is null))
);
-- Without updated_at: every batch of edits changes it, and each change would cost an index entry.
create index documents_by_workspace on public.documents (workspace_id);
create index documents_by_origin on public.documents (forked_from) where forked_from is not null;
-- The documents of one parent, or of the top level, in order.
create index documents_by_place on public.documents (coalesce(parent_id, workspace_id), rank);
-- No statistics, as for the columns of public tables; the last of these migrations explains why.
alter index public.documents_by_place alter column 1 set statistics 0;

-- Clients choose the ids of subjects inside a document, so the primary keys begin with the document. A rebuild of the
-- read models deletes these rows with their document.
create table public.versions (
  at bigint not null check (at > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  id uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  workspace_id uuid not null,
  created_by uuid not null,
  pinned boolean not null,
  name text not null,
  phase text not null,
  primary key (document_id, id)
);

create table public.threads (
  version bigint not null,
  -- The version at which it was opened, whose text is the one that the thread is about.
  opened_version bigint not null,
  opened_at timestamptz not null,
  resolved_at timestamptz check ((resolved_at is null) = (resolved_by is null)),
  id uuid not null,
  document_id uuid not null references public.documents (id) on delete cascade,
  workspace_id uuid not null,
  opened_by uuid not null,
  resolved_by uuid,
  phase text not null,
  -- Yjs relative positions in base64, and the text between them at that version.
  anchor_start text not null,
  anchor_end text not null,
  quote text not null,
  primary key (document_id, id)
);

create table public.comments (
  version bigint not null,
  added_at timestamptz not null,
  edited_at timestamptz,
  id uuid not null,
  document_id uuid not null,
  thread_id uuid not null,
  workspace_id uuid not null,
  author_id uuid not null,
  phase text not null,
  text text not null,
  primary key (document_id, id),
  foreign key (document_id, thread_id) references public.threads (document_id, id) on delete cascade
);
create index comments_by_thread on public.comments (document_id, thread_id);
