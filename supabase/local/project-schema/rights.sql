-- The privileges of the API's roles on files, and on messages of Realtime: those by which policies
-- are asked, and no more. Supabase Lite grants everything on both schemas at each start, and what it
-- has granted stays in the database.
grant usage on schema storage to anon, authenticated, service_role;
revoke all on all tables in schema storage from public, anon, authenticated, service_role;
revoke all on all sequences in schema storage from public, anon, authenticated, service_role;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;
alter default privileges in schema storage revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema storage revoke all on sequences from anon, authenticated, service_role;

revoke all on all tables in schema realtime from public, anon, authenticated, service_role;
revoke all on all sequences in schema realtime from public, anon, authenticated, service_role;
grant insert, select, update on realtime.messages to anon, authenticated, service_role;
alter default privileges in schema realtime revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema realtime revoke all on sequences from anon, authenticated, service_role;
