import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { Sql } from "postgres";
import { testDatabase } from "@/tests/support/database/database";

export type HostedDatabase = {
  /** The superuser `supabase_admin`. */
  admin: Sql;
  /** The role `postgres`, which runs migrations and owns their objects. It is no superuser. */
  owner: Sql;
  stop(): Promise<void>;
};

const schema = fileURLToPath(new URL("./project-schema.sql", import.meta.url));

/** The attributes of a hosted project's roles. Roles of the test database get these attributes. */
const roles = `
  alter role anon nologin noinherit;
  alter role authenticated nologin noinherit;
  alter role service_role nologin noinherit bypassrls;
  alter role authenticator login noinherit password 'x';
  alter role authenticator set statement_timeout = '8s';
  alter role supabase_auth_admin login noinherit createrole password 'x';
  alter role supabase_storage_admin login noinherit createrole password 'x';
  alter role supabase_realtime_admin nologin noinherit;
  create role postgres login nosuperuser createdb createrole replication bypassrls password 'x';
  grant anon, authenticated, service_role, authenticator, supabase_realtime_admin to postgres
    with admin option;
  grant pg_monitor, pg_read_all_data, pg_signal_backend to postgres`;

/** Emulates a hosted project's database, without migrations. Stop the database in afterAll. */
export async function hostedDatabase(): Promise<HostedDatabase> {
  const db = await testDatabase();
  const at = (user: string | null, database: string) => {
    const url = new URL(db.url);
    url.pathname = `/${database}`;
    if (user !== null) [url.username, url.password] = [user, "x"];
    return postgres(url.href, { max: 2, onnotice: () => undefined });
  };
  // The cluster's bootstrap superuser cannot lose its superuser right, and has the name of the role
  // that runs migrations.
  await db.sql.unsafe("drop role supabase_admin; create role renamer superuser login password 'x'");
  const renamer = at("renamer", "postgres");
  await db.sql.end();
  await renamer.unsafe("alter role postgres rename to supabase_admin");
  await renamer.unsafe("alter role supabase_admin password 'x'");
  await renamer.unsafe(roles);
  await renamer.unsafe("create database hosted template template0 owner postgres");
  await renamer.unsafe(`alter database hosted set search_path = "$user", public, extensions`);
  await renamer.end();
  const admin = at("supabase_admin", "hosted");
  await admin.unsafe(await readFile(schema, "utf8"));
  const owner = at("postgres", "hosted");
  return {
    admin,
    owner,
    async stop() {
      await owner.end();
      await admin.end();
      await db.stop();
    },
  };
}
