import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "@/events/core/limits";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let carol: User;
let mallory: User;
let workspace: string;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  [ana, ben, carol, mallory] = [
    db.newUser("Ana"),
    db.newUser("Ben"),
    db.newUser("Carol"),
    db.newUser("Mallory"),
  ];
});
beforeEach(async () => {
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  await join(db, ana, workspace, carol, "viewer");
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

const topicOf = async (user: User, stream: string) => {
  const [row] = await db.as(user, (t) => t`select stream_topic(${stream}) as topic`);
  return row?.topic as string | null;
};
const change = (user: User, type: string, body: { role?: string } = {}) =>
  db.append(type === "member.left" ? user : ana, workspace, null, [
    { type, subject: { kind: "member", id: user.id }, body },
  ]);

/**
 * Evaluates the policies as Realtime does when a person joins a private channel, with the probes of
 * Realtime's authorization.
 */
async function may(user: User, topic: string): Promise<string> {
  const granted: string[] = [];
  for (const extension of ["broadcast", "presence"]) {
    await db.sql`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`;
    const [read] = await db.as(user, async (t) => {
      await t`select set_config('realtime.topic', ${topic}, true)`;
      return t`select count(*)::int as rows from realtime.messages where topic = ${topic} and
        extension = ${extension} and event is null`;
    });
    if (Number(read?.rows) > 0) granted.push(`hear ${extension}`);
    await db.sql`delete from realtime.messages where topic = ${topic} and event is null`;
    const written = await db
      .as(user, async (t) => {
        await t`select set_config('realtime.topic', ${topic}, true)`;
        await t`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`;
      })
      .then(
        () => true,
        () => false,
      );
    if (written) granted.push(`send ${extension}`);
    await db.sql`delete from realtime.messages where topic = ${topic} and event is null`;
  }
  return granted.join(", ");
}

const everything = "hear broadcast, send broadcast, hear presence, send presence";
const presentOnly = "hear broadcast, hear presence, send presence";

describe("a channel", () => {
  it("[LOG-28] lets editors send in documents, and all members listen and be present", async () => {
    const topic = (await topicOf(ana, document)) ?? "";
    expect(topic).toBe(`document:${document}:0`);
    expect(await may(ana, topic)).toBe(everything);
    expect(await may(ben, topic)).toBe(everything);
    expect(await may(carol, topic)).toBe(presentOnly);
    expect(await may(mallory, topic)).toBe("");
  });

  it("[LOG-28] of a workspace or account has the database as its only sender", async () => {
    const topic = (await topicOf(carol, workspace)) ?? "";
    expect(await may(ana, topic)).toBe(presentOnly);
    expect(await may(carol, topic)).toBe(presentOnly);
    expect(await may(mallory, topic)).toBe("");
    const own = (await topicOf(ana, ana.id)) ?? "";
    expect(own).toBe(`account:${ana.id}:0`);
    expect(await may(ana, own)).toBe(presentOnly);
    expect(await may(ben, own)).toBe("");
  });

  it("[LOG-28] has exactly one name", async () => {
    const names = [
      `document:${document}:1`,
      `document:${document}`,
      `document:${document}:00`,
      ` document:${document}:0`,
      `document:${document}:0 `,
      `workspace:${document}:0`,
      `account:${document}:0`,
      `document:${document.toUpperCase()}:0`,
      `document:${document}:0:x`,
      "document:x:0",
      "anything",
      "",
    ];
    for (const name of names)
      expect({ name, may: await may(ana, name) }).toEqual({ name, may: "" });
  });

  it("[LOG-27] moves to a new epoch exactly when a person loses a right", async () => {
    const epoch = async () => Number((await topicOf(ana, document))?.split(":")[2]);
    await change(ben, "member.role_changed", { role: "owner" });
    granted(
      await db.append(ana, workspace, null, [{ type: "workspace.renamed", body: { name: "W" } }]),
    );
    expect(await epoch()).toBe(0);
    for (const [user, type, body] of [
      [ben, "member.role_changed", { role: "editor" }],
      [carol, "member.removed", {}],
      [ben, "member.left", {}],
    ] as const) {
      const before = await epoch();
      const answer = granted(await change(user, type, body));
      expect(await epoch()).toBe(answer.rulings[0]?.version);
      expect(await epoch()).toBeGreaterThan(before);
    }
    expect(await topicOf(ana, workspace)).toBe(`workspace:${workspace}:${await epoch()}`);
  });

  it("[LOG-27] excludes a person without the right, notifies the old topics and abandons them", async () => {
    const other = await newDocument(db, ana, workspace);
    const before = (await topicOf(carol, document)) ?? "";
    granted(await change(carol, "member.removed"));
    const [{ at } = { at: 0 }] = await db.sql<
      { at: number }[]
    >`select count(*)::int as at from realtime.messages`;
    granted(
      await db.append(ana, document, null, [
        { type: "document.renamed", body: { title: "secret" } },
      ]),
    );
    const messages = await db.sql<
      { topic: string; event: string }[]
    >`select topic, event from realtime.messages where topic like ${`%:0`} and event = 'moved' order by topic`;
    expect(messages.map(({ topic }) => topic)).toEqual(
      expect.arrayContaining([
        `document:${document}:0`,
        `document:${other}:0`,
        `workspace:${workspace}:0`,
      ]),
    );
    const later = await db.sql<
      { topic: string }[]
    >`select topic from (select topic, row_number() over (order by inserted_at) as n from
      realtime.messages) as m where n > ${at}`;
    expect(later.map(({ topic }) => topic)).not.toContain(before);
    expect(await topicOf(carol, document)).toBeNull();
    for (const topic of [before, await topicOf(ana, document)])
      expect(await may(carol, topic ?? "")).toBe("");
    expect(await may(ana, before)).toBe("");
  });
});

it("[LOG-27] notifies a workspace with all its documents of a lost right in 201 broadcasts", async () => {
  const large = await newWorkspace(db, ana);
  const written = await newDocument(db, ana, large);
  await join(db, ana, large, ben, "editor");
  await db.sql`
    insert into private.streams (id, kind, workspace_id, version, announced_at)
    select gen_random_uuid(), 'document', ${large}, 1, now() - interval '1 day'
    from generate_series(1, ${limits.workspace_documents - 1}::int)`;
  const moved = async () => {
    const rows = await db.sql<{ topic: string }[]>`
      select topic from realtime.messages where event = 'moved'`;
    return rows.map(({ topic }) => topic);
  };
  const before = new Set(await moved());
  granted(
    await db.append(ana, large, null, [
      { type: "member.removed", subject: { kind: "member", id: ben.id }, body: {} },
    ]),
  );
  const told = (await moved()).filter((topic) => !before.has(topic));
  expect(told).toHaveLength(201);
  expect(told).toEqual(expect.arrayContaining([`workspace:${large}:0`, `document:${written}:0`]));
});

describe("a broadcast of the database", () => {
  const sent = async (stream: string) => {
    const rows = await db.sql<
      { topic: string; payload: Record<string, unknown>; private: boolean }[]
    >`
      select topic, payload - 'id' as payload, private from realtime.messages where event = 'log'
        and payload ->> 'stream' = ${stream} order by inserted_at, topic`;
    return rows.map(({ topic, payload, private: isPrivate }) => ({
      topic: topic.split(":")[0],
      payload,
      isPrivate,
    }));
  };

  it("[LOG-26] names the stream, its version and the events, never their content", async () => {
    const [ruling] = granted(
      await db.append(ana, document, null, [
        { type: "document.renamed", body: { title: "secret" } },
      ]),
    ).rulings;
    const payload = { stream: document, version: 2, ids: [ruling?.id] };
    expect((await sent(document)).slice(2)).toEqual([
      { topic: "document", payload, isPrivate: true },
      { topic: "workspace", payload, isPrivate: true },
    ]);
  });

  it("[LOG-26] notifies the workspace of keystrokes at most once in five seconds", async () => {
    const type = "document.edited";
    const edit = () =>
      db.append(ana, document, null, [{ type, body: {}, update: Uint8Array.of(0, 0) }]);
    const heard = async () =>
      (await sent(document)).filter(({ topic }) => topic === "workspace").length;
    await db.sql`update private.streams set announced_at = now() - interval '1 minute' where id = ${document}`;
    const before = await heard();
    for (let n = 0; n < 5; n++) granted(await edit());
    expect(await heard()).toBe(before + 1);
    await db.sql`update private.streams set announced_at = now() - interval '6 seconds' where id = ${document}`;
    granted(await edit());
    expect(await heard()).toBe(before + 2);
    expect((await sent(document)).filter(({ topic }) => topic === "document").length).toBe(7);
  });

  it("[LOG-26] mentions no refused or repeated event", async () => {
    const before = (await sent(document)).length;
    const event = { id: crypto.randomUUID(), type: "document.renamed", body: { title: "x" } };
    expect(await db.append(carol, document, null, [event])).toMatchObject({ ok: false });
    granted(await db.append(ana, document, null, [event]));
    const once = (await sent(document)).length;
    expect(once).toBeGreaterThan(before);
    granted(await db.append(ana, document, null, [event]));
    expect((await sent(document)).length).toBe(once);
  });
});
