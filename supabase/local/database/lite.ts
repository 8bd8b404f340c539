import { join } from "node:path";
import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { isPlain, limitedSocket, mostAnswered } from "../http/answer-limit";
import { mostOfLite } from "../http/call-turns";
import type { ProjectConfig } from "../config";
import { hearError } from "./database-errors";
import type { Keys } from "../keys";
import type { Mailbox } from "../mail/mailbox";
import { passErrorWarnings } from "../process/error-warnings";
import { deleteDrafts, FileStorage } from "../storage/file-storage";
import { BodyTooLarge } from "../http/http";
import { BadForm } from "../http/multipart";
import { jsonNamesIn } from "../rest/json-texts";
import type { JsonNames } from "../rest/json-texts";
import { movePasswordWork } from "../auth/password-work";
import { PasswordWorkDropped } from "../auth/password-pool";

type Lite = {
  fetch(request: Request): Promise<Response>;
  jsonNames: JsonNames;
  /** Reloads the database's schema. Until then, the tables known before are served. */
  reload(): Promise<void>;
  close(): Promise<void>;
};

/** Starts Supabase Lite (auth, REST, Storage) on a database with the project schema. */
export async function startLite(options: {
  databaseUrl: string;
  dataDir: string;
  siteUrl: string;
  redirectUrls: string[];
  keys: Keys;
  config: ProjectConfig;
  mailbox: Mailbox;
}): Promise<Lite> {
  const { keys, config, mailbox } = options;
  muteRefusals();
  passErrorWarnings();
  movePasswordWork();
  const connection = createPostgresConnection({
    url: options.databaseUrl,
    postgresOptions: {
      ...(isPlain(options.databaseUrl) && { socket: limitedSocket(mostAnswered) }),
      onnotice: () => undefined,
      max: mostOfLite,
      // In ms. A limit of a role applies only at login, and Lite logs in as another role. The
      // service's calls take less than a second.
      connection: { statement_timeout: 8000 },
      types: {
        // Objects in RPC arguments are already JSON text, which the default would encode again.
        // Strings of the caller have been converted to JSON text too (rest/json-texts.ts).
        json: { to: 114, from: [114], ...jsonText },
        jsonb: { to: 3802, from: [3802], ...jsonText },
        // PostgREST returns times in ISO format, but Lite returns the database's format.
        timestamptz: {
          to: 1184,
          from: [1184],
          serialize: (value: unknown) => value,
          parse: isoTime,
        },
        timestamp: { to: 1114, from: [1114], serialize: (value: unknown) => value, parse: isoTime },
      },
    },
  });
  const { rate_limit: _ours, ...auth } = config.auth;
  grantNothing(connection);
  const app = new App({
    connection,
    api: { ...config.api, enabled: true },
    auth: {
      ...auth,
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: options.siteUrl,
      additional_redirect_urls: [...auth.additional_redirect_urls, ...options.redirectUrls],
    },
    storage: { ...config.storage, enabled: true },
    options: { server: { admin: false, disableStudio: true }, drivers: { email: mailbox } },
  });
  const stored = join(options.dataDir, "storage");
  await deleteDrafts(stored);
  app._storageAdapter = new FileStorage(stored);
  await app.init();
  // Detects a backend that cannot respond before the ready line is logged.
  const first = await app.server.fetch(
    new Request(`${options.siteUrl}/rest/v1/workspaces?limit=0`, {
      headers: { apikey: keys.publishableKey },
    }),
    { peerAddress: null },
  );
  if (first.status >= 500)
    throw new Error(
      `Supabase Lite failed its first request with status ${first.status}: ${await first.text()}`,
    );
  return {
    // Without a peer address Lite never elevates local callers, whatever its defaults.
    fetch: async (request) => app.server.fetch(request, { peerAddress: null }),
    jsonNames: jsonNamesIn(() => connection.introspect({ useCache: true })),
    async reload() {
      await connection.introspect();
    },
    // Lite's own shutdown waits endlessly for queries of disconnected callers.
    close: () => connection.driver.end({ timeout: 0.5 }),
  };
}

/**
 * Prevents Lite from granting everything on schemas with row-level security to the API roles, as it
 * does before its first request. Roles and privileges come from the project schema and the
 * migrations, and must be right from the start.
 */
function grantNothing(connection: object): void {
  const state = "rlsState";
  if (Reflect.get(connection, state) !== "unknown" || !Reflect.set(connection, state, "active"))
    throw new Error(
      "Unsupported release of Supabase Lite: its grants differ from the expected ones",
    );
}

const jsonText = {
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
};

/** Converts `2026-11-21 13:34:21.8+00` to `2026-11-21T13:34:21.8+00:00`. */
function isoTime(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
}

/**
 * Keeps refusals and aborted uploads, which are errors of the caller, out of the log, although Lite
 * logs them. Server errors stay visible.
 */
function muteRefusals(): void {
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    const error = parts.find((part) => part instanceof Error);
    if (error) hearError(error);
    const code = error !== undefined && "code" in error ? String(error.code) : "";
    const isCallers =
      /^(PT4|PGRST|22|23|42501|P0001|ECONNRESET$)/.test(code) ||
      error instanceof BodyTooLarge ||
      error instanceof BadForm ||
      error instanceof PasswordWorkDropped;
    if (!isCallers) print(...parts);
  };
}
