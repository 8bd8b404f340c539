import type { Browser } from "playwright";
import postgres from "postgres";
import { schemaVersion } from "@/events/content/schema";
import { toWire } from "@/events/core/envelope";
import { databaseUrl } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";
import { openSignedIn } from "./signed-in-page";
import { benchSession } from "./sessions";
import type { SessionName } from "./sessions";

export type Account = Pick<Person, "email" | "password">;
/** A document that holds a session, and the accounts that may edit it. */
export type SessionDocument = { accounts: Account[]; documentId: string; edits: number };

const rowsAtOnce = 1000;

/**
 * Lays a session into a document of four people, each event as an append by its author. Returns
 * null if the recording is missing.
 */
export async function laySession(stack: Stack, name: SessionName): Promise<SessionDocument | null> {
  const session = benchSession(name);
  if (!session) return null;
  const people: Person[] = [];
  for (const each of ["Ana", "Ben", "Carol", "Dan"]) people.push(await signUp(stack, each));
  const documentId = await meet(people);
  const authors = new Map<string, Person>();
  const authorOf = (actorId: string): Person => {
    const known = authors.get(actorId) ?? people[authors.size % people.length];
    if (!known) throw new Error("There are no people");
    authors.set(actorId, known);
    return known;
  };
  const appends = session.rows.flatMap((row) => {
    const { update, clientIds, clientTime } = row;
    if (!update) return [];
    const { user } = authorOf(row.actorId);
    const claims = { sub: user.id, role: "authenticated", email: user.email };
    const event = { id: row.id, type: row.type, body: {}, update, clientIds, clientTime };
    return [
      { claims: JSON.stringify(claims), events: [toWire({ ...event, schema: schemaVersion })] },
    ];
  });
  // In the database: over HTTP the authors, who take turns every second, would need an hour.
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  try {
    await sql.unsafe(`
      create function pg_temp.lay(stream uuid, appends jsonb) returns void language plpgsql as $$
      declare append jsonb;
      begin
        for append in select * from jsonb_array_elements(appends) loop
          perform set_config('request.jwt.claims', append->>'claims', true);
          perform public.append_events(stream, null, append->'events');
        end loop;
      end $$`);
    for (let at = 0; at < appends.length; at += rowsAtOnce)
      await sql`select pg_temp.lay(${documentId}, ${sql.json(appends.slice(at, at + rowsAtOnce))})`;
  } finally {
    await sql.end({ timeout: 1 });
  }
  const accounts = people.map(({ email, password }) => ({ email, password }));
  return { accounts, documentId, edits: session.edits };
}

const letters = "while the others look on it is written further and further ";

/**
 * Opens a window in which a person types at the start of a document, six letters a second, until
 * `stop`.
 */
export async function typingPage(
  browser: Browser,
  stack: Stack,
  account: Account,
  documentId: string,
) {
  const page = await openSignedIn(browser, stack, account, documentId);
  await page.getByRole("textbox", { name: "Document text" }).focus();
  await page.keyboard.press("Control+Home");
  let stopped = false;
  const typed = (async () => {
    let words = "";
    while (!stopped) {
      const letter = letters.charAt(words.length % letters.length);
      await page.keyboard.type(letter);
      await page.waitForTimeout(160);
      words += letter;
    }
    return words;
  })();
  // A caller that closes the window without `stop` has already failed.
  typed.catch(() => undefined);
  return {
    page,
    /** Stops typing, and returns the typed text. */
    stop: () => {
      stopped = true;
      return typed;
    },
  };
}
