import type { Sql, TransactionSql } from "postgres";
import { z } from "zod";

/** One privilege, on an object named as in GRANT, and its grantee. */
const grantSchema = z.object({
  on: z.string(),
  /** SQL before and after the privilege, if GRANT needs any. */
  before: z.string(),
  column: z.string(),
  privilege: z.string(),
  grantee: z.string(),
  grantable: z.boolean(),
});
type Grant = z.infer<typeof grantSchema>;

/**
 * Something that protects the data: a policy, trigger, row-level security or function, and its
 * definition.
 */
const guardSchema = z.object({ of: z.string(), name: z.string(), how: z.string() });
type Guard = z.infer<typeof guardSchema>;

const rightsSchema = z.object({ grants: z.array(grantSchema), guards: z.array(guardSchema) });
type DatabaseRights = z.infer<typeof rightsSchema>;

const system = "('pg_catalog', 'information_schema', 'pg_toast')";
const isOurs = `n.nspname not in ${system}
    and n.nspname not like 'pg\\_temp%' and n.nspname not like 'pg\\_toast%'`;

const grants = `
with objects (kind, name, before, col, acl) as (
  select case c.relkind when 'S' then 'sequence' else 'table' end,
    case c.relkind when 'S' then 'sequence ' else 'table ' end
      || format('%I.%I', n.nspname, c.relname),
    '', '',
    coalesce(c.relacl,
      acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${isOurs}
  union all
  select 'table', 'table ' || format('%I.%I', n.nspname, c.relname), '',
    format(' (%I)', a.attname), a.attacl
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
  where a.attacl is not null and a.attnum > 0 and not a.attisdropped and ${isOurs}
  union all
  select 'routine',
    format('routine %I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
    '', '', coalesce(p.proacl, acldefault('f', p.proowner))
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${isOurs}
  union all
  select 'schema', format('schema %I', n.nspname), '', '',
    coalesce(n.nspacl, acldefault('n', n.nspowner))
  from pg_namespace n where ${isOurs}
  union all
  select 'default', case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
      when 'f' then 'functions' else 'types' end,
    format('alter default privileges for role %I in schema %I ',
      pg_get_userbyid(d.defaclrole), n.nspname),
    '', d.defaclacl
  from pg_default_acl d join pg_namespace n on n.oid = d.defaclnamespace
  where d.defaclobjtype in ('r', 'S', 'f', 'T')
)
select distinct o.name as "on", o.before, o.col as "column", lower(a.privilege_type) as privilege,
  case a.grantee when 0 then 'public' else format('%I', pg_get_userbyid(a.grantee)) end as grantee,
  a.is_grantable as grantable
from objects o, aclexplode(o.acl) a
order by 1, 2, 3, 4, 5, 6`;

const guards = `
select format('%I.%I', n.nspname, c.relname) as "of", 'row level security' as name,
  format('%s%s', c.relrowsecurity, case when c.relforcerowsecurity then ', forced' else '' end) as how
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and ${isOurs}
union all
select format('%I.%I', n.nspname, c.relname), format('policy %I', p.polname),
  format('%s %s %s using (%s) with check (%s)', p.polpermissive, p.polcmd,
    (select string_agg(coalesce(pg_get_userbyid(nullif(r, 0)), 'public'), ', ' order by 1)
      from unnest(p.polroles) r),
    pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
from pg_policy p join pg_class c on c.oid = p.polrelid
  join pg_namespace n on n.oid = c.relnamespace
union all
select format('%I.%I', n.nspname, c.relname), format('trigger %I', t.tgname),
  t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
from pg_trigger t join pg_class c on c.oid = t.tgrelid
  join pg_namespace n on n.oid = c.relnamespace
where not t.tgisinternal and ${isOurs}
union all
select 'the database', format('event trigger %I', e.evtname),
  format('%s %s', e.evtenabled, e.evtfoid::regproc)
from pg_event_trigger e
union all
select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)),
  'function',
  format('%s %s %s %s', pg_get_userbyid(p.proowner), p.prosecdef, p.proconfig,
    md5(p.prosrc || coalesce(p.prosqlbody::text, '')))
from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${isOurs}
order by 1, 2`;

/**
 * The table with the record, in the schema of the migrations. The table exists only during a start,
 * so no backup contains it.
 */
const note = "supabase_migrations.rights_before_lite";

