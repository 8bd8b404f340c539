import { personHeader } from "./page-person";
import type { PersonOfPage } from "./page-person";
import { urlOf } from "./renewal-answer";
import { maySendFor } from "./token-person";

/** Returns the database's response to an append whose `actor` is not the token's account. */
const otherAccount = (): Response =>
  Response.json(
    {
      code: "PT403",
      message: "not-permitted",
      hint: "other-account",
      details: "the token belongs to another account than the page",
    },
    { status: 403 },
  );

/**
 * Creates a page's fetch, which sends nothing with another person's token. The call's header names
 * the person; by default, it is the page's. An unsent call gets the response that the database
 * would give. An unsent call to auth fails like a network error, which does not affect the session.
 */
export function personFetch(page: PersonOfPage, ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(
      init?.headers ?? (input instanceof Request ? input.headers : undefined),
    );
    const person = headers.get(personHeader) ?? page.id;
    headers.delete(personHeader);
    const token = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    if (token === undefined || maySendFor(person, token)) return ask(input, { ...init, headers });
    page.doubt();
    if (urlOf(input).includes("/auth/v1/"))
      throw new TypeError("The session belongs to another account, so no request was sent");
    return otherAccount();
  };
}
