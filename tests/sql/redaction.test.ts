import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import { bodyShapes, redactableKeys } from "@/events/core/body-shapes";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { verifyChain } from "@/events/log/hash";
import { redact } from "@/events/crdt/payload/redaction";
import { bringTombstone } from "@/events/crdt/payload/tombstone-payload";
import { roles } from "@/machines/member";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { NewProposal, TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";
import { textblockOf } from "@/tests/support/line";

let db: TestDatabase;
let ana: User;
let ben: User;
let workspace: string;

const known = new Set(["t"]);
const secret = "the launch code is 0000";

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
});
afterAll(() => db.stop());

async function folded(document: string): Promise<ConfirmedDocument> {
  const fold = new ConfirmedDocument(null);
  for (const row of await db.read(ana, document)) fold.integrate(row);
  return fold;
}

async function write(
  user: User,
  document: string,
  clientID: number,
  text: string,
): Promise<string> {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, Y.encodeStateAsUpdate((await folded(document)).doc));
  doc.clientID = clientID;
  const before = Y.encodeStateVector(doc);
  textblockOf(doc).insert(textblockOf(doc).length, text);
  const id = randomUUID();
  granted(
    await db.append(user, document, null, [
      {
        id,
        type: "document.edited",
        body: {},
        clientIds: [clientID],
        update: Y.encodeStateAsUpdate(doc, before),
      },
    ]),
  );
  return id;
}

async function tombstoneOf(document: string, event: string): Promise<Uint8Array> {
  const row = (await db.read(ana, document)).find(({ id }) => id === event);
  return redact(row?.update ?? null, Date.parse(row?.clientTime ?? ""), known);
}

const attest = (event: string, tombstone: Uint8Array) =>
  db.sql`select attest_tombstone(${event}, ${toBase64(tombstone)})`;
const redaction = (event: string, update: Uint8Array): NewProposal => ({
  type: "document.redacted",
  body: { event, reason: "Leaked" },
  update,
});
const stored = async () => {
  const tables = await db.sql<
    { name: string }[]
  >`select oid::regclass::text as name from pg_class where relnamespace in ('public'::regnamespace,
    'private'::regnamespace) and relkind = 'r'`;
  const rows = await Promise.all(
    tables.map(({ name }) => db.sql.unsafe(`select to_jsonb(x)::text as x from ${name} x`)),
  );
  return rows
    .flat()
    .map(({ x }) => String(x))
    .join("\n");
};
const hex = (text: string) => Buffer.from(text).toString("hex");

it("[REDACT-2] the database empties exactly the keys that the aggregates name as redactable", async () => {
  const keys = Object.entries(bodyShapes)
    .filter(([type]) =>
      /^(document|version|thread|comment|file|account|workspace|invitation)\./.test(type),
    )
    .flatMap(([, shapes]) => Object.keys(shapes ?? {}).map((key) => key.replace(/\?$/, "")));
  const body = JSON.stringify(Object.fromEntries(keys.map((key) => [key, "words"])));
  const [row] = await db.sql`select private.redacted_body(${body}) as left`;
  const left: unknown = JSON.parse(String(row?.left));
  const emptied = Object.entries(left ?? {}).flatMap(([key, value]) => (value === "" ? [key] : []));
  expect(emptied.sort()).toEqual(redactableKeys);
});

