import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "@/events/core/bytes/base64";
import { redact } from "@/events/crdt/payload/redaction";
import { markDocuments } from "@/supabase/local/backup/load";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { asService, edit, indexDocument, searched } from "@/tests/support/database/search-index";
import type { Asked } from "@/tests/support/database/search-index";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
});
afterAll(() => db.stop());

const found = async (within: string, user: User | null, words: string, asked?: Asked) =>
  (await searched(db, user, within, words, asked))?.results.map(({ document }) => document) ?? null;

describe("the index", () => {
  const rows = () =>
    db.sql`select place, nth, kind, class, from_version, to_version, from_time, to_time, stood_version, stood_edit,
      author_id, authors, ended_by, named_at, text, words, stream_id
    from private.search_entries order by stream_id, place, nth`;

  it("[SEARCH-7] has the same rows after a rebuild, and none twice", async () => {
    const document = await newDocument(db, ana, workspace);
    for (const [user, at, erase, words] of [
      [ana, 0, 0, "The osprey came back in May. "],
      [ben, 4, 6, "eagle"],
      [ana, 0, 4, "An old "],
      [ben, 10, 8, "owl and a jay"],
    ] as const) {
      await edit(db, user, document, (text) => {
        text.delete(at, Math.min(erase, text.length - at));
        text.insert(at, words);
      });
      await indexDocument(db, ana, document);
    }
    const kept = await rows();
    expect(await indexDocument(db, ana, document)).toBe(0);
    const documents = await db.sql`select distinct stream_id from private.search_entries`;
    await asService(db, async (sql) => sql`select rebuild_index()`);
    expect(await rows()).toEqual([]);
    for (const { stream_id: each } of documents) await indexDocument(db, ana, String(each));
    expect(await rows()).toEqual(kept);
  });

  it("[SEARCH-8] loses redacted words in the same transaction, and accepts none from before", async () => {
    const document = await newDocument(db, ana, workspace);
    await edit(db, ana, document, (text) => text.insert(0, "Before. "));
    const event = await edit(db, ben, document, (text) => text.insert(8, "xyzzy password "));
    await indexDocument(db, ana, document);
    expect(await found(workspace, ana, "xyzzy")).toEqual([document]);
    const row = (await db.read(ana, document)).find(({ id }) => id === event);
    const update = redact(row?.update ?? null, Date.parse(row?.clientTime ?? ""), new Set());
    await db.sql`select attest_tombstone(${event}, ${toBase64(update)})`;
    granted(
      await db.append(ana, document, null, [
        { type: "document.redacted", body: { event, reason: "" }, update },
      ]),
    );
    expect(
      await db.sql`select 1 from private.search_entries where stream_id = ${document}`,
    ).toEqual([]);
    const entry = { gone: [], entries: [] };
    await expect(
      asService(
        db,
        async (sql) =>
          sql`select write_index(${document}, 3, ${JSON.stringify(entry.gone)}::text::jsonb,
            ${JSON.stringify(entry.entries)}::text::jsonb, true)`,
      ),
    ).rejects.toThrow("version-conflict");
    await indexDocument(db, ana, document);
    expect(await found(workspace, ana, "xyzzy", { scope: "ever" })).toEqual([]);
    expect(await found(workspace, ana, "before")).toEqual([document]);
  });

  it("[SEARCH-9] lists the documents that are behind until they are settled, in any order", async () => {
    const other = await newWorkspace(db, ana);
    const document = await newDocument(db, ana, other);
    const behind = async () => {
      const [row] = await asService(db, async (sql) => sql`select read_unindexed(64) as behind`);
      const all: { workspace: string; position: number; documents: string[] }[] = row?.["behind"];
      return all.find((each) => each.workspace === other) ?? null;
    };
    const settle = async (position: number) =>
      asService(db, async (sql) => sql`select settle_index(${other}, ${position})`);
    const first = await behind();
    expect(first?.documents).toEqual([document]);
    expect((await behind())?.documents).toEqual([document]);
    await indexDocument(db, ana, document);
    expect((await behind())?.documents).toEqual([]);
    await settle(first?.position ?? 0);
    expect(await behind()).toBeNull();
    await edit(db, ana, document, (text) => text.insert(0, "More"));
    expect((await behind())?.documents).toEqual([document]);
  });

  it("[SEARCH-9] is rebuilt behind a restored backup, which has none", async () => {
    const other = await newWorkspace(db, ana);
    const document = await newDocument(db, ana, other);
    await indexDocument(db, ana, document);
    await asService(db, async (sql) => sql`select settle_index(${other}, 1000)`);
    await db.sql`delete from private.search_states where stream_id = ${document}`;
    await markDocuments(db.sql);
    const [row] = await asService(db, async (sql) => sql`select read_unindexed(64) as behind`);
    expect(JSON.stringify(row?.["behind"])).toContain(document);
  });
});

