import { createClient } from "@supabase/supabase-js";
import { realtime } from "../plain-clients";

/** `missing`: a feature does not work. `warning`: it works, at a cost. */
export type Finding = { state: "ok" | "warning" | "missing"; part: string; sentence: string };

export type ProjectToCheck = {
  url: string;
  publishableKey: string;
  secretKey: string | null;
  jwtSecret: string | null;
  /** The app's own URL, used for links in mails. */
  siteUrl: string | null;
  /** The versions of this release's migrations. */
  versions: readonly string[];
  functions: readonly string[];
};

const patienceMs = 10_000;
const buckets = ["files", "uploads", "avatars"];

const ok = (part: string, sentence: string): Finding => ({ state: "ok", part, sentence });
const warning = (part: string, sentence: string): Finding => ({ state: "warning", part, sentence });
const missing = (part: string, sentence: string): Finding => ({ state: "missing", part, sentence });

type Answer = { status: number; json: unknown; location: string | null };

/**
 * Checks a Supabase project from outside for what the product needs, and reports what is missing.
 */
export async function checkProject(project: ProjectToCheck): Promise<Finding[]> {
  const parts: [string, (project: ProjectToCheck) => Promise<Finding[]>][] = [
    ["Auth", auth],
    ["Tokens", tokens],
    ["Redirects", redirects],
    ["Migrations", migrations],
    ["Rights", rights],
    ["Secret key", secretKey],
    ["Buckets", storage],
    ["Realtime", channels],
    ["Functions", edgeFunctions],
  ];
  const findings: Finding[] = [];
  for (const [part, check] of parts)
    findings.push(
      ...(await check(project).catch((error: unknown) => [
        missing(part, `No answer: ${error instanceof Error ? error.message : String(error)}.`),
      ])),
    );
  return findings;
}

