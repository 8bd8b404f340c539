import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneEmoji } from "@/events/core/text/emoji";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let people: Record<string, User | null>;
let ana: User;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  const [editor, commenter, viewer, removed] = ["Ben", "Carol", "Dora", "Erin"].map((name) =>
    db.newUser(name),
  ) as [User, User, User, User];
  await join(db, ana, workspace, editor, "editor");
  await join(db, ana, workspace, commenter, "commenter");
  await join(db, ana, workspace, viewer, "viewer");
  await join(db, ana, workspace, removed, "editor");
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", subject: { kind: "member", id: removed.id }, body: {} },
    ]),
  );
  people = {
    owner: ana,
    editor,
    commenter,
    viewer,
    "removed member": removed,
    stranger: db.newUser("Mallory"),
    "nobody signed in": null,
  };
});
afterAll(() => db.stop());

const set = (emoji: unknown) => ({ type: "document.icon_set", body: { emoji } as never });

async function rowOf(document: string) {
  const [row] =
    await db.sql`select icon, title, version::int, updated_by, edits::int from documents where id = ${document}`;
  return row;
}

describe("the icon of a document", () => {
  it("[ICON-1] is set and removed by writers alone", async () => {
    const document = await newDocument(db, ana, workspace);
    const said: Record<string, unknown> = {};
    const ask = (user: User | null, emoji: string | null) =>
      db.append(user, document, null, [set(emoji)]).then(verdict, () => "unreachable");
    for (const [who, user] of Object.entries(people))
      said[who] = [await ask(user, "🌊"), (await rowOf(document))?.icon, await ask(user, null)];
    const none = ["not-permitted", null, "not-permitted"];
    expect(said).toEqual({
      owner: ["ok", "🌊", "ok"],
      editor: ["ok", "🌊", "ok"],
      commenter: none,
      viewer: none,
      "removed member": none,
      stranger: none,
      "nobody signed in": ["unreachable", null, "unreachable"],
    });
  });

  it("[ICON-1] is read by members alone", async () => {
    const document = await newDocument(db, ana, workspace);
    granted(await db.append(ana, document, null, [set("🗺️")]));
    const read: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people))
      read[who] = await db
        .as(user, (t) => t`select icon from public.documents where id = ${document}`)
        .then(
          (rows) => rows[0]?.["icon"] ?? null,
          () => "refused",
        );
    expect(read).toEqual({
      owner: "🗺️",
      editor: "🗺️",
      commenter: "🗺️",
      viewer: "🗺️",
      "removed member": null,
      stranger: null,
      "nobody signed in": "refused",
    });
  });

  it(
    "[ICON-1] [LOG-62] is a column of the read model that a rebuild reproduces, and counts as " +
      "a change",
    async () => {
      const document = await newDocument(db, ana, workspace);
      const { editor } = people;
      granted(
        await db.append(editor ?? null, document, null, [
          set("🌊"),
          { type: "document.renamed", body: { title: "Tides" } },
        ]),
      );
      const after = { icon: "🌊", title: "Tides", version: 3, updated_by: editor?.id, edits: 0 };
      expect(await rowOf(document)).toEqual(after);
      await db.sql`select rebuild_projections()`;
      expect(await rowOf(document)).toEqual(after);
      granted(await db.append(ana, document, null, [set(null)]));
      expect(await rowOf(document)).toEqual({
        ...after,
        icon: null,
        version: 4,
        updated_by: ana.id,
      });
    },
  );

  it("[ICON-1] is not set on a document in the trash", async () => {
    const document = await newDocument(db, ana, workspace);
    granted(await db.append(ana, document, null, [{ type: "document.trashed", body: {} }]));
    expect(verdict(await db.append(ana, document, null, [set("🌊")]))).toBe("illegal-transition");
  });

  it("[ICON-6] holds no words, so it cannot be redacted", async () => {
    const document = await newDocument(db, ana, workspace);
    const id = randomUUID();
    granted(await db.append(ana, document, null, [{ ...set("🌊"), id }]));
    const redaction = {
      type: "document.redacted",
      body: { event: id, reason: "" },
      update: Uint8Array.of(0, 0, 4),
    };
    expect(await db.append(ana, document, null, [redaction])).toMatchObject({
      ok: false,
      refusal: { name: "invalid-event", reason: "nothing-to-redact" },
    });
    expect((await rowOf(document))?.icon).toBe("🌊");
  });

  it("[ICON-2] is refused by name and reason unless it is one emoji", async () => {
    const document = await newDocument(db, ana, workspace);
    const wrong = ["", "a", "🌊🌊", "🌊\u202e", "🌊\u0007", "\u200d", "🇭", 5, ["🌊"], undefined];
    for (const emoji of [...wrong, "👩‍".repeat(9)])
      expect(await db.append(ana, document, null, [set(emoji)])).toMatchObject({
        ok: false,
        refusal: { name: "invalid-event", reason: "body-malformed" },
      });
    expect((await rowOf(document))?.icon).toBeNull();
  });
});

