import { personHeader, type PersonOfPage } from "./page-person";
import { urlOf } from "./renewal-answer";
import { maySendFor } from "./token-person";

/** What the database answers to an append whose `actor` is not the token's account. */
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
 * Makes the fetch of a page's person: it sends nothing under the token of anybody else. The person is the one that the
 * call names in its header, else the one that the page belongs to. A call that is not sent has the answer that the
 * database gives; one to the authentication service fails as without a network, which says nothing about the session.
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
      throw new TypeError("The session is another person's, so nothing was asked.");
    return otherAccount();
  };
}