async function ask(
  { url, publishableKey }: Pick<ProjectToCheck, "url" | "publishableKey">,
  path: string,
  { key = publishableKey, body }: { key?: string; body?: object } = {},
): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method: body ? "POST" : "GET",
    headers: { apikey: key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  return {
    status: response.status,
    json: parsed(text),
    location: response.headers.get("location"),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

async function auth(project: ProjectToCheck): Promise<Finding[]> {
  const { status, json } = await ask(project, "/auth/v1/settings");
  if (status === 401)
    return [missing("Auth", "The publishable key is refused: it belongs to another project.")];
  if (status !== 200)
    return [missing("Auth", `The settings request failed with status ${status}.`)];
  const findings = [ok("Auth", "The project accepts the publishable key.")];
  if (field(field(json, "external"), "email") === false)
    findings.push(missing("Sign-up", "The email provider is disabled, so nobody can sign up."));
  else if (field(json, "disable_signup") === true)
    findings.push(warning("Sign-up", "Sign-up is closed: only people with an account can join."));
  else findings.push(ok("Sign-up", "People can sign up by email."));
  return findings;
}

async function tokens(project: ProjectToCheck): Promise<Finding[]> {
  const { json } = await ask(project, "/auth/v1/.well-known/jwks.json");
  const keys = field(json, "keys");
  if (Array.isArray(keys) && keys.length > 0)
    return [ok("Tokens", "Signed with an asymmetric key, which the app verifies locally.")];
  if (project.jwtSecret !== null)
    return [ok("Tokens", "HS256; the app verifies them locally with SUPABASE_JWT_SECRET.")];
  return [
    warning(
      "Tokens",
      "HS256 without SUPABASE_JWT_SECRET: the app sends each new token to auth. Use asymmetric " +
        "signing keys, or set the secret.",
    ),
  ];
}

/** Checks the allow list by an invalid link, which auth redirects to its URL if listed. */
async function redirects(project: ProjectToCheck): Promise<Finding[]> {
  if (project.siteUrl === null)
    return [warning("Redirects", "SITE_URL is not set, so this was not checked.")];
  const target = new URL("/auth/confirm", project.siteUrl).href;
  const { status, location } = await ask(
    project,
    `/auth/v1/verify?type=recovery&token=0&redirect_to=${encodeURIComponent(target)}`,
  );
  if (location === null)
    return [warning("Redirects", `Not checked: an invalid link returned status ${status}.`)];
  if (location.startsWith(target)) return [ok("Redirects", `Emails can link to ${target}.`)];
  return [
    missing(
      "Redirects",
      `Emails link to ${new URL(location).origin}, not to ${target}: set the Site URL and ` +
        `add ${project.siteUrl}/** to the redirect URLs.`,
    ),
  ];
}

async function migrations(project: ProjectToCheck): Promise<Finding[]> {
  const { status, json } = await ask(project, "/rest/v1/rpc/missing_migrations", {
    body: { versions: project.versions },
  });
  if (status === 404 || !Array.isArray(json))
    return [missing("Migrations", "This release's migrations are not applied: supabase db push.")];
  if (json.length > 0)
    return [
      missing(
        "Migrations",
        `${json.length} of ${project.versions.length} are not applied (the first is ` +
          `${String(json[0])}): supabase db push.`,
      ),
    ];
  return [ok("Migrations", `All ${project.versions.length} are applied.`)];
}

async function rights(project: ProjectToCheck): Promise<Finding[]> {
  const { status } = await ask(project, "/rest/v1/workspaces?select=id&limit=1");
  if (status === 401 || status === 403)
    return [ok("Rights", "Tables cannot be read without signing in.")];
  if (status === 404) return [missing("Rights", "The table `workspaces` does not exist.")];
  return [missing("Rights", `Reading a table without signing in returned status ${status}.`)];
}

async function secretKey(project: ProjectToCheck): Promise<Finding[]> {
  if (project.secretKey === null)
    return [
      missing(
        "Secret key",
        "SUPABASE_SECRET_KEY is not set. Without it there are no pictures and files, no search " +
          "index, back links or change lines, no snapshots and segments, no named versions for " +
          "readers who see those alone; redacted words are not destroyed, and the users of deleted " +
          "accounts are not removed.",
      ),
    ];
  const { status } = await ask(project, "/rest/v1/rpc/read_deleted_accounts", {
    key: project.secretKey,
    body: { max_count: 0 },
  });
  if (status === 200) return [ok("Secret key", "It has the service role.")];
  return [missing("Secret key", `It is refused (${status}): it belongs to another project.`)];
}

async function storage(project: ProjectToCheck): Promise<Finding[]> {
  if (project.secretKey === null)
    return [warning("Buckets", "Not checked: this requires the secret key.")];
  const key = project.secretKey;
  const states = await Promise.all(
    buckets.map(async (name) => ({
      name,
      ...(await ask(project, `/storage/v1/bucket/${name}`, { key })),
    })),
  );
  const absent = states.filter(({ status }) => status !== 200).map(({ name }) => name);
  const open = states.filter(({ json }) => field(json, "public") === true).map(({ name }) => name);
  return [
    ...(absent.length > 0
      ? [missing("Buckets", `Missing: ${absent.join(", ")}. The migrations create them.`)]
      : []),
    ...(open.length > 0
      ? [missing("Buckets", `Public, so anyone can read them: ${open.join(", ")}.`)]
      : []),
    ...(absent.length + open.length === 0
      ? [ok("Buckets", `${buckets.join(", ")} exist and are private.`)]
      : []),
  ];
}

async function channels(project: ProjectToCheck): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (project.secretKey === null)
    findings.push(
      warning("Realtime", "Private channels were not checked: this requires the secret key."),
    );
  else {
    const status = await joined(project.url, project.secretKey, true);
    findings.push(
      status === "SUBSCRIBED"
        ? ok("Realtime", "A private channel can be joined.")
        : missing("Realtime", `A private channel cannot be joined (${status}).`),
    );
  }
  if ((await joined(project.url, project.publishableKey, false)) === "SUBSCRIBED")
    findings.push(
      warning("Realtime", 'Public channels are open: switch off "Allow public access".'),
    );
  else findings.push(ok("Realtime", "Public channels are closed."));
  return findings;
}

/** Joins a channel that belongs to no document, and returns the result. */
async function joined(url: string, key: string, isPrivate: boolean): Promise<string> {
  const client = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime,
  });
  const channel = client.channel("check:hosted", { config: { private: isPrivate } });
  try {
    return await new Promise<string>((settle) => {
      channel.subscribe((status) => settle(status), patienceMs);
    });
  } finally {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  }
}

async function edgeFunctions(project: ProjectToCheck): Promise<Finding[]> {
  return Promise.all(
    project.functions.map(async (name) => {
      const { status } = await ask(project, `/functions/v1/${name}`, { body: {} });
      return status === 404 || status >= 500
        ? missing("Functions", `${name} is not deployed (${status}): supabase functions deploy.`)
        : ok("Functions", `${name} is deployed.`);
    }),
  );
}
