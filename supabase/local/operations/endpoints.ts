import type { IncomingMessage } from "node:http";
import { same } from "../auth/api-key";
import { refusal } from "../http/refusals";
import { metricsText } from "./metrics";
import type { Readiness } from "./readiness";

type EndpointRequest = Pick<IncomingMessage, "headers" | "method" | "url">;

/**
 * Answers the monitoring requests `/health`, `/ready` and `/metrics`; returns null for other paths.
 * The Host header is not checked, since probes use any name. `isOwn` is true for requests from this
 * machine; `readiness` is null while the process is starting.
 */
export function operationsAnswer(
  incoming: EndpointRequest,
  isOwn: boolean,
  metricsToken: string | null,
  readiness: (() => Promise<Readiness>) | null,
): Promise<Response> | Response | null {
  const path = (incoming.url ?? "/").split("?")[0];
  if (path !== "/health" && path !== "/ready" && path !== "/metrics") return null;
  if (incoming.method !== "GET" && incoming.method !== "HEAD")
    return refusal(405, "method_not_allowed", "Method not allowed", { allow: "GET, HEAD" });
  if (path === "/health") return jsonAnswer(200, { status: "alive" });
  if (path === "/ready") return ready(readiness);
  return mayRead(incoming, isOwn, metricsToken)
    ? metricsText()
    : refusal(403, "not_permitted", "Metrics are read on this machine, or with METRICS_TOKEN.");
}

async function ready(readiness: (() => Promise<Readiness>) | null): Promise<Response> {
  if (!readiness) return jsonAnswer(503, { status: "starting" });
  const { ready, checks } = await readiness();
  return jsonAnswer(ready ? 200 : 503, { status: ready ? "ready" : "not ready", checks });
}

/** Whether a request may read metrics. If a token is set, only the token grants access. */
function mayRead({ headers }: EndpointRequest, isOwn: boolean, token: string | null): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return token === null ? isOwn : given !== undefined && same(given, token);
}

function jsonAnswer(status: number, body: object): Response {
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
