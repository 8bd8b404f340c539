import { pageFetch } from "@/components/session/person/page-person";
import { StoreFault } from "@/events/log/store";

/** Thrown for a refusal. The message is the server's and meant for the person. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
}

/** Returns the server's message for the person in a response, or null without a message. */
export async function messageOf(answer: Response): Promise<string | null> {
  const body: unknown = await answer.json().catch(() => null);
  const message =
    typeof body === "object" && body !== null && "message" in body ? body.message : null;
  return typeof message === "string" ? message : null;
}

/**
 * Requests a URL of the product. Throws RefusedRequest for a refusal with a message, and StoreFault
 * for every other failure, including no answer.
 */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const answer = await pageFetch(address, init).catch((fault: unknown) => {
    if (init.signal?.aborted) throw fault;
    throw new StoreFault("no response", 0);
  });
  if (answer.ok) return answer;
  const message = await messageOf(answer);
  if (message !== null) throw new RefusedRequest(message);
  throw new StoreFault(`HTTP status ${answer.status}`, answer.status);
}

/** Requests a URL of the product and parses the response as JSON. */
export const requestJson = async (address: string, init: RequestInit): Promise<unknown> =>
  (await request(address, init)).json();
