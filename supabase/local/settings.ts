import { resolve } from "node:path";
import { planNamed } from "@/supabase/realtime-plan";
import type { Plan } from "@/supabase/realtime-plan";
import { logFormats, logLevels } from "./operations/log";
import type { LogFormat, LogLevel } from "./operations/log";

export type Settings = {
  port: number;
  host: string;
  /** The absolute path of the folder with all stored data. */
  dataDir: string;
  /** The absolute path of the folder where this checkout records the data folders it has used. */
  stateDir: string;
  /** Whether an emptied data folder may be initialised again. */
  isNew: boolean;
  /** The URL of an external PostgreSQL server, or null for the embedded server. */
  databaseUrl: string | null;
  /** The hosted plan whose Realtime limits are enforced, or null for no limits. */
  realtimePlan: Plan | null;
  /** Host names accepted besides loopback and `host`. */
  allowedHosts: string[];
  /** The URL for links in mails, or null for this machine's own address. */
  siteUrl: string | null;
  /** Whether a reverse proxy appends the caller's address to X-Forwarded-For as the last entry. */
  trustProxy: boolean;
  /** Whether other machines can reach the app: `SITE_URL` or `ALLOWED_HOSTS` is set. */
  isPublished: boolean;
  /** Whether a published installation shows caught mail to requests from its own machine. */
  mailPage: boolean;
  /**
   * Overrides `config.toml`'s limit of sign-ins and sign-ups per five minutes and network address.
   */
  authRateLimit: number | null;
  logFormat: LogFormat;
  /** The lowest level that is logged. */
  logLevel: LogLevel;
  /** The bearer token for `/metrics`. Null restricts `/metrics` to this machine. */
  metricsToken: string | null;
  /** Whether the first run creates the demo workspace and its two people may sign in. */
  demo: boolean;
  /** Whether pages are rendered once before the first request. */
  warmUp: boolean;
  dev: boolean;
  /** Whether the environment names a Supabase project, so that no backend is started here. */
  hosted: boolean;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables and arguments; throws if a setting is invalid. */
export function readSettings(variables: Variables, args: string[], root: string): Settings {
  const hostedUrl = variables.NEXT_PUBLIC_SUPABASE_URL;
  if (Boolean(hostedUrl) !== Boolean(variables.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY)) {
    throw new Error(
      "Set both NEXT_PUBLIC_SUPABASE_URL and NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, or neither.",
    );
  }
  const allowedHosts = (variables.ALLOWED_HOSTS ?? "").split(/[\s,]+/).filter(Boolean);
  const siteUrl = variables.SITE_URL || null;
  const isPublished = siteUrl !== null || allowedHosts.length > 0;
  return {
    port: whole("PORT", variables.PORT, 1, 65_535) ?? 3000,
    host: variables.HOST || "127.0.0.1",
    dataDir: resolve(root, variables.DATA_DIR || ".data"),
    stateDir: resolve(root, variables.STATE_DIR || ".known-data"),
    isNew: args.includes("--new"),
    databaseUrl: variables.DATABASE_URL || null,
    realtimePlan: planNamed(variables.REALTIME_PLAN),
    allowedHosts,
    siteUrl,
    trustProxy: variables.TRUST_PROXY === "1",
    isPublished,
    mailPage: variables.MAIL_PAGE === "1",
    authRateLimit: whole("AUTH_RATE_LIMIT", variables.AUTH_RATE_LIMIT, 1, 1_000_000),
    logFormat: oneOf("LOG_FORMAT", variables.LOG_FORMAT, logFormats) ?? "text",
    logLevel: oneOf("LOG_LEVEL", variables.LOG_LEVEL, logLevels) ?? "info",
    metricsToken: token("METRICS_TOKEN", variables.METRICS_TOKEN),
    // Off by default on published installations, since its passwords are public.
    demo: variables.DEMO === "1" || (variables.DEMO !== "0" && !isPublished),
    warmUp: variables.WARM_UP !== "0",
    dev: args.includes("--dev"),
    hosted: Boolean(hostedUrl),
  };
}

function whole(name: string, text: string | undefined, least: number, most: number): number | null {
  if (text === undefined || text === "") return null;
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}

function oneOf<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Word | null {
  if (text === undefined || text === "") return null;
  const found = words.find((word) => word === text);
  if (found === undefined)
    throw new Error(`${name} must be one of ${words.join(", ")}, not "${text}".`);
  return found;
}

function token(name: string, text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  if (!/^[\w.~+/=-]{16,}$/.test(text))
    throw new Error(
      `${name} must be at least 16 letters, digits or . _ ~ + / = - without a space.`,
    );
  return text;
}

/** Returns the URL under which this process reaches itself. */
export function ownAddress({ host, port }: Pick<Settings, "host" | "port">): string {
  const everywhere = ["0.0.0.0", "::", "localhost", "127.0.0.1"].includes(host);
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${everywhere ? "127.0.0.1" : name}:${port}`;
}
