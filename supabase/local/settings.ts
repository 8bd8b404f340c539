import { resolve } from "node:path";
import { planNamed, type Plan } from "@/supabase/realtime-plan";
import { type LogFormat, logFormats, type LogLevel, logLevels } from "./operations/log";

export type Settings = {
  port: number;
  host: string;
  /** Absolute path of the folder that holds everything stored. */
  dataDir: string;
  /** Absolute path of the folder in which this checkout notes which data folders it has used. */
  stateDir: string;
  /** Whether a data folder that was emptied may begin anew. */
  isNew: boolean;
  /** A PostgreSQL server of the user's own; null: the embedded one. */
  databaseUrl: string | null;
  /** Names a hosted plan whose Realtime limits are enforced; null: none. */
  realtimePlan: Plan | null;
  /** Host names, beside loopback and `host`, under which the app may be asked for. */
  allowedHosts: string[];
  /** Where mails send people back to; null: this machine's own address. */
  siteUrl: string | null;
  /** A reverse proxy in front names the caller in the last entry of X-Forwarded-For. */
  trustProxy: boolean;
  /** The app is meant to be reached from elsewhere: `SITE_URL` or `ALLOWED_HOSTS` is set. */
  isPublished: boolean;
  /** Whether a published installation shows caught mail to requests of its own machine. */
  mailPage: boolean;
  /** Overrides the sign-ins and sign-ups per five minutes and network address that `config.toml` allows. */
  authRateLimit: number | null;
  logFormat: LogFormat;
  /** The least level that is logged. */
  logLevel: LogLevel;
  /** The bearer token that `/metrics` asks for; null: it answers on this machine alone. */
  metricsToken: string | null;
  /** Whether the first run makes the demo workspace, and its two people may sign in. */
  demo: boolean;
  /** Whether pages are made once before anybody asks for one. */
  warmUp: boolean;
  dev: boolean;
  /** True when a Supabase project is named in the environment: no backend is started here. */
  hosted: boolean;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the settings from environment variables and arguments; throws a sentence when one makes no sense. */
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
    // Its passwords are public.
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

/** The address under which this process reaches itself. */
export function ownAddress({ host, port }: Pick<Settings, "host" | "port">): string {
  const everywhere = ["0.0.0.0", "::", "localhost", "127.0.0.1"].includes(host);
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${everywhere ? "127.0.0.1" : name}:${port}`;
}
