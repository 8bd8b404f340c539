-- The planner's statistics of a column cover the rows of all people, and an estimate (`Prefer: count=planned`) reveals
-- them past row level security: titles could be confirmed, or read letter by letter. So PostgreSQL gathers none about
-- the columns of tables that REST serves. The planner needs none, because queries find rows by keys. Each later column
-- and table in `public` needs `set statistics 0` too; a test checks it.
do $$
declare
  it record;
begin
  for it in
    select c.oid::regclass as relation, a.attname as name from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm') and a.attnum > 0
      and not a.attisdropped
      and pg_catalog.pg_get_userbyid(c.relowner) = current_user
  loop
    execute format('alter table %s alter column %I set statistics 0', it.relation, it.name);
  end loop;
  begin
    delete from pg_catalog.pg_statistic s using pg_catalog.pg_class c where c.oid = s.starelid
      and c.relnamespace = 'public'::regnamespace;
  exception when insufficient_privilege then
    -- On a hosted project no role may delete gathered statistics. They are reduced to the minimum instead: one
    -- frequent value, or the least and the greatest of a few hundred.
    for it in
      select distinct c.oid::regclass as relation, s.attname as name
      from pg_catalog.pg_stats s join pg_catalog.pg_class c on c.relname = s.tablename
        and c.relnamespace = 'public'::regnamespace
      where s.schemaname = 'public' and c.relkind in ('r', 'p', 'm')
        and pg_catalog.pg_get_userbyid(c.relowner) = current_user
    loop
      execute format('alter table %s alter column %I set statistics 1', it.relation, it.name);
      execute format('analyze %s (%I)', it.relation, it.name);
      execute format('alter table %s alter column %I set statistics 0', it.relation, it.name);
    end loop;
  end;
end
$$;
