import type { Sql, TransactionSql } from "postgres";
import { migrationTexts, withReasons } from "./schema-reasons";

const header = [
  "-- The schema in force: what the migrations make of an empty Supabase project, and the rows they put into it.",
  "-- Written by `npm run schema` and compared with a fresh database by a test; never edited by hand, never applied.",
  "-- Grants are complete: what is not granted here, only the owner may do. Policies, " +
    "triggers and functions belong to the",
  "-- table or schema they stand under. Comments above functions, tables and types are those of the migrations.",
  "",
].join("\n");

// Rows that migrations insert and the application only reads.
const rowTables = [
  { table: "private.transitions", order: "stream_kind, subject_kind, event_type, from_phase" },
  { table: "private.hosting", order: "subject_kind, phase" },
  { table: "private.schemas", order: "event_type, version" },
  { table: "private.text_schemas", order: "version" },
  { table: "private.limits", order: "name" },
  { table: "private.caches", order: "relation::text" },
] as const;

const grants = (acl: string, kind: string, name: string) => `(
  select coalesce(string_agg(
    format('grant %s on ${kind} %s to %s;', privileges, ${name}, grantees), E'\\n' order by privileges
  ), '')
  from (
    select privileges, string_agg(grantee, ', ' order by grantee) as grantees
    from (
      select coalesce(pg_get_userbyid(nullif(a.grantee, 0)), 'public') as grantee,
        lower(string_agg(a.privilege_type, ', ' order by a.privilege_type)) as privileges
      from aclexplode(${acl}) as a
      where a.grantee <> a.grantor
      group by a.grantee
    ) as held
    group by privileges
  ) as granted
)`;

const tables = `
select n.nspname || '.' || c.relname as name, concat_ws(E'\\n',
  format(E'create table %s (\\n%s\\n);', c.oid::regclass, concat_ws(E',\\n',
    (
      select string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''), E',\\n' order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    (
      select string_agg(format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n'
        order by array_position('{p,u,f,c}'::text[], k.contype::text), pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 't'
    )
  )),
  (
    select string_agg(format('-- %s: %s', setting, columns), E'\\n' order by setting)
    from (
      select setting, case when count(*) = (select count(*) from pg_attribute e where e.attrelid =
        c.oid and e.attnum > 0 and not e.attisdropped)
        then 'every column' else string_agg(a.attname, ', ' order by a.attname) end as columns
      from pg_attribute a join pg_type t on t.oid = a.atttypid cross join lateral (values
        (case when a.attstorage <> t.typstorage then 'storage ' || case a.attstorage when 'e' then
        'external' when 'p' then 'plain' when 'm' then 'main' else 'extended' end end),
        (case when a.attstattarget is not null then 'statistics ' || a.attstattarget end)
      ) as settings (setting)
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and setting is not null
      group by setting
    ) as settings
  ),
  (
    select string_agg(format('alter table %s set (%s);', c.oid::regclass, option), E'\\n' order by option)
    from unnest(c.reloptions) as option
  ),
  (
    select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\\n' order by pg_get_indexdef(i.indexrelid))
    from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint k where
      k.conindid = i.indexrelid and k.conrelid = c.oid)
  ),
  case when c.relowner <> (select oid from pg_roles where rolname = current_user) then
  format('alter table %s owner to %I;', c.oid::regclass, pg_get_userbyid(c.relowner)) end,
  case when c.relrowsecurity then format('alter table %s enable row level security;', c.oid::regclass) end,
  case when c.relforcerowsecurity then format('alter table %s force row level security;', c.oid::regclass) end,
  (
    select string_agg(pg_get_triggerdef(t.oid) || ';' || case t.tgenabled when 'O' then '' else
      format(E'\\nalter table %s enable %s trigger %I;', c.oid::regclass,
      case t.tgenabled when 'A' then 'always' when 'R' then 'replica' else 'NEVER' end, t.tgname)
      end, E'\\n' order by t.tgname)
    from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
  ),
  nullif(${grants("c.relacl", "table", "c.oid::regclass")}, ''),
  (
    select string_agg(format('comment on %s is %L;', pg_describe_object(d.classoid, d.objoid,
      d.objsubid), d.description), E'\\n' order by d.objsubid)
    from pg_description d where d.objoid = c.oid and d.classoid = 'pg_class'::regclass
  )
) as text
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'S')
order by n.nspname desc, c.relname`;

