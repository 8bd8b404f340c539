import type { Check } from "./readiness";

/** What can be asked of a hosted project from outside: that auth answers, and that our tables are there. */
export function hostedChecks(url: string, publishableKey: string): Record<string, Check> {
  const answers = async (path: string) => {
    const response = await fetch(new URL(path, url), {
      headers: { apikey: publishableKey },
      signal: AbortSignal.timeout(2_000),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`${path} was answered by ${response.status}`);
  };
  return {
    auth: () => answers("/auth/v1/health"),
    migrations: () => answers("/rest/v1/workspaces?select=id&limit=0"),
  };
}
