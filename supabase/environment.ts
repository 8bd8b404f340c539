import { messagesPerSecond, planNamed } from "./realtime-plan";

/** The backend's address and keys, for the Node process; never sent to the browser as a whole. */
type Environment = {
  url: string;
  /** The URL for the browser; null means the page's own origin. */
  publicUrl: string | null;
  publishableKey: string;
  secretKey: string | null;
  jwtSecret: string | null;
  embedded: boolean;
  /** Whether the first run created the demo workspace, whose two people sign in with one click. */
  demo: boolean;
  /** Whether this machine's caught mail may be read. */
  mailPage: boolean;
  /** Realtime messages per second that the project's plan allows; null if unknown. */
  messageLimit: number | null;
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the backend's address and keys from the environment, and throws if no backend is
 * configured. The variables are a parameter because `next build` inlines a literal
 * `process.env.NEXT_PUBLIC_…`.
 */
export function environment(variables: Variables = process.env): Environment {
  const plan = planNamed(variables.REALTIME_PLAN);
  const messageLimit = plan && messagesPerSecond[plan];
  const hosted = variables.NEXT_PUBLIC_SUPABASE_URL;
  const hostedKey = variables.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY;
  if (hosted && hostedKey) {
    return {
      url: hosted,
      publicUrl: hosted,
      publishableKey: hostedKey,
      secretKey: variables.SUPABASE_SECRET_KEY ?? null,
      // A secret set by this process's embedded backend is not the project's.
      jwtSecret:
        variables.PALIMPSEST_EMBEDDED === "1" ? null : variables.SUPABASE_JWT_SECRET || null,
      embedded: false,
      demo: false,
      mailPage: false,
      messageLimit,
    };
  }
  const url = variables.SUPABASE_URL;
  const publishableKey = variables.SUPABASE_PUBLISHABLE_KEY;
  if (!url || !publishableKey) {
    throw new Error(
      "No backend is configured: start the app with `npm start`, or set " +
        "NEXT_PUBLIC_SUPABASE_URL and NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY.",
    );
  }
  const embedded = variables.PALIMPSEST_EMBEDDED === "1";
  return {
    url,
    publicUrl: embedded ? null : url,
    publishableKey,
    secretKey: variables.SUPABASE_SECRET_KEY ?? null,
    jwtSecret: variables.SUPABASE_JWT_SECRET ?? null,
    embedded,
    demo: embedded && variables.DEMO !== "0",
    mailPage: embedded && variables.MAIL_PAGE !== "0",
    messageLimit,
  };
}
