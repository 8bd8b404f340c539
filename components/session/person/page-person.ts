import { PagePerson } from "@/events/auth/page-person";

/** The person to whom this page belongs. Pages claim a person in a browser only. */
export const pagePerson = new PagePerson();

/**
 * Fetches a URL of the product as this page's person. The server answers another session with 409.
 */
export const pageFetch = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, headers: pagePerson.named(init.headers) });
