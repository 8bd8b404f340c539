import { createHmac, randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import type { RealtimeClientOptions, SupabaseClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { WebSocket } from "ws";
import { startPostgres } from "@/supabase/local/database/postgres";
import { applyProjectSchema } from "@/supabase/local/database/project-schema";
import { attachRealtime } from "@/supabase/local/realtime/server";
import type { RealtimeOptions } from "@/supabase/local/realtime/server";
import { removeFolder } from "@/tests/support/product/data-folder";

export type Person = { id: string; token: string; client: SupabaseClient };

export type Service = {
  url: string;
  sql: postgres.Sql;
  log: string[];
  /** Creates a token of this project. `claims` override the default claims. */
  token(claims?: Record<string, unknown>): string;
  /** Creates a supabase-js client that is signed in as a new person. */
  person(claims?: Record<string, unknown>, options?: { vsn?: "1.0.0" | "2.0.0" }): Promise<Person>;
  /** Creates a supabase-js client with only a key. */
  stranger(key?: string): SupabaseClient;
  /** Ends every listening database connection, as a restart of the database would. */
  dropListener(): Promise<void>;
  stop(): Promise<void>;
};

export const secret = "a-secret-of-at-least-thirty-two-bytes-for-tests";
export const keys = { publishableKey: "sb_publishable_test", secretKey: "sb_secret_test" };

// The cast is needed because `ws` declares event types different from the DOM's.
const transport = WebSocket as unknown as NonNullable<RealtimeClientOptions["transport"]>;

/** Signs claims as this project's Auth would. */
function sign(claims: Record<string, unknown>, withSecret = secret): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", withSecret).update(signed).digest("base64url")}`;
}

export type Database = {
  url: string;
  sql: postgres.Sql;
  /** Restarts the server at the same address, and runs `meanwhile` while it is stopped. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a throw-away PostgreSQL with everything that every Supabase project has. */
export async function startDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), "realtime-"));
  const options = { directory, log: () => {}, settings: { fsync: "off" } };
  let server = await startPostgres(options);
  const sql = postgres(server.url, { onnotice: () => {} });
  await applyProjectSchema(sql);
  return {
    url: server.url,
    sql,
    async restart(meanwhile) {
      await server.stop();
      await meanwhile();
      server = await startPostgres({ ...options, port: Number(new URL(server.url).port) });
    },
    async stop() {
      await sql.end({ timeout: 1 });
      await server.stop();
      await removeFolder(directory);
    },
  };
}

/** Starts the product's Realtime server on its own port. */
export async function startService(
  database: Database,
  options: Partial<RealtimeOptions> = {},
): Promise<Service> {
  const log: string[] = [];
  const realtime = await attachRealtime({
    databaseUrl: database.url,
    jwtSecret: secret,
    keys,
    backoff: 20,
    log: (line) => log.push(line),
    ...options,
  });
  const listener = getRequestListener(
    async (request) =>
      (await realtime.handleRequest(request)) ?? new Response("not found", { status: 404 }),
    { overrideGlobalObjects: false },
  );
  const server = createServer((request, response) => void listener(request, response));
  server.on(
    "upgrade",
    (request, socket, head) => void realtime.handleUpgrade(request, socket, head),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const clients: SupabaseClient[] = [];

  function connect(key: string, token: string | null, vsn?: "1.0.0" | "2.0.0"): SupabaseClient {
    const client = createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport, ...(vsn === undefined ? {} : { vsn }) },
      ...(token === null ? {} : { accessToken: () => Promise.resolve(token) }),
    });
    clients.push(client);
    return client;
  }

  const token = (claims: Record<string, unknown> = {}) =>
    sign({
      role: "authenticated",
      sub: randomUUID(),
      exp: Math.floor(Date.now() / 1000) + 3600,
      ...claims,
    });

  return {
    url,
    sql: database.sql,
    log,
    token,
    async person(claims = {}, { vsn } = {}) {
      const id = typeof claims.sub === "string" ? claims.sub : randomUUID();
      const own = token({ ...claims, sub: id });
      const client = connect(keys.publishableKey, own, vsn);
      await client.realtime.setAuth();
      return { id, token: own, client };
    },
    stranger: (key = keys.publishableKey) => connect(key, null),
    async dropListener() {
      // With a timeout, the call returns when the session has ended, not when it was signalled.
      const ended = await database.sql<{ gone: boolean }[]>`
        select pg_terminate_backend(pid, 10_000) as gone from pg_stat_activity where query ilike 'listen %'`;
      if (ended.length === 0 || !ended.every(({ gone }) => gone))
        throw new Error(`of ${ended.length} listening sessions not every one ended`);
    },
    async stop() {
      await Promise.all(clients.map((client) => client.removeAllChannels()));
      for (const client of clients) void client.realtime.disconnect();
      await realtime.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
