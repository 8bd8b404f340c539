import { messagesPerSecond, planNamed } from "./realtime-plan";

/** What the one Node process knows about its backend; never sent to the browser whole. */
type Environment = {
  url: string;
  /** The address the browser uses; null means the page's own origin. */
  publicUrl: string | null;
  publishableKey: string;
  secretKey: string | null;
  jwtSecret: string | null;
  embedded: boolean;
  /** Whether the first run made the demo workspace, whose two people may sign in with one click. */
  demo: boolean;
  /** Whether caught mail may be read, on this machine. */
  mailPage: boolean;
  /** Realtime messages that the project's plan lets through per second; null where none is known. */
  messageLimit: number | null;
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the backend's address and keys from the process environment; throws when there is no backend at all.
 * The variables are looked up through a parameter because `next build` replaces a literal `process.env.NEXT_PUBLIC_…`
 * by its value at build time.
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
      // One that the embedded backend of this process has set is not the project's.
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