describe("one emoji", () => {
  /** Texts with a character in each position of the emoji rule. */
  const places = [
    (sign: string) => sign,
    (sign: string) => `${sign}\ufe0f`,
    (sign: string) => `${sign}🏽`,
    (sign: string) => `❤${sign}`,
    (sign: string) => `👩\u200d${sign}`,
    (sign: string) => `👩${sign}👩`,
    (sign: string) => `${sign}\ufe0f\u20e3`,
    (sign: string) => `🇭${sign}`,
    (sign: string) => `🏴${sign}${sign}${sign}\u{e007f}`,
    (sign: string) => `🏴󠁧󠁢󠁥${sign}`,
  ];

  /** Whether a code point is in a range that emoji use. Alone, every code point is tried. */
  const near = (code: number) =>
    code < 0x3400 ||
    (code >= 0xfe00 && code < 0x10000) ||
    (code >= 0x1f000 && code < 0x20000) ||
    (code >= 0xe0000 && code < 0xe0200);
  const codes = Array.from({ length: 0x10ffff }, (_, index) => index + 1).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );

  it("[ICON-2] is the same in SQL and in TypeScript for every code point in every place", async () => {
    for (const place of places) {
      const tried = place("|") === "|" ? codes : codes.filter(near);
      const [before = "", behind = ""] = place("|").split(/\|+/);
      const times = place("|").split("|").length - 1;
      const [row] = await db.sql`
        select array_agg(code order by code) as taken from unnest(${tried}::int[]) as code
        where private.is_emoji(${before} || repeat(chr(code), ${times}) || ${behind})`;
      const taken = tried.filter((code) => oneEmoji.test(place(String.fromCodePoint(code))));
      expect({ place: place("…"), taken: row?.taken ?? [] }).toEqual({ place: place("…"), taken });
    }
  });

  it("[ICON-2] is the same in both for every combination of its parts", async () => {
    const parts = ["🌊", "❤", "\ufe0f", "🏽", "\u200d", "🇭", "1", "\u20e3", "🏴", "\u{e0067}"];
    const ends = ["\u{e007f}", "a"];
    const texts: string[] = [""];
    for (let from = 0, length = 0; length < 4; length += 1) {
      const to = texts.length;
      for (; from < to; from += 1)
        for (const part of [...parts, ...ends]) texts.push(`${texts[from] ?? ""}${part}`);
    }
    const joined = Array.from({ length: 8 }, (_, more) => `👩🏽${"\u200d❤\ufe0f".repeat(more)}`);
    const tagged = Array.from({ length: 9 }, (_, tags) => `🏴${"\u{e0067}".repeat(tags)}\u{e007f}`);
    const all = [...texts, ...joined, ...tagged];
    const rows = await db.sql<{ text: string }[]>`
      select text from unnest(${all}::text[]) as text where private.is_emoji(text)`;
    const taken = all.filter((text) => oneEmoji.test(text));
    expect(rows.map(({ text }) => text).sort()).toEqual([...taken].sort());
    expect(taken.length).toBeGreaterThan(10);
    expect(all.length).toBeGreaterThan(20_000);
  });
});
