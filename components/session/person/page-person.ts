import { PagePerson } from "@/events/auth/page-person";

/** The person that this page belongs to; claimed in the browser alone. */
export const pagePerson = new PagePerson();

/** Asks an address of the product's own as the person of this page; the server refuses it under anybody else's session. */
export const pageFetch = (address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...init, headers: pagePerson.named(init.headers) });
