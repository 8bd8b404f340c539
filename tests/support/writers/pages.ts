import { authCookie } from "@/supabase/cookie";
import type { Person } from "./people";

const chunk = 3_180;
const plainFetch = globalThis.fetch;

/** Returns the cookies in which a browser holds a person's session. */
export async function sessionCookies(
  person: Pick<Person, "client">,
): Promise<{ name: string; value: string }[]> {
  const { data } = await person.client.auth.getSession();
  const value = `base64-${Buffer.from(JSON.stringify(data.session)).toString("base64url")}`;
  const parts = Array.from({ length: Math.ceil(value.length / chunk) }, (_, index) =>
    value.slice(index * chunk, (index + 1) * chunk),
  );
  return parts.map((part, index) => ({
    name: parts.length === 1 ? authCookie : `${authCookie}.${index}`,
    value: part,
  }));
}

/** Creates a fetch with a person's session cookies, as their browser requests pages. */
export async function pageAs(person: Pick<Person, "client">): Promise<typeof fetch> {
  const cookies = await sessionCookies(person);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return (input, init) =>
    plainFetch(input, { ...init, headers: { ...init?.headers, cookie }, redirect: "manual" });
}