describe("a person without access", () => {
  it("[SEARCH-10] [GRADE-1] finds nothing that they may not see, in any way", async () => {
    const own = await newWorkspace(db, ana);
    const [viewer, removed] = [db.newUser("Carol"), db.newUser("Dora")];
    await join(db, ana, own, viewer, "viewer");
    await join(db, ana, own, removed, "editor");
    granted(
      await db.append(ana, own, null, [
        { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
      ]),
    );
    const document = await newDocument(db, ana, own);
    await edit(db, ana, document, (text) => text.insert(0, "The bittern was named. "));
    const named = Number(
      (await db.sql`select version from documents where id = ${document}`)[0]?.["version"],
    );
    granted(
      await db.append(ana, document, null, [
        {
          type: "version.named",
          subject: { kind: "version", id: randomUUID() },
          body: { at: named, name: "First" },
        },
      ]),
    );
    await edit(db, ana, document, (text) => text.insert(text.length, "The dunnock was secret. "));
    await edit(db, ana, document, (text) => text.delete(0, text.length));
    await edit(db, ana, document, (text) => text.insert(0, "Only the wren stands."));
    await indexDocument(db, ana, document);

    const open = { bittern: [document], dunnock: [document], wren: [document] };
    const ofAll = async (user: User | null, asked: Asked = { scope: "ever" }) => {
      const seen: Record<string, unknown> = {};
      for (const word of Object.keys(open))
        seen[word] = await found(own, user, word, asked).catch(() => "refused");
      return seen;
    };
    expect(await ofAll(ana)).toEqual(open);
    expect(await ofAll(viewer)).toEqual(open);
    expect(await ofAll(removed)).toEqual({ bittern: null, dunnock: null, wren: null });
    expect(await ofAll(ben)).toEqual({ bittern: null, dunnock: null, wren: null });
    expect(await ofAll(null)).toEqual({
      bittern: "refused",
      dunnock: "refused",
      wren: "refused",
    });
    // Members of another workspace find no text of this workspace in theirs.
    expect(await found(workspace, ben, "wren")).toEqual([]);

    granted(
      await db.append(ana, own, null, [
        { type: "workspace.history_graded", body: { viewer: "versions", commenter: "versions" } },
      ]),
    );
    expect(await ofAll(viewer)).toEqual({ ...open, dunnock: [] });
    expect(await ofAll(viewer, { scope: "now" })).toEqual({ ...open, bittern: [], dunnock: [] });
    const [now] = await db.sql`select clock_timestamp()::text as at`;
    const at = String(now?.["at"]);
    expect(await ofAll(viewer, { at })).toEqual({ ...open, dunnock: [], wren: [] });
    const answer = await searched(db, viewer, own, "bittern", { scope: "ever" });
    expect(answer?.results).toEqual([
      {
        document,
        kind: "text",
        text: "The bittern was named. ",
        stands: false,
        thread: null,
        named: "First",
        stoodAt: named,
      },
    ]);
    expect(JSON.stringify(await searched(db, viewer, own, "wren"))).not.toContain(ana.id);
    expect(await found(own, viewer, "wren", { author: ana.id })).toEqual([]);
    expect(await found(own, viewer, "wren", { since: "2020-01-01" })).toEqual([]);
    // Indexed text that is no longer in the document belongs to the past.
    await edit(db, ana, document, (text) => text.delete(0, text.length));
    expect(await found(own, viewer, "wren")).toEqual([]);
  });
});
