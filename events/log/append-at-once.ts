import { toWire } from "@/events/core/envelope";
import type { Proposal } from "@/events/core/envelope";
import { maySendFor } from "@/supabase/token-person";
import { appendedOf } from "./store";
import type { Appended } from "./store";

/**
 * Browsers limit the keep-alive bodies of a page to 64 KiB in total. This limit leaves room for one
 * more request.
 */
const mostCharacters = 60_000;

type Input = {
  url: string;
  key: string;
  /** Returns the page's current access token, or null when signed out. */
  token(): string | null;
  /** Returns the account that the page belongs to, or null until it is known. */
  person(): string | null;
  send(address: string, init: RequestInit): Promise<Response>;
};

/**
 * Appends synchronously with a keep-alive request that outlives the page. The Supabase client
 * awaits locks and timers, which do not run while a page closes. Returns null if the page may not
 * send, if the session belongs to another person, or if the body is too large. The device stores
 * the events until a later append with the same ids returns their rulings.
 */
export function appendAtOnce({ url, key, token, person, send }: Input) {
  return (
    stream: string,
    proposals: readonly Proposal[],
    actor = person() ?? undefined,
  ): Promise<Appended> | null => {
    const held = token();
    const body = JSON.stringify({
      stream,
      expected_version: null,
      events: proposals.map(toWire),
      ...(actor !== undefined && { actor }),
    });
    if (held === null || body.length > mostCharacters) return null;
    if (!maySendFor(actor ?? null, held)) return null;
    return answered(
      send(`${url}/rest/v1/rpc/append_events`, {
        method: "POST",
        keepalive: true,
        headers: {
          apikey: key,
          authorization: `Bearer ${held}`,
          "content-type": "application/json",
        },
        body,
      }),
    );
  };
}

async function answered(sent: Promise<Response>): Promise<Appended> {
  const response = await sent;
  const answer: unknown = await response.json();
  const error = response.ok ? null : errorIn(answer);
  return appendedOf({ data: response.ok ? answer : null, error, status: response.status });
}

function errorIn(answer: unknown): {
  message: string;
  details?: string;
  hint?: string;
  code?: string;
} {
  const found: { message: string; details?: string; hint?: string; code?: string } = {
    message: "",
  };
  if (typeof answer !== "object" || answer === null) return found;
  for (const name of ["message", "details", "hint", "code"] as const) {
    const value: unknown = Reflect.get(answer, name);
    if (typeof value === "string") found[name] = value;
  }
  return found;
}
