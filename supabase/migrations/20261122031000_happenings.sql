-- The replay of a workspace reads what made its documents and people from the very beginning. A log is nearly all writing, and
-- to find the rest every row of it had to be looked at; what is no edit is found by itself from now on.
create index events_but_edits on public.events (workspace_id, position) where type <> 'document.edited';
