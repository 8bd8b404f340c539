import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "@/tests/support/database";

// The rules of Supabase's database linter (github.com/supabase/splinter) that can apply here, as
// queries of our own: each answers with what offends. An exception is listed with its reason and
// must still be needed.

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

const exposed = `n.nspname = 'public'`;
const ours = `n.nspname in ('public', 'private')`;

const rules: Record<string, { query: string; except?: Record<string, string> }> = {
  "0001 unindexed_foreign_keys": {
    query: `
      select c.conrelid::regclass || ' ' || c.conname as offender from pg_constraint c join
        pg_namespace n on n.oid = c.connamespace
      where c.contype = 'f' and ${ours} and not exists (
        select from pg_index i where i.indrelid = c.conrelid and
          (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
    except: {
      "events events_obey_the_law":
        "rules are retired, never deleted, so nothing ever looks for the events of one; the " +
        "index would cost every append",
    },
  },
  "0002 auth_users_exposed": {
    query: `
      select c.relname as offender from pg_depend d join pg_rewrite r on r.oid = d.objid join
        pg_class c on c.oid = r.ev_class
      join pg_namespace n on n.oid = c.relnamespace where ${exposed} and d.refobjid = to_regclass('auth.users')`,
  },
  "0003 auth_rls_initplan": {
    query: `
      select tablename || ': ' || policyname as offender from pg_policies
      where schemaname in ('public', 'realtime') and
        regexp_replace(coalesce(qual, '') || coalesce(with_check, ''),
        '\\(\\s*select\\s+(auth|private|realtime)\\.\\w+\\('
        '[^()]*(\\(\\s*select[^()]*\\(\\)[^()]*\\))?[^()]*\\)[^()]*\\)', '', 'gi')
        ~* '(auth\\.(uid|jwt|role|email)|private\\.topic_access|realtime\\.topic)\\('`,
  },
  "0004 no_primary_key": {
    query: `
      select c.relname as offender from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and c.relkind = 'r' and not exists (select from pg_index i where i.indrelid =
        c.oid and i.indisprimary)`,
  },
  "0006 multiple_permissive_policies": {
    query: `select tablename || ' ' || cmd as offender from pg_policies where schemaname = 'public'
      and permissive = 'PERMISSIVE' group by tablename, cmd having count(*) > 1`,
  },
  "0007 policy_exists_rls_disabled, 0013 rls_disabled_in_public": {
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where ${exposed} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  },
  "0008 rls_enabled_no_policy": {
    query: `
      select c.relname as offender from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${exposed} and c.relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid)`,
  },
  "0009 duplicate_index": {
    query: `
      select string_agg(i.indexrelid::regclass::text, ', ') as offender from pg_index i join
        pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours} group by i.indrelid, i.indkey::text, pg_get_expr(i.indpred, i.indrelid) having count(*) > 1`,
  },
  "0010 security_definer_view, 0016 materialized_view_in_api, 0017 foreign_table_in_api": {
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where ${exposed} and c.relkind in ('v', 'm', 'f')`,
  },
  "0011 function_search_path_mutable": {
    query: `
      select p.oid::regprocedure::text as offender from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and not coalesce('search_path=""' = any (p.proconfig), false)`,
    except: Object.fromEntries(
      [
        "private.carried_from(bytea)",
        "private.event_hash(bytea,events)",
        "private.from_base64(text)",
        "private.hash_field(bytea)",
        "private.holds(text,uuid,text,uuid,uuid,boolean)",
        "private.integers_send(bigint[])",
        "private.is_carrying(text)",
        "private.payload_hash(bytea,text,bytea)",
        "private.rank(text)",
        "private.ruling(events)",
        "private.time_send(timestamp with time zone)",
      ].map((name) => [
        name,
        "a standard SQL body, whose names are bound when it is created: no search path " +
          "changes it, and with a setting it is not inlined",
      ]),
    ),
  },
  "0014 extension_in_public": {
    query: `select extname as offender from pg_extension e join pg_namespace n on n.oid =
      e.extnamespace where ${exposed}`,
  },
  "0015 rls_references_user_metadata": {
    query: `select policyname as offender from pg_policies where coalesce(qual, '') ||
      coalesce(with_check, '') ~ 'user_metadata'`,
  },
  "0018 unsupported_reg_types": {
    query: `
      select c.relname as offender from pg_attribute a join pg_class c on c.oid = a.attrelid join
        pg_namespace n on n.oid = c.relnamespace
      where ${ours} and a.atttypid in ('regcollation'::regtype, 'regconfig'::regtype,
        'regdictionary'::regtype, 'regnamespace'::regtype, 'regoper'::regtype,
          'regoperator'::regtype, 'regproc'::regtype, 'regprocedure'::regtype)`,
  },
  "0023 sensitive_columns_exposed": {
    query: `
      select c.relname || '.' || a.attname as offender from pg_attribute a join pg_class c on c.oid
        = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where ${exposed} and a.attnum > 0 and c.relkind = 'r' and a.attname ~ 'password|secret|token|api_key|ssn|credit'`,
  },
  "0024 rls_policy_always_true": {
    query: `select policyname as offender from pg_policies where schemaname in ('public',
      'realtime') and (qual = 'true' or with_check = 'true')`,
  },
  "0028 anon_security_definer_function_executable": {
    query: `
      select p.oid::regprocedure::text as offender from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${exposed} and p.prosecdef and has_function_privilege('anon', p.oid, 'execute')`,
    except: {
      "preview_invitation(uuid,text)":
        "who is invited sees to what before signing in, with the token of the invitation",
    },
  },
  "0029 authenticated_security_definer_function_executable": {
    query: `
      select p.oid::regprocedure::text as offender from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${exposed} and p.prosecdef and has_function_privilege('authenticated', p.oid, 'execute')`,
    except: {
      "renew_caches(uuid)": "checks private.role_in once a call",
      "append_events(uuid,bigint,jsonb,uuid)":
        "the only way into the log: checks the caller against the law",
      "read_events(uuid,bigint,integer)": "checks private.may_read once a call",
      "read_feed(uuid,bigint,integer)": "checks private.role_in once a call",
      "read_load(uuid)": "checks private.may_read once a call",
      "read_clients(uuid)": "checks private.may_read once a call",
      "read_snapshot(uuid,bigint)": "checks private.may_read once a call",
      "open_snapshot(uuid,bigint)": "checks private.may_read once a call",
      "read_snapshot_part(uuid,bigint,integer)": "checks private.may_read once a call",
      "read_segments(uuid,bigint,integer,integer)": "checks private.may_read once a call",
      [`search(uuid,text,text,uuid,${"timestamp with time zone,".repeat(3)}boolean,integer)`]:
        "checks private.role_in and private.sees_history once a call",
      "read_departure(uuid)": "tells former members of their own departure alone",
      "read_sessions()": "the caller’s own sessions alone, from a schema that no browser may read",
      "delete_account(text)": "deletes the caller’s own account alone",
      "read_account_end()": "tells the caller of their own workspaces alone",
      "read_own_documents(uuid,integer)":
        "tells the caller of documents of their workspaces in which they wrote",
      "end_session(uuid)": "ends a session of the caller alone, and never the one that asks",
      "mark_seen(uuid,bigint,boolean)":
        "writes a row of the caller alone, about a document of their workspaces",
      "mark_all_read(uuid,timestamp with time zone)":
        "writes a row of the caller alone, about a workspace of theirs",
      "set_favourite(uuid,boolean,integer)":
        "writes a row of the caller alone, about a document of their workspaces",
      "read_personal(uuid)": "the caller’s own rows alone, of a workspace of theirs",
      "file_room(uuid)": "says how much room the files of the caller's own workspace have",
      "find_file(uuid)": "finds a file that the caller's own documents have",
      "links_to(uuid,timestamp with time zone)":
        "documents of the caller’s workspaces alone, and of the past where they may read that",
      "stream_topic(uuid)": "answers null without access",
      "accept_invitation(uuid,text)": "checks the token, the address, the time and the law",
      "decline_invitation(uuid,text)": "checks the token, the address and the law",
      "preview_invitation(uuid,text)": "answers null without the token",
    },
  },
};

