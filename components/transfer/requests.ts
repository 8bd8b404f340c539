import { pageFetch } from "@/components/session/person/page-person";
import { StoreFault } from "@/events/log/store";

/** Thrown for a refusal that the server has put into words for the person who asked. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
}

/** What an answer of the product's own says in words for the person who asked; null where it does not. */
export async function messageOf(answer: Response): Promise<string | null> {
  const body: unknown = await answer.json().catch(() => null);
  const message =
    typeof body === "object" && body !== null && "message" in body ? body.message : null;
  return typeof message === "string" ? message : null;
}

/**
 * Asks an address of the product's own. Throws RefusedRequest for a refusal in words, and StoreFault
 * for every other answer that is not one, and for none.
 */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const answer = await pageFetch(address, init).catch((fault: unknown) => {
    if (init.signal?.aborted) throw fault;
    throw new StoreFault("no answer came", 0);
  });
  if (answer.ok) return answer;
  const message = await messageOf(answer);
  if (message !== null) throw new RefusedRequest(message);
  throw new StoreFault(`answered ${answer.status}`, answer.status);
}

/** What such an address answers as JSON. */
export const requestJson = async (address: string, init: RequestInit): Promise<unknown> =>
  (await request(address, init)).json();
