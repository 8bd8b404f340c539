// `npm run check:hosted`: checks the Supabase project of the environment for everything that the
// product needs, and prints a line per part. Exits with code 1 if something is missing.
import { readSettings } from "../local/settings";
import { releaseVersions } from "../local/database/migrations";
import { environment } from "../environment";
import { checkProject } from "./project-checks";
import type { Finding } from "./project-checks";

const marks: Record<Finding["state"], string> = {
  ok: "ok",
  warning: "warning",
  missing: "MISSING",
};

async function main(): Promise<number> {
  const settings = readSettings(process.env, [], process.cwd());
  if (!settings.hosted) {
    console.error(
      "Set NEXT_PUBLIC_SUPABASE_URL and NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, and " +
        "SUPABASE_SECRET_KEY and SITE_URL as the app will use them.",
    );
    return 1;
  }
  const { url, publishableKey, secretKey, jwtSecret } = environment();
  const findings = await checkProject({
    url,
    publishableKey,
    secretKey,
    jwtSecret,
    siteUrl: settings.siteUrl,
    versions: await releaseVersions(),
    functions: ["invite"],
  });
  for (const { state, part, sentence } of findings)
    console.log(`${marks[state].padEnd(8)} ${part.padEnd(11)} ${sentence}`);
  return findings.some(({ state }) => state === "missing") ? 1 : 0;
}

process.exitCode = await main();
