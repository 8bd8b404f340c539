import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { schemaNames } from "@/events/content/schema-names";
import { checkBundle } from "@/events/proof/bundle-check";
import { makeBundle } from "@/events/proof/bundle-making";
import { redactionOf } from "@/events/proof/redaction-event";
import { toBase64 } from "@/events/core/bytes/base64";
import { redact } from "@/events/crdt/payload/redaction";
import { checkHistory } from "@/events/proof/verification";
import type { Remembered, Report } from "@/events/proof/verification";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

/** Creates a document with some paragraphs by Ana, one event each. */
async function written(): Promise<string> {
  const document = await newDocument(db, ana, workspace);
  const doc = new Y.Doc();
  doc.clientID = 7;
  for (const words of ["First", "the code is Xylophone", "Third"]) {
    const before = Y.encodeStateVector(doc);
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(words)]);
    doc.getXmlFragment("default").push([paragraph]);
    granted(
      await db.append(ana, document, null, [
        {
          type: "document.edited",
          body: {},
          clientIds: [7],
          update: Y.encodeStateAsUpdate(doc, before),
        },
      ]),
    );
  }
  granted(
    await db.append(ana, document, null, [
      { type: "document.renamed", body: { title: "The code is Xylophone too" } },
    ]),
  );
  return document;
}

async function checked(document: string, remembered?: Remembered): Promise<Report> {
  return checkHistory({
    stream: document,
    source: {
      read: async (stream, after, max = Infinity) =>
        (await db.read(ana, stream, after)).slice(0, max),
    },
    redactionOf,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...(remembered && { remembered }),
  });
}

/** Returns what a browser remembers after reading the document now. */
async function rememberedHeads(document: string): Promise<Remembered> {
  const hashes = new Map(
    (await db.read(ana, document)).map(({ version, hash }) => [version, hash]),
  );
  const [version = 0, hash = ""] = [...hashes].at(-1) ?? [];
  return {
    head: { version, hash, at: 1 },
    since: 1,
    agrees: (at, seen) => (hashes.has(at) ? hashes.get(at) === seen : null),
  };
}

/** Runs statements that no role may run, as the database's owner could. */
async function asOwner(statements: string): Promise<void> {
  await db.sql.begin(async (t) => {
    await t.unsafe(
      "alter table events disable trigger user; alter table event_payloads disable trigger user",
    );
    await t.unsafe(statements);
    await t.unsafe(
      "alter table events enable trigger user; alter table event_payloads enable trigger user",
    );
  });
}

describe("a history in the database", () => {
  it("[VERIFY-6] verifies after a redacted text and title, also as a bundle without them", async () => {
    const document = await written();
    for (const wanted of [3, 5]) {
      const row = (await db.read(ana, document))[wanted - 1];
      if (!row) throw new Error("the document is too short");
      const tombstone = redact(row.update, Date.parse(row.clientTime), schemaNames);
      if (row.update) await db.sql`select attest_tombstone(${row.id}, ${toBase64(tombstone)})`;
      granted(
        await db.append(ana, document, null, [
          {
            type: "document.redacted",
            body: { event: row.id, reason: "Leaked" },
            update: tombstone,
          },
        ]),
      );
    }
    expect(await checked(document)).toMatchObject({
      verdict: "intact",
      redacted: [3, 5],
      head: { version: 7 },
    });
    const { bytes } = await makeBundle({
      rows: await db.read(ana, document),
      people: new Map([[ana.id, { userId: ana.id, name: "Ana", color: 1 }]]),
      seen: null,
      title: "",
      by: { userId: ana.id, name: "Ana", color: 1 },
      at: "2026-11-21T16:00:00.000Z",
      template: '<script type="application/json" id="content">"palimpsest content"</script>',
      files: new Map(),
      breathe: async () => undefined,
    });
    const { bundle, redacted, rejected } = await checkBundle(bytes, () => undefined);
    expect({ redacted, rejected }).toEqual({ redacted: [3, 5], rejected: 0 });
    expect(bundle.texts.markdown).toBe("# Untitled\n\nFirst\n\n\n\nThird\n");
    expect(JSON.stringify(bundle.rows)).not.toContain("Xylophone");
  });

  it("[VERIFY-2] names the event whose payload the database's owner changed", async () => {
    const document = await written();
    await asOwner(
      `update event_payloads set body = '{"title":"Another"}' where event_id = (select id from
        events where stream_id = '${document}' and version = 5)`,
    );
    expect(await checked(document)).toEqual({
      verdict: "damaged",
      version: 5,
      fault: "content-differs",
    });
  });

  it("[VERIFY-4] [VERIFY-5] shows a cut or rewritten history to a reader who has seen it", async () => {
    const document = await written();
    const seen = await rememberedHeads(document);
    const cut = `delete from event_payloads where event_id in (select id from events where stream_id
      = '${document}' and version > 3);
      delete from events where stream_id = '${document}' and version > 3`;
    await asOwner(cut);
    expect(await checked(document)).toMatchObject({ verdict: "intact" });
    expect(await checked(document, seen)).toMatchObject({
      verdict: "shortened",
      version: 4,
      seen: { version: 5 },
    });
    await asOwner(`
      update event_payloads p set salt = uuid_send('${randomUUID()}') from events e where e.id =
      p.event_id and e.stream_id = '${document}' and e.version = 3;
      update events e set payload_hash = private.payload_hash(p.salt, p.body, p.update) from
      event_payloads p where p.event_id = e.id and e.stream_id = '${document}' and e.version = 3;
      update events e set hash = private.event_hash((select b.hash from events b where b.stream_id =
        e.stream_id and b.version = 2), e) where e.stream_id = '${document}' and e.version = 3`);
    expect(await checked(document)).toMatchObject({ verdict: "intact", head: { version: 3 } });
    expect(await checked(document, seen)).toMatchObject({
      verdict: "rewritten",
      version: 3,
      agreed: 2,
    });
  });
});