describe("the schema", () => {
  it.each(Object.entries(rules))(
    "[LOG-30] has nothing that the database linter names: %s",
    async (_name, { query, except = {} }) => {
      const rows = await db.sql.unsafe(query);
      expect(rows.map(({ offender }) => String(offender)).sort()).toEqual(
        Object.keys(except).sort(),
      );
    },
  );

  it("[LOG-30] grants anon nothing but the preview of an invitation, and nobody the private schema", async () => {
    const tables = await db.sql`
      select c.relname, r.role from pg_class c, unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and (has_table_privilege(r.role, c.oid, 'insert, update, delete, truncate') or (r.role =
          'anon' and has_table_privilege(r.role, c.oid, 'select')))`;
    expect([...tables]).toEqual([]);
    const schemas =
      await db.sql`select role from unnest(array['anon', 'authenticated', 'service_role']) as r
        (role) where has_schema_privilege(role, 'private', 'usage')`;
    expect([...schemas]).toEqual([]);
  });

  it(
    "[API-10] gathers no statistics of tables that are asked for by REST, whose " +
      "estimates would tell of rows that the asking person may not see",
    async () => {
      const ana = db.newUser("Ana");
      const workspace = randomUUID();
      await db.append(ana, workspace, 0, [
        { type: "workspace.created", body: { name: "Secret plans" } },
      ]);
      for (let index = 0; index < 5; index += 1)
        await db.append(ana, randomUUID(), 0, [
          { type: "document.created", body: { workspaceId: workspace, title: "Secret" } },
        ]);
      await db.sql.unsafe("analyze");
      const gathered = await db.sql`
      select tablename || '.' || attname as offender from pg_stats where schemaname = 'public'
      union all select statistics_name from pg_stats_ext where schemaname = 'public'
      union all select statistics_name from pg_stats_ext_exprs where schemaname = 'public'`;
      expect([...gathered]).toEqual([]);
      // Nor will there be any once rows come: of columns, and of expressions that an index holds.
      const willing = await db.sql`
      select c.relname || '.' || a.attname as offender from pg_class c join pg_attribute a on
        a.attrelid = c.oid left join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped and
        a.attstattarget is distinct from 0
        and (c.relkind in ('r', 'p', 'm') or i.indkey[a.attnum - 1] = 0)
      union all select stxname from pg_statistic_ext where stxnamespace = 'public'::regnamespace`;
      expect([...willing]).toEqual([]);
      const [analysed] =
        await db.sql`select reltuples from pg_class where oid = 'public.documents'::regclass`;
      expect(analysed?.reltuples).toBe(5);
    },
  );

  it("[LOG-30] has a linter that finds what it looks for", async () => {
    await db.sql.unsafe(`
      create table public.bad (x int); create table public.worse (id int primary key, password text);
      alter table public.worse enable row level security; create policy "a" on public.worse using
      (true); create policy "b" on public.worse using (auth.uid() is not null);
      create view public.seen as select 1 as one;
      create function public.careless() returns int language sql security definer as 'select 1'`);
    const found = await Promise.all(
      Object.entries(rules).map(async ([name, { query, except = {} }]) =>
        (await db.sql.unsafe(query)).some(({ offender }) => !(String(offender) in except))
          ? [name.slice(0, 4)]
          : [],
      ),
    );
    expect(found.flat()).toEqual([
      "0003",
      "0004",
      "0006",
      "0007",
      "0010",
      "0011",
      "0023",
      "0024",
      "0028",
      "0029",
    ]);
  });
});
