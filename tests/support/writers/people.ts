import { createClient } from "@supabase/supabase-js";
import type { RealtimeClientOptions, SupabaseClient, User } from "@supabase/supabase-js";
import { keepAliveFetch } from "@/supabase/keep-alive-fetch";
import { WebSocket } from "ws";

/** A product's address, and its publishable key. */
type Address = { url: string; keys: { publishableKey: string } };

export type Person = {
  name: string;
  email: string;
  password: string;
  client: SupabaseClient;
  user: User;
  accessToken(): Promise<string>;
};

// The cast is needed because `ws` declares event types different from the DOM's.
export const transport = WebSocket as unknown as NonNullable<RealtimeClientOptions["transport"]>;

const password = "correct horse battery staple";
let count = 0;

/** Creates a supabase-js client without a session, as in a visitor's browser. */
export function visitor(stack: Address): SupabaseClient {
  return createClient(stack.url, stack.keys.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: keepAliveFetch() },
    realtime: { transport },
  });
}

/** Creates a client with the service role, which bypasses every policy. */
export function service(stack: { url: string; keys: { secretKey: string } }): SupabaseClient {
  return createClient(stack.url, stack.keys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport },
  });
}

/** Signs up a new person with a new address, and returns the signed-in person. */
export async function signUp(stack: Address, name: string): Promise<Person> {
  count += 1;
  const mailbox = name.toLowerCase().replace(/[^a-z]+/g, ".");
  const email = `${mailbox}.${Date.now().toString(36)}.${process.pid}.${count}@example.com`;
  const client = visitor(stack);
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { data: { name } },
  });
  if (error) throw error;
  if (!data.user || !data.session) throw new Error(`${name} is not signed in after signing up`);
  return personOf(client, data.user, { name, email, password });
}

/** Signs the same person in once more, as another browser would. */
export async function signInAgain(
  stack: Address,
  person: Pick<Person, "name" | "email" | "password">,
): Promise<Person> {
  const client = visitor(stack);
  const { data, error } = await client.auth.signInWithPassword({
    email: person.email,
    password: person.password,
  });
  if (error) throw error;
  return personOf(client, data.user, person);
}

function personOf(
  client: SupabaseClient,
  user: User,
  { name, email, password }: Pick<Person, "name" | "email" | "password">,
): Person {
  return {
    name,
    email,
    password,
    client,
    user,
    async accessToken() {
      const { data } = await client.auth.getSession();
      if (!data.session) throw new Error(`${name} is not signed in`);
      return data.session.access_token;
    },
  };
}
