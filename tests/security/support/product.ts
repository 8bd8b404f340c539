import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { z } from "zod";
import { endpoints } from "@/supabase/local/auth/auth-endpoints";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns tables and views as `schema.name`. Partitions count as their table. */
export async function relations(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`;
  return rows.map(({ name }) => name);
}

/** Returns the functions of the API: all of `public` that are not trigger functions. */
export async function apiFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace
      and prorettype <> 'trigger'::regtype order by 1`;
  return rows.map(({ name }) => name);
}

/** Returns the policies of each table. */
export async function policiesOf(sql: Sql): Promise<Record<string, string[]>> {
  const rows = await sql<{ name: string; allows: string[] }[]>`
    select schemaname || '.' || tablename as name,
      array_agg(
        case permissive when 'PERMISSIVE' then '' else permissive || ' ' end || cmd
        order by permissive desc, cmd
      ) as allows
    from pg_policies group by 1 order by 1`;
  return Object.fromEntries(rows.map(({ name, allows }) => [name, allows]));
}

/** Whether the search index is up to date for these documents. */
export async function areIndexed(sql: Sql, documents: readonly string[]): Promise<boolean> {
  const [row] = await sql<{ all: boolean }[]>`
    select count(*) = ${documents.length} as all from private.search_states s
    join private.streams d on d.id = s.stream_id and d.version = s.version
    where s.stream_id = any (${[...documents]}::uuid[])`;
  return row?.all ?? false;
}

/** Returns the kinds of stream, each of which has channels. */
export async function streamKinds(sql: Sql): Promise<string[]> {
  const rows = await sql<
    { kind: string }[]
  >`select distinct stream_kind as kind from private.transitions order by 1`;
  return rows.map(({ kind }) => kind);
}

/** Returns the ids of buckets. */
export async function bucketsOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from storage.buckets order by 1`;
  return rows.map(({ id }) => id);
}

/** Returns the routes of the build, static files, and paths answered before any page. */
export async function routesOf(): Promise<string[]> {
  const manifest = await readFile(join(root, ".next", "app-path-routes-manifest.json"), "utf8");
  const pages = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(manifest)));
  const files = (await readdir(join(root, "public"))).map((name) => `/${name}`);
  return [...pages, ...files, "/health", "/ready", "/metrics", "/mail/messages.json"];
}

/** Returns the endpoints of auth. */
export const authAddresses = () =>
  endpoints.map(({ method, path, grant }) => [method, path, grant].filter(Boolean).join(" "));

/** Returns the names of the served functions. */
export const functionFolders = () => readdir(join(root, "supabase", "functions"));

/**
 * Tables that only an append, auth or storage may change, without tables that pages derive
 * themselves.
 */
const stored = [
  "auth.identities",
  "auth.refresh_tokens",
  "auth.sessions",
  "auth.users",
  "private.emails",
  "private.feeds",
  "private.invitation_tokens",
  "private.snapshot_parts",
  "private.files",
  "private.stream_clients",
  "private.subjects",
  "private.tombstones",
  "public.accounts",
  "public.comments",
  "public.documents",
  "public.event_payloads",
  "public.events",
  "public.invitations",
  "public.members",
  "public.personal_documents",
  "public.personal_workspaces",
  "public.threads",
  "public.versions",
  "public.workspaces",
  "storage.buckets",
  "storage.objects",
];
const caches = ["public.segments", "public.snapshots"];

/**
 * Returns a digest of all rows that a call could change. Page requests may renew caches, so their
 * digest is without `withCaches`.
 */
export async function digest(sql: Sql, withCaches: boolean): Promise<string> {
  const tables = withCaches ? [...stored, ...caches] : stored;
  const sums = tables.map(
    (name) => `(select coalesce(sum(hashtextextended(t::text, 0)), 0) from ${name} t)`,
  );
  const [row] = await sql.unsafe<{ all: string }[]>(
    `select concat_ws(' ', ${sums.join(", ")}) as all`,
  );
  return row?.all ?? "";
}
