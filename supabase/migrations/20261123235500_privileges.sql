-- What no role of the API needs, taken back once more. Supabase Lite granted every role everything
-- on `public` at each start, and what it has granted stays in a database that it has served; on a
-- hosted project nothing changes by this. Rows are read under policies, and written by functions alone.
revoke all on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments,
  public.snapshots, public.segments
  from public, anon, authenticated, service_role;
revoke all on all sequences in schema public from public, anon, authenticated, service_role;
grant select on public.events, public.event_payloads, public.accounts, public.workspaces, public.members,
  public.invitations, public.documents, public.versions, public.threads, public.comments,
  public.snapshots, public.segments
  to authenticated, service_role;
