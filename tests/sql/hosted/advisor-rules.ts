// The rules of Supabase's database advisor as queries that return the offenders. Left out are 0005
// unused_index and 0020 table_bloat, which read a running project's statistics; 0012
// auth_allow_anonymous_sign_ins, which `config.toml` disables; and 0026 and 0027, which count
// pg_graphql's tables, because pg_graphql too returns only the caller's own rows.

type AdvisorRule = {
  level: "ERROR" | "WARN" | "INFO";
  query: string;
  /** Accepted offenders with the reason. Each must still be needed, and none may be at ERROR. */
  except?: Record<string, string>;
};

const exposed = `n.nspname = 'public'`;
const ours = `n.nspname in ('public', 'private')`;

export const advisorRules: Record<string, AdvisorRule> = {
  "0001 unindexed_foreign_keys": {
    level: "INFO",
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
    level: "ERROR",
    query: `
      select c.relname as offender from pg_depend d join pg_rewrite r on r.oid = d.objid join
        pg_class c on c.oid = r.ev_class
      join pg_namespace n on n.oid = c.relnamespace where ${exposed} and d.refobjid = to_regclass('auth.users')`,
  },
  "0003 auth_rls_initplan": {
    level: "WARN",
    query: `
      select tablename || ': ' || policyname as offender from pg_policies
      where schemaname in ('public', 'realtime') and
        regexp_replace(coalesce(qual, '') || coalesce(with_check, ''),
        '\\(\\s*select\\s+(auth|private|realtime)\\.\\w+\\('
        '[^()]*(\\(\\s*select[^()]*\\(\\)[^()]*\\))?[^()]*\\)[^()]*\\)', '', 'gi')
        ~* '(auth\\.(uid|jwt|role|email)|private\\.topic_access|realtime\\.topic)\\('`,
  },
  "0004 no_primary_key": {
    level: "INFO",
    query: `
      select c.relname as offender from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${ours} and c.relkind = 'r' and not exists (select from pg_index i where i.indrelid =
        c.oid and i.indisprimary)`,
  },
  "0006 multiple_permissive_policies": {
    level: "WARN",
    query: `select tablename || ' ' || cmd as offender from pg_policies where schemaname = 'public'
      and permissive = 'PERMISSIVE' group by tablename, cmd having count(*) > 1`,
  },
  "0007 policy_exists_rls_disabled": {
    level: "ERROR",
    query: `
      select distinct c.oid::regclass::text as offender from pg_policy p join pg_class c on c.oid =
        p.polrelid where not c.relrowsecurity`,
  },
  "0008 rls_enabled_no_policy": {
    level: "INFO",
    query: `
      select c.relname as offender from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${exposed} and c.relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid)`,
  },
  "0009 duplicate_index": {
    level: "WARN",
    query: `
      select string_agg(i.indexrelid::regclass::text, ', ') as offender from pg_index i join
        pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
      where ${ours} group by i.indrelid, i.indkey::text, pg_get_expr(i.indpred, i.indrelid) having count(*) > 1`,
  },
  "0010 security_definer_view": {
    level: "ERROR",
    query: `
      select c.relname as offender from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${exposed} and c.relkind = 'v' and not coalesce(c.reloptions &&
        array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)`,
  },
  "0011 function_search_path_mutable": {
    level: "WARN",
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
  "0013 rls_disabled_in_public": {
    level: "ERROR",
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where ${exposed} and c.relkind in ('r', 'p') and not c.relrowsecurity`,
  },
  "0014 extension_in_public": {
    level: "WARN",
    query: `select extname as offender from pg_extension e join pg_namespace n on n.oid =
      e.extnamespace where ${exposed}`,
  },
  "0015 rls_references_user_metadata": {
    level: "ERROR",
    query: `select policyname as offender from pg_policies where coalesce(qual, '') ||
      coalesce(with_check, '') ~ 'user_metadata'`,
  },
  "0016 materialized_view_in_api": {
    level: "WARN",
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where ${exposed} and c.relkind = 'm'`,
  },
  "0017 foreign_table_in_api": {
    level: "WARN",
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where ${exposed} and c.relkind = 'f'`,
  },
  "0018 unsupported_reg_types": {
    level: "WARN",
    query: `
      select c.relname as offender from pg_attribute a join pg_class c on c.oid = a.attrelid join
        pg_namespace n on n.oid = c.relnamespace
      where ${ours} and a.atttypid in ('regcollation'::regtype, 'regconfig'::regtype,
        'regdictionary'::regtype, 'regnamespace'::regtype, 'regoper'::regtype,
          'regoperator'::regtype, 'regproc'::regtype, 'regprocedure'::regtype)`,
  },
  "0019 insecure_queue_exposed_in_api": {
    level: "ERROR",
    query: `select c.relname as offender from pg_class c join pg_namespace n on n.oid =
      c.relnamespace where n.nspname = 'pgmq' and c.relkind = 'r' and not c.relrowsecurity`,
  },
  "0021 fkey_to_auth_unique": {
    level: "ERROR",
    query: `
      select c.conrelid::regclass || ' ' || c.conname as offender from pg_constraint c join pg_index i
        on i.indrelid = c.confrelid and i.indisunique and not i.indisprimary
        and array(select unnest(i.indkey::int2[])) = c.confkey
      join pg_class target on target.oid = c.confrelid
      where c.contype = 'f' and target.relnamespace = to_regnamespace('auth')
        and c.connamespace <> target.relnamespace`,
  },
  "0022 extension_versions_outdated": {
    level: "WARN",
    query: `select e.extname as offender from pg_extension e join pg_available_extensions a
      on a.name = e.extname where a.default_version <> e.extversion`,
  },
  "0023 sensitive_columns_exposed": {
    level: "ERROR",
    query: `
      select c.relname || '.' || a.attname as offender from pg_attribute a join pg_class c on c.oid
        = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where ${exposed} and a.attnum > 0 and c.relkind = 'r' and a.attname ~ 'password|secret|token|api_key|ssn|credit'`,
  },
  "0024 rls_policy_always_true": {
    level: "WARN",
    query: `select policyname as offender from pg_policies where schemaname in ('public',
      'realtime') and (qual = 'true' or with_check = 'true')`,
  },
  "0025 public_bucket_allows_listing": {
    level: "WARN",
    query: `
      select p.policyname as offender from pg_policies p where p.schemaname = 'storage'
        and p.tablename = 'objects' and p.cmd in ('SELECT', 'ALL')
        and exists (select from storage.buckets b where b.public)`,
  },
  "0028 anon_security_definer_function_executable": {
    level: "WARN",
    query: `
      select p.oid::regprocedure::text as offender from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${exposed} and p.prosecdef and has_function_privilege('anon', p.oid, 'execute')`,
    except: {
      "preview_invitation(uuid,text)":
        "who is invited sees to what before signing in, with the token of the invitation",
      "missing_migrations(text[])":
        "tells of the versions that are asked about whether they are applied, and nothing else",
    },
  },
  "0029 authenticated_security_definer_function_executable": {
    level: "WARN",
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
      "own_file_room()": "says how much room the caller's own files have in all workspaces",
      "find_file(uuid)": "finds a file that the caller's own documents have",
      "links_to(uuid,timestamp with time zone)":
        "documents of the caller’s workspaces alone, and of the past where they may read that",
      "stream_topic(uuid)": "answers null without access",
      "accept_invitation(uuid,text)": "checks the token, the address, the time and the law",
      "claim_invitation_mail(uuid,text)": "asks for an owner and the token, and limits mails",
      "decline_invitation(uuid,text)": "checks the token, the address and the law",
      "preview_invitation(uuid,text)": "answers null without the token",
      "missing_migrations(text[])": "tells of versions alone",
    },
  },
};
