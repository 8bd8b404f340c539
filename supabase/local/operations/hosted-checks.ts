import type { Check } from "./readiness";

/**
 * Creates the checks that the publishable key allows on a hosted project, as `anon`: whether auth
 * responds, and whether the database has every migration of this release.
 */
export function hostedChecks(
  url: string,
  publishableKey: string,
  versions: readonly string[],
): Record<"auth" | "migrations", Check> {
  const answered = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, url), {
      ...init,
      headers: { apikey: publishableKey, "content-type": "application/json" },
      signal: AbortSignal.timeout(2_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with status ${response.status}`);
    return text;
  };
  return {
    auth: async () => void (await answered("/auth/v1/health")),
    async migrations() {
      const body = JSON.stringify({ versions });
      const text = await answered("/rest/v1/rpc/missing_migrations", { method: "POST", body });
      const missing: unknown = JSON.parse(text);
      if (!Array.isArray(missing) || missing.length > 0) throw new Error("A migration is missing");
    },
  };
}