describe("a redaction", () => {
  it("[REDACT-1] destroys the payload in every table, keeps the row, and leaves a valid chain", async () => {
    const document = await newDocument(db, ana, workspace);
    await write(ben, document, 5, "Before. ");
    const event = await write(ben, document, 6, secret);
    await write(ana, document, 7, " After.");
    const [{ version } = { version: 0 }] = await db.sql<
      { version: number }[]
    >`select version::int from documents where id = ${document}`;
    await db.sql`select write_snapshot(${document}, ${version},
      ${toBase64(Y.encodeStateAsUpdate((await folded(document)).doc))})`;
    expect(await stored()).toContain(hex(secret));
    const before =
      await db.sql`select * from events where stream_id = ${document} order by version`;

    const tombstone = await tombstoneOf(document, event);
    await attest(event, tombstone);
    expect(verdict(await db.append(ana, document, null, [redaction(event, tombstone)]))).toBe("ok");

    expect(await stored()).not.toContain(hex(secret));
    expect(await db.sql`select 1 from snapshots where stream_id = ${document}`).toHaveLength(0);
    expect(await db.sql`select 1 from private.tombstones`).toHaveLength(0);
    expect(
      await db.sql`select * from events where stream_id = ${document} and version <= ${version} order by version`,
    ).toEqual(before);
    const fold = await folded(document);
    expect([textblockOf(fold.doc).toString(), fold.anomalies]).toEqual(["Before.  After.", []]);
    const rows = await db.read(ben, document);
    expect(await verifyChain(rows)).toMatchObject({ ok: true, redacted: 1 });
    expect(rows.find(({ id }) => id === event)).toMatchObject({
      salt: null,
      body: {},
      redactedBy: version + 1,
      actorId: ben.id,
    });
  });

  it("[REDACT-2] removes the words of comments, titles and names from log and read models", async () => {
    const document = await newDocument(db, ana, workspace);
    const [thread, comment, version] = [randomUUID(), randomUUID(), randomUUID()];
    const ids = {
      quote: randomUUID(),
      comment: randomUUID(),
      edited: randomUUID(),
      title: randomUUID(),
      name: randomUUID(),
    };
    granted(
      await db.append(ana, document, null, [
        {
          id: ids.quote,
          type: "thread.opened",
          subject: { kind: "thread", id: thread },
          body: { start: "AA==", end: "AQ==", quote: `${secret} quoted` },
        },
        {
          id: ids.comment,
          type: "comment.added",
          subject: { kind: "comment", id: comment },
          body: { thread, text: `${secret} said` },
        },
        {
          id: ids.edited,
          type: "comment.edited",
          subject: { kind: "comment", id: comment },
          body: { text: `${secret} edited` },
        },
        { id: ids.title, type: "document.renamed", body: { title: `${secret} title` } },
        {
          id: ids.name,
          type: "version.named",
          subject: { kind: "version", id: version },
          body: { at: 1, name: `${secret} name` },
        },
      ]),
    );
    const shown = async () =>
      (
        await db.sql`
      select (select quote from threads where id = ${thread}) as quote, (select text from comments
        where id = ${comment}) as text,
        (select title from documents where id = ${document}) as title, (select name from versions
          where id = ${version}) as name`
      )[0];
    expect(
      verdict(await db.append(ana, document, null, [redaction(ids.comment, bringTombstone(null))])),
    ).toBe("ok");
    expect(await shown()).toMatchObject({ text: `${secret} edited` });
    for (const id of [ids.quote, ids.edited, ids.title, ids.name])
      expect(
        verdict(await db.append(ana, document, null, [redaction(id, bringTombstone(null))])),
      ).toBe("ok");
    expect(await shown()).toEqual({ quote: "", text: "", title: "", name: "" });
    expect(await stored()).not.toContain(secret);
    const models = () =>
      db.sql`select to_jsonb(d) as d, (select jsonb_agg(t) from threads t where document_id = d.id)
        as t, (select jsonb_agg(c) from comments c where document_id = d.id) as c, (select
          jsonb_agg(v) from versions v where document_id = d.id) as v from documents d order by id`;
    const before = await models();
    await db.sql`select rebuild_projections()`;
    expect(await models()).toEqual(before);
    const anchor = (await db.read(ana, document)).find(({ id }) => id === ids.quote);
    expect(anchor?.body).toEqual({ start: "AA==", end: "AQ==", quote: "" });
    expect(await verifyChain(await db.read(ana, document))).toMatchObject({
      ok: true,
      redacted: 5,
    });
  });

  it("[REDACT-5] accepts only the tombstone that the service has attested", async () => {
    const document = await newDocument(db, ana, workspace);
    const event = await write(ben, document, 5, secret);
    const tombstone = await tombstoneOf(document, event);
    const ask = async (update: Uint8Array, target = event) =>
      verdict(await db.append(ana, document, null, [redaction(target, update)]));
    expect(await ask(tombstone)).toBe("not-permitted");
    await attest(event, tombstone);
    const forged = Uint8Array.from([...tombstone, 0]);
    expect(await ask(forged)).toBe("not-permitted");
    expect(await ask(bringTombstone(null))).toBe("not-permitted");
    expect(await ask(tombstone, randomUUID())).toBe("invalid-event");
    const elsewhere = await newDocument(db, ana, workspace);
    expect(verdict(await db.append(ana, elsewhere, null, [redaction(event, tombstone)]))).toBe(
      "invalid-event",
    );
    expect(await ask(tombstone)).toBe("ok");
    expect(await ask(tombstone)).toBe("invalid-event");
    const last = (await db.read(ana, document)).at(-1);
    expect(await ask(bringTombstone(null), last?.id)).toBe("invalid-event");
    const trashed = randomUUID();
    granted(
      await db.append(ana, document, null, [{ id: trashed, type: "document.trashed", body: {} }]),
    );
    expect(await ask(bringTombstone(null), trashed)).toBe("invalid-event");
    await expect(db.as(ana, (t) => t`select attest_tombstone(${event}, 'AAAE')`)).rejects.toThrow(
      /permission denied/,
    );
    await db.sql`grant execute on function attest_tombstone to authenticated`;
    await expect(db.as(ana, (t) => t`select attest_tombstone(${event}, 'AAAE')`)).rejects.toThrow(
      /not-permitted/,
    );
    await db.sql`revoke execute on function attest_tombstone from authenticated`;
  });

  it("[REDACT-6] is for owners alone, in the trash too", async () => {
    const document = await newDocument(db, ana, workspace);
    const event = await write(ben, document, 5, secret);
    const tombstone = await tombstoneOf(document, event);
    await attest(event, tombstone);
    const got: Record<string, string> = {};
    for (const role of roles.filter((held) => held !== "owner")) {
      const user = db.newUser(role);
      await join(db, ana, workspace, user, role);
      got[role] = verdict(await db.append(user, document, null, [redaction(event, tombstone)]));
    }
    const dora = db.newUser("Dora");
    await join(db, ana, workspace, dora, "owner");
    granted(
      await db.append(ana, workspace, null, [
        { type: "member.removed", subject: { kind: "member", id: dora.id }, body: {} },
      ]),
    );
    got.removed = verdict(await db.append(dora, document, null, [redaction(event, tombstone)]));
    got.stranger = verdict(
      await db.append(db.newUser("Mallory"), document, null, [redaction(event, tombstone)]),
    );
    got.anon = verdict(
      await db.append(ana, document, null, [{ type: "document.trashed", body: {} }]),
    );
    got.owner = verdict(await db.append(ana, document, null, [redaction(event, tombstone)]));
    expect(got).toEqual({
      editor: "not-permitted",
      commenter: "not-permitted",
      viewer: "not-permitted",
      removed: "not-permitted",
      stranger: "not-permitted",
      anon: "ok",
      owner: "ok",
    });
  });

  it("[REDACT-1] [REDACT-5] happens once, despite concurrent requests and writes", async () => {
    const document = await newDocument(db, ana, workspace);
    const carol = db.newUser("Carol");
    await join(db, ana, workspace, carol, "owner");
    const event = await write(ben, document, 5, secret);
    const tombstone = await tombstoneOf(document, event);
    await attest(event, tombstone);
    const renamed = (at: number): NewProposal => ({
      type: "document.renamed",
      body: { title: `Title ${at}` },
    });
    const answers = await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const asked = at % 3 === 0;
        const answer = await db.append(at % 2 === 0 ? ana : carol, document, null, [
          asked ? redaction(event, tombstone) : renamed(at),
        ]);
        return asked ? verdict(answer) : `wrote ${verdict(answer)}`;
      }),
    );
    const count = (what: string) => answers.filter((answer) => answer === what).length;
    expect([count("ok"), count("invalid-event"), count("wrote ok")]).toEqual([1, 7, 16]);
    const rows = await db.read(ben, document);
    expect(await verifyChain(rows)).toMatchObject({ ok: true, redacted: 1, head: { version: 19 } });
    expect(await stored()).not.toContain(hex(secret));
  });

  it("[REDACT-7] is the only change of a payload, for every role", async () => {
    const document = await newDocument(db, ana, workspace);
    const event = await write(ben, document, 5, secret);
    const other = await write(ben, document, 6, "Untouched");
    const tombstone = await tombstoneOf(document, event);
    const change = (text: string) =>
      db.sql.unsafe(text).then(
        () => "changed",
        (error: Error) => error.message,
      );
    const attempts = [
      `update event_payloads set salt = null, redacted_by = 3, update = '\\x000005' where event_id = '${event}'`,
      `update event_payloads set body = '{}' where event_id = '${event}'`,
      `update event_payloads set update = '\\x00' where event_id = '${event}'`,
      `delete from event_payloads where event_id = '${event}'`,
    ];
    for (const text of attempts) expect(await change(text)).toMatch(/append-only/);
    await attest(event, tombstone);
    granted(await db.append(ana, document, null, [redaction(event, tombstone)]));
    const redactedBy = (await db.read(ana, document)).length;
    expect(
      await change(
        `update event_payloads set salt = null, redacted_by = ${redactedBy}, update = '\\x000005'
          where event_id = '${other}'`,
      ),
    ).toMatch(/append-only/);
    expect(
      await change(`update event_payloads set update = '\\x000005' where event_id = '${event}'`),
    ).toMatch(/append-only/);
    expect(await change(`update events set type = 'x' where id = '${event}'`)).toMatch(
      /append-only/,
    );
  });

  it("[REDACT-8] rejects derived state made before it", async () => {
    const document = await newDocument(db, ana, workspace);
    const event = await write(ben, document, 5, secret);
    const state = toBase64(Y.encodeStateAsUpdate((await folded(document)).doc));
    const tombstone = await tombstoneOf(document, event);
    await attest(event, tombstone);
    granted(await db.append(ana, document, null, [redaction(event, tombstone)]));
    await expect(db.sql`select write_snapshot(${document}, 2, ${state})`).rejects.toThrow(
      "version-conflict",
    );
    await db.sql`select write_snapshot(${document}, 3,
      ${toBase64(Y.encodeStateAsUpdate((await folded(document)).doc))})`;
    // A caller that has since read the log may store an older state again.
    await expect(db.sql`select write_snapshot(${document}, 1, ${state}, 2)`).rejects.toThrow(
      "version-conflict",
    );
    await expect(db.sql`select write_snapshot(${document}, 1, ${state}, 4)`).rejects.toThrow(
      "invalid-event",
    );
    await expect(db.sql`select write_snapshot(${document}, 3, ${state}, 2)`).rejects.toThrow(
      "invalid-event",
    );
    await db.sql`select write_snapshot(${document}, 1, 'AAA=', 3)`;
    const caches = await db.sql`
      select c.oid::regclass::text as name from pg_class c where relnamespace =
        'public'::regnamespace and relkind = 'r' and relname not in ('events')
        and exists (select from pg_attribute where attrelid = c.oid and attname = 'stream_id') and
          exists (select from pg_attribute where attrelid = c.oid and attname = 'version')`;
    const registered = await db.sql`select relation::text as name from private.caches`;
    // The parts of an unfinished snapshot are a cache as well.
    const kept = [
      "snapshot_parts",
      "document_links",
      "link_states",
      "search_entries",
      "search_states",
    ];
    const derived = [
      ...caches.map(({ name }) => name as string),
      ...kept.map((name) => `private.${name}`),
    ];
    expect(registered.map(({ name }) => name as string).sort()).toEqual(derived.sort());
  });
});
