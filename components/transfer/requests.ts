import { StoreFault } from "@/events/log/store";

/** Thrown for a refusal that the server has put into words for the person who asked. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
}

async function messageOf(answer: Response): Promise<string | null> {
  const body: unknown = await answer.json().catch(() => null);
  const message =
    typeof body === "object" && body !== null && "message" in body ? body.message : null;
  return typeof message === "string" ? message : null;
}

/** What an address of the product's own answers as JSON; a refusal in words is thrown as one. */
export async function askedJson(address: string, init: RequestInit): Promise<unknown> {
  const answer = await fetch(address, init).catch((fault: unknown) => {
    if (init.signal?.aborted) throw fault;
    throw new StoreFault("no answer came", 0);
  });
  if (answer.ok) return answer.json();
  const message = await messageOf(answer);
  if (message !== null) throw new RefusedRequest(message);
  throw new StoreFault(`answered ${answer.status}`, answer.status);
}
