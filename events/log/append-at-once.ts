import { toWire, type Proposal } from "@/events/core/envelope";
import { maySendFor } from "@/supabase/token-person";
import { appendedOf, type Appended } from "./store";

/** What browsers let outlive a page, all such requests of the page together, with room for another. */
const mostCharacters = 60_000;

type Input = {
  url: string;
  key: string;
  /** The token by which the page asks now; null where nobody is signed in. */
  token(): string | null;
  /** Whose page it is; null before that is known. */
  person(): string | null;
  send(address: string, init: RequestInit): Promise<Response>;
};

/**
 * Appends in the turn in which it is called, by a request that outlives the page: the client's own
 * waits for locks and timers, which a page that is being closed has not. Null where it may not, where the
 * session is another person's, or where it is too much; the events are the device's to keep until another append, with the same ids, has
 * their rulings.
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