async function atOnce(
  sql: Sql | TransactionSql,
  work: (transaction: TransactionSql) => Promise<void>,
): Promise<void> {
  await ("savepoint" in sql ? sql.savepoint(work) : sql.begin(work));
}

/** Reads the privileges and guards of the database from the catalogue, in a fixed order. */
export async function databaseRights(sql: Sql | TransactionSql): Promise<DatabaseRights> {
  return {
    grants: z.array(grantSchema).parse([...(await sql.unsafe(grants))]),
    guards: z.array(guardSchema).parse([...(await sql.unsafe(guards))]),
  };
}

/**
 * Records the privileges and guards before Supabase Lite starts, for `settleRights` to compare. In
 * earlier releases, Lite granted everything to every API role while starting. A start that was
 * interrupted left this record for the next start.
 */
export async function noteRights(sql: Sql | TransactionSql): Promise<void> {
  const rights = JSON.stringify(await databaseRights(sql));
  await atOnce(sql, async (transaction) => {
    await transaction`create table ${transaction(note)} (rights text not null)`;
    await transaction`insert into ${transaction(note)} values (${rights})`;
  });
}

/**
 * Restores the recorded privileges and drops the record. Does nothing without a record. Throws if a
 * guard has changed. The record then stays, so that later starts are refused too.
 */
export async function settleRights(sql: Sql | TransactionSql): Promise<void> {
  const [there] = await sql`select to_regclass(${note}) as note`;
  if (there?.note === null) return;
  await atOnce(sql, async (transaction) => {
    const rows = await transaction<{ rights: string }[]>`select rights from ${transaction(note)}`;
    await transaction`drop table ${transaction(note)}`;
    const noted = rightsSchema.parse(JSON.parse(rows[0]?.rights ?? ""));
    const changed = changedGuards(noted.guards, (await databaseRights(transaction)).guards);
    if (changed.length > 0)
      throw new Error(
        `The database's access rules differ from its migrations: ${shown(changed)}. The ` +
          "workspace does not start, to prevent unauthorized access. Nothing " +
          "was changed. Undo the change, or restore a backup.",
      );
    await putBack(transaction, noted.grants);
  });
}

async function putBack(sql: TransactionSql, noted: readonly Grant[]): Promise<void> {
  const known = new Set(noted.map(objectOf));
  const now = async () =>
    (await databaseRights(sql)).grants.filter((grant) => known.has(objectOf(grant)));
  // Revoking a table privilege revokes its column privileges too, so grants come last.
  for (const grant of without(await now(), noted))
    await sql.unsafe(
      `${grant.before}revoke ${grant.privilege}${grant.column} on ${grant.on} from ${grant.grantee}`,
    );
  for (const grant of without(noted, await now()))
    await sql.unsafe(
      `${grant.before}grant ${grant.privilege}${grant.column} on ${grant.on} to ${grant.grantee}` +
        (grant.grantable ? " with grant option" : ""),
    );
  const left = await now();
  const differing = [...without(left, noted), ...without(noted, left)];
  if (differing.length > 0)
    throw new Error(
      "The database's privileges could not be reset to those of its migrations: " +
        shown(differing.map((grant) => `${grant.privilege} on ${grant.on} of ${grant.grantee}`)),
    );
}

/** Returns the object of a privilege. A schema's default privileges count as one object. */
function objectOf({ before, on }: Grant): string {
  return before === "" ? on : "default privileges";
}

function without(grants: readonly Grant[], others: readonly Grant[]): Grant[] {
  const there = new Set(others.map((grant) => JSON.stringify(grant)));
  return grants.filter((grant) => !there.has(JSON.stringify(grant)));
}

/** Returns recorded guards that are missing or changed, and new guards of recorded objects. */
function changedGuards(noted: readonly Guard[], now: readonly Guard[]): string[] {
  const known = new Set(noted.map((guard) => guard.of));
  const text = (guard: Guard) => JSON.stringify(guard);
  const [before, after] = [new Set(noted.map(text)), new Set(now.map(text))];
  const changed = [
    ...noted.filter((guard) => !after.has(text(guard))),
    ...now.filter((guard) => known.has(guard.of) && !before.has(text(guard))),
  ];
  return [...new Set(changed.map(({ of, name }) => `${name} of ${of}`))].sort();
}

function shown(names: readonly string[]): string {
  const [first, more] = [names.slice(0, 5), names.length - 5];
  return first.join("; ") + (more > 0 ? ` and ${more} more` : "");
}
