-- No role of the API reads or writes a table of `private`. Supabase Lite grants everything on every schema that has a table with
-- row level security, with default privileges that stay in the data folder; the one such table here needed none.
alter table private.snapshot_parts disable row level security;
revoke all on all tables in schema private from anon, authenticated, service_role;
revoke all on all sequences in schema private from anon, authenticated, service_role;
revoke all on schema private from anon, authenticated, service_role;
alter default privileges in schema private revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema private revoke all on sequences from anon, authenticated, service_role;
