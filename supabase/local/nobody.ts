import { randomInt, randomUUID } from "node:crypto";
import type { Sql } from "postgres";

const id = "00000000-0000-4000-8000-00006e6f6264";
/** The cost of Lite's own bcrypt hashes. */
const cost = 10;
const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * A dummy account. Requests for an address without an account run against it, so that they cause
 * the same work. Its hash matches no password, its mail is dropped, and it gets a new address at
 * every start.
 */
export type Nobody = {
  email: string;
  hasAccount(email: string): Promise<boolean>;
  /** Whether Lite would compare a password with this address's hash. */
  hasPassword(email: string): Promise<boolean>;
};

/** Creates the dummy account, or gives it a new address and hash. */
export async function makeNobody(sql: Sql): Promise<Nobody> {
  const email = `${randomUUID()}@nobody.invalid`;
  const hash = `$2b$${cost}$${Array.from({ length: 53 }, () => alphabet.charAt(randomInt(alphabet.length))).join("")}`;
  await sql`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at) values (${id}, ${email}, ${hash}, now())
    on conflict (id) do update set email = excluded.email, encrypted_password =
      excluded.encrypted_password, recovery_token = null`;
  const look = async (address: string) => {
    const [found] = await sql<{ password: boolean }[]>`
      select coalesce(encrypted_password, '') <> '' and email_confirmed_at is not null as password
        from auth.users where email = ${address}`;
    return found ?? null;
  };
  return {
    email,
    hasAccount: async (address) => (await look(address)) !== null,
    hasPassword: async (address) => (await look(address))?.password === true,
  };
}