const policies = `
select format(E'create policy %I on %s as %s for %s to %s', p.polname, p.polrelid::regclass,
  case when p.polpermissive then 'permissive' else 'restrictive' end,
  case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then
  'delete' else 'all' end,
  (select string_agg(coalesce(pg_get_userbyid(nullif(r, 0)), 'public'), ', ' order by 1) from unnest(p.polroles) as r))
  || coalesce(E'\\n  using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')', '')
  || coalesce(E'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', '') || ';' as text
from pg_policy p order by p.polrelid::regclass::text, p.polname`;

const types = `
select format(E'create type %s as (\\n%s\\n);', t.oid::regtype, (
  select string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)
  from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)) as text
from pg_type t join pg_namespace n on n.oid = t.typnamespace join pg_class c on c.oid = t.typrelid
where n.nspname in ('public', 'private') and c.relkind = 'c'
order by 1`;

const functions = `
select n.nspname || '.' || p.proname as name, concat_ws(E'\\n',
  replace(pg_get_functiondef(p.oid), E'\\r', '') || ';',
  case when p.proowner <> (select oid from pg_roles where rolname = current_user) then
  format('alter function %s owner to %I;', p.oid::regprocedure, pg_get_userbyid(p.proowner)) end,
  nullif(${grants("coalesce(p.proacl, acldefault('f', p.proowner))", "function", "p.oid::regprocedure")}, '')
) as text
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname in ('public', 'private')
order by n.nspname desc, p.proname, p.oid::regprocedure::text`;

const schemas = `
select concat_ws(E'\\n', 'create schema ' || n.nspname || ';',
  nullif(${grants("n.nspacl", "schema", "n.nspname")}, '')) as text
from pg_namespace n where n.nspname = 'private'
union all
select format('alter default privileges in schema %s: %s %s', d.defaclnamespace::regnamespace, d.defaclobjtype,
  (select string_agg(item::text, ' ' order by item::text) from unnest(d.defaclacl) as item))
from pg_default_acl d where d.defaclnamespace = 'private'::regnamespace
union all
select format('alter publication %I add table %s;', p.pubname, r.prrelid::regclass)
from pg_publication_rel r join pg_publication p on p.oid = r.prpubid`;

/** Returns the content of supabase/schema.sql: the catalogue's text and migration comments. */
export async function schemaText(sql: Sql | TransactionSql): Promise<string> {
  return `${header}\n${withReasons(await catalogText(sql), migrationTexts())}`;
}

/**
 * Returns the content of the schemas `public` and `private`, all policies, and the rows that
 * migrations insert, as SQL in a fixed order.
 */
export async function catalogText(sql: Sql | TransactionSql): Promise<string> {
  const write = async (transaction: TransactionSql) => {
    // With an empty search path, all names are schema-qualified.
    await transaction`select set_config('search_path', '', true)`;
    const texts = async (query: string) =>
      (await transaction.unsafe<{ text: string }[]>(query)).map(({ text }) =>
        text.replace(/[ \t]+$/gm, ""),
      );
    const rows = rowTables.map(async ({ table, order }) => {
      const found = await transaction.unsafe<{ row: string }[]>(
        `select (to_jsonb(r) - 'retired_at' || case when to_jsonb(r) ->> 'retired_at' is null then
          '{}' else '{"retired": true}'::jsonb end)::text as row
         from ${table} as r order by ${order}`,
      );
      return `-- Rows of ${table}\n${found.map(({ row }) => `--   ${row}`).join("\n")}`;
    });
    return [
      ...(await texts(schemas)),
      ...(await texts(types)),
      ...(await texts(tables)),
      ...(await texts(policies)),
      ...(await texts(functions)),
      ...(await Promise.all(rows)),
    ];
  };
  const sections = await ("savepoint" in sql ? sql.savepoint(write) : sql.begin(write));
  return `${sections.join("\n\n")}\n`;
}
