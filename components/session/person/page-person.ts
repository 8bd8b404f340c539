import { PagePerson } from "@/events/auth/page-person";

/** The person that this page belongs to; claimed in the browser alone. */
export const pagePerson = new PagePerson();

/** Fetches one of the product's own addresses as this page's person; another session is refused with 409. */
export const pageFetch = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, headers: pagePerson.named(init.headers) });
