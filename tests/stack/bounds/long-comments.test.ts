import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as Y from "yjs";
import { rowsAtATime } from "@/events/core/pages";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { restrictedComments } from "@/machines/restricted-comments";
import { databaseUrl } from "@/tests/support/product/backend";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";

const [workspace, document] = [randomUUID(), randomUUID()];
/** More comments than one request returns. */
const [threads, each] = [500, 5];
const words = "The pier stands on forty piles.";
let stack: Stack;
let sql: Sql;
let ana: Person;
/** The fetch of a reader who sees only named versions and the present. */
let asBen: typeof fetch;

beforeAll(async () => {
  stack = await startStack();
  const [owner, ben] = await Promise.all([signUp(stack, "Ana"), signUp(stack, "Ben")]);
  ana = owner;
  const store = supabaseStore(ana.client);
  const event = (type: string, body: { [key: string]: string }) => ({
    id: randomUUID(),
    type,
    body,
  });
  granted(
    await store.append(workspace, 0, [
      event("workspace.created", { name: "Field notes" }),
      event("workspace.history_graded", { viewer: "versions", commenter: "versions" }),
    ]),
  );
  const doc = new Y.Doc();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText(words)]);
  doc.getXmlFragment("default").push([paragraph]);
  const update = Y.encodeStateAsUpdate(doc);
  const now = new Date();
  granted(
    await store.append(document, 0, [
      event("document.created", { workspaceId: workspace, title: "Pier" }),
      {
        ...event("document.edited", {}),
        schema: schemaVersion,
        clientIds: [doc.clientID],
        update: encodeEdits([{ update, time: now.getTime() }]),
        clientTime: now.toISOString(),
      },
    ]),
  );
  sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  await sql`
    insert into public.members (workspace_id, user_id, role, phase, name, color, given_color, joined_at, updated_at)
    values (${workspace}, ${ben.user.id}, 'viewer', 'active', 'Ben', 1, 1, now(), now())`;
  const text = liveText(doc.getXmlFragment("default"));
  const stretch = text.letters.nearest("forty", 0, () => true);
  const anchor = stretch && anchorOf(text, stretch.from, stretch.to, 40);
  if (!anchor) throw new Error("The words are not in the text.");
  // Only the rows are created, without the thousands of events that belong to them.
  await sql`
    with made as (
      insert into public.threads (id, document_id, workspace_id, version, opened_version, opened_at, opened_by,
        phase, anchor_start, anchor_end, quote)
      select gen_random_uuid(), ${document}, ${workspace}, 3, 3, now() - n * interval '1 minute',
        ${ana.user.id}, 'open', ${anchor.start}, ${anchor.end}, ${anchor.quote}
      from generate_series(1, ${threads}::int) n
      returning id, opened_at
    )
    insert into public.comments (id, document_id, workspace_id, thread_id, version, added_at, author_id, phase, text)
    select gen_random_uuid(), ${document}, ${workspace}, made.id, 3, made.opened_at + n * interval '1 millisecond',
      ${ana.user.id}, 'present', 'Remark ' || n
    from made, generate_series(1, ${each}::int) n`;
  asBen = await pageAs(ben);
}, 300_000);
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await stack.dispose();
});

const remarks = (body: string) => body.match(/Remark \d/g)?.length ?? 0;

describe("[GRADE-9] a document with more comments than a page holds", () => {
  test("sends a restricted reader the newest 100 rows with its page", async () => {
    const answer = await asBen(`${stack.url}/d/${document}`);
    const page = await answer.text();
    expect(page).toContain("forty piles");
    expect(remarks(page)).toBeGreaterThan(0);
    expect(remarks(page)).toBeLessThanOrEqual(rowsAtATime);
  });

  test("sends all of them at their own address, to members alone", async () => {
    const path = `${stack.url}/d/${document}/comments`;
    const answer = await asBen(path);
    const all = restrictedComments.parse(await answer.json());
    expect(all.threads.length).toBe(threads);
    expect(all.comments.length).toBe(threads * each);
    expect(new Set(all.comments.map(({ id }) => id)).size).toBe(threads * each);
    expect(all.threads.at(-1)?.place).toEqual({ from: 15, to: 20 });
    expect(all.isWhole).toBe(true);
    const carol = await pageAs(await signUp(stack, "Carol"));
    expect((await carol(path)).status).toBe(404);
    // A visitor without a session is redirected to the sign-in page.
    expect((await fetch(path, { redirect: "manual" })).status).toBe(307);
  });
});
