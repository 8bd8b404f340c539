import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { schemaVersion } from "@/events/content/schema";
import { microseconds, verifyChain } from "@/events/log/hash";
import { answered, testDatabase, verdict } from "@/tests/support/database/database";
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
  workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  await join(db, ana, workspace, carol, "viewer");
});
beforeEach(async () => {
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

const rename = (title = "New") => ({ type: "document.renamed", body: { title } });
const edit = (clientIds: number[] = []) => ({
  type: "document.edited",
  body: {},
  update: Uint8Array.of(0, 0),
  clientIds,
});
const raw = (user: User | null, stream: string, expected: number | null, events: unknown) =>
  answered(
    db.as(
      user,
      (t) =>
        t`select append_events(${stream}, ${expected}, ${JSON.stringify(events)}::text::jsonb) as answer`,
    ),
  );

describe("an append", () => {
  it("[LOG-1] numbers a batch without gaps, or records none of it", async () => {
    const answer = granted(await db.append(ana, document, 1, [rename("a"), edit(), rename("b")]));
    expect(answer.rulings.map(({ version }) => version)).toEqual([2, 3, 4]);
    expect(
      verdict(
        await db.append(ana, document, 4, [rename("c"), { type: "document.restored", body: {} }]),
      ),
    ).toBe("illegal-transition");
    expect((await db.read(ana, document)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it("[LOG-76] refuses a token of another account than the events name", async () => {
    const events = [{ id: randomUUID(), type: "document.renamed", body: '{"title":"Mine"}' }];
    const append = (as: User, actor: string | null) =>
      answered(
        db.as(
          as,
          (t) =>
            t`select append_events(${document}, null, ${JSON.stringify(events)}::text::jsonb, ${actor}) as answer`,
        ),
      );
    const other = {
      ok: false,
      refusal: {
        name: "not-permitted",
        reason: "other-account",
        detail: "the token belongs to another account than the events",
      },
    };
    expect(await append(ben, ana.id)).toEqual(other);
    expect(await append(mallory, ana.id)).toEqual(other);
    expect(await db.read(ana, document)).toHaveLength(1);
    expect(verdict(await append(ana, ana.id))).toBe("ok");
    expect(verdict(await append(ana, null))).toBe("ok");
    // Ben cannot have Ana's event acknowledged as his own either.
    expect(await append(ben, ana.id)).toEqual(other);
    expect(await db.read(ana, document)).toHaveLength(2);
  });

  it("[LOG-2] begins a stream with its creating event alone", async () => {
    const stream = randomUUID();
    expect(verdict(await db.append(ana, stream, 0, [rename()]))).toBe("not-permitted");
    expect(verdict(await db.append(ana, ana.id, 0, [{ type: "auth.signed_in", body: {} }]))).toBe(
      "not-permitted",
    );
    expect(
      verdict(
        await db.append(ana, stream, 3, [{ type: "workspace.created", body: { name: "W" } }]),
      ),
    ).toBe("version-conflict");
    expect(
      verdict(
        await db.append(ana, stream, 0, [{ type: "workspace.created", body: { name: "W" } }]),
      ),
    ).toBe("ok");
    expect(
      verdict(
        await db.append(ana, stream, 1, [{ type: "workspace.created", body: { name: "W" } }]),
      ),
    ).toBe("illegal-transition");
  });

  it("[LOG-2] refuses to begin the account of another person", async () => {
    expect(
      verdict(await db.append(mallory, carol.id, 0, [{ type: "account.created", body: {} }])),
    ).toBe("not-permitted");
    expect(
      verdict(await db.append(carol, carol.id, 0, [{ type: "account.created", body: {} }])),
    ).toBe("ok");
    expect(
      verdict(await db.append(mallory, carol.id, null, [{ type: "auth.signed_in", body: {} }])),
    ).toBe("not-permitted");
  });

  it("[LOG-2] refuses the id of another account for a workspace or document", async () => {
    const dora = db.newUser("Dora");
    await db.sql`insert into auth.users (id, email) values (${dora.id}, ${dora.email})`;
    expect(
      verdict(
        await db.append(ana, dora.id, 0, [{ type: "workspace.created", body: { name: "W" } }]),
      ),
    ).toBe("not-permitted");
    expect(
      verdict(
        await db.append(ana, dora.id, 0, [
          { type: "document.created", body: { workspaceId: workspace, title: "D" } },
        ]),
      ),
    ).toBe("not-permitted");
    expect(
      verdict(
        await db.append(dora, dora.id, 0, [{ type: "workspace.created", body: { name: "W" } }]),
      ),
    ).toBe("not-permitted");
    expect(
      verdict(await db.append(dora, dora.id, 0, [{ type: "account.created", body: {} }])),
    ).toBe("ok");
  });

  it("[LOG-3] refuses a stale version, and checks none unless given", async () => {
    expect(await db.append(ana, document, 0, [rename()])).toMatchObject({
      refusal: { name: "version-conflict", detail: "the stream is at version 1" },
    });
    expect(verdict(await db.append(ana, document, null, [rename()]))).toBe("ok");
  });

  it("[LOG-5] reads only the proposal's fields from its caller", async () => {
    const forged = {
      actor_id: ben.id,
      actorId: ben.id,
      version: 77,
      position: 77,
      hash: "ab",
      payload_hash: "cd",
      recordedAt: "2001-01-01T00:00:00Z",
      from_phase: "trashed",
      to_phase: "trashed",
    };
    granted(
      await raw(ana, document, 1, [
        { id: randomUUID(), ...rename(), body: '{"title":"x"}', ...forged },
      ]),
    );
    const row = (await db.read(ana, document)).at(-1);
    expect(row).toMatchObject({ actorId: ana.id, version: 2, fromPhase: "live", toPhase: "live" });
    expect(row?.recordedAt.startsWith("2001")).toBe(false);
  });

  it("[LOG-6] records rising times, and clamps the client clock between the last one and now", async () => {
    const times = [
      "2001-01-01T00:00:00Z",
      "2999-01-01T00:00:00Z",
      "2000-01-01T00:00:00.5+02:00",
      undefined,
    ];
    for (const clientTime of times)
      granted(
        await db.append(ana, document, null, [{ ...rename(), ...(clientTime && { clientTime }) }]),
      );
    const rows = await db.read(ana, document);
    for (const [index, row] of rows.entries()) {
      expect(microseconds(row.clientTime)).toBeLessThanOrEqual(microseconds(row.recordedAt));
      const before = rows[index - 1];
      if (!before) continue;
      expect(microseconds(row.recordedAt)).toBeGreaterThan(microseconds(before.recordedAt));
      expect(microseconds(row.clientTime)).toBeGreaterThanOrEqual(microseconds(before.clientTime));
    }
    for (const clientTime of ["infinity", "now", "2026-13-01T00:00:00Z", "x"])
      expect(verdict(await db.append(ana, document, null, [{ ...rename(), clientTime }]))).toBe(
        "invalid-event",
      );
  });

  it("[LOG-6] raises a client clock before 1970 to 1970, so that the hash verifies", async () => {
    for (const clientTime of [
      "0001-01-01T00:00:00+14:00",
      "0001-01-01T00:00:00Z",
      "1969-12-31T23:59:59Z",
    ]) {
      const begun = randomUUID();
      granted(
        await db.append(ana, begun, 0, [
          {
            type: "document.created",
            body: { workspaceId: workspace, title: "Old" },
            clientTime,
          },
        ]),
      );
      const rows = await db.read(ana, begun);
      expect([rows[0]?.clientTime, (await verifyChain(rows)).ok]).toEqual([
        "1970-01-01T00:00:00.000000Z",
        true,
      ]);
    }
  });

  it("[LOG-7] enforces its limits", async () => {
    const rows = (count: number) => Array.from({ length: count }, () => rename());
    expect(verdict(await db.append(ana, document, null, rows(200)))).toBe("ok");
    expect(verdict(await db.append(ana, document, null, rows(201)))).toBe("too-large");
    const sized = (length: number) => [{ ...edit(), update: new Uint8Array(length) }];
    expect(verdict(await db.append(ana, document, null, sized(524_288)))).toBe("ok");
    expect(verdict(await db.append(ana, document, null, sized(524_289)))).toBe("too-large");
    expect(verdict(await db.append(ana, document, null, sized(600_000)))).toBe("too-large");
    expect(
      verdict(
        await raw(ana, document, null, [
          { id: randomUUID(), ...rename(), body: `{"title":"${"x".repeat(70_000)}"}` },
        ]),
      ),
    ).toBe("too-large");
  });

  it("[EDIT-5] accepts the text schemas in its table alone, which match this release", async () => {
    const of = async (schema: number) =>
      verdict(await db.append(ana, document, null, [{ ...edit(), schema }]));
    for (const schema of [schemaVersion + 1, 99]) expect(await of(schema)).toBe("invalid-event");
    expect(await of(schemaVersion)).toBe("ok");
    const known = await db.sql`select version from private.text_schemas order by version`;
    expect(known.map(({ version }) => Number(version))).toEqual(
      Array.from({ length: schemaVersion }, (_, index) => index + 1),
    );
    await db.sql`insert into private.text_schemas (version) values (${schemaVersion + 1})`;
    expect(await of(schemaVersion + 1)).toBe("ok");
    await db.sql`delete from private.text_schemas where version > ${schemaVersion}`;
  });

  it("[LOG-8] gives a workspace and its documents one order", async () => {
    const other = await newDocument(db, ana, workspace);
    for (const stream of [document, other, document])
      granted(await db.append(ben, stream, null, [rename()]));
    const [feed] = await db.as(ben, (t) => t`select read_feed(${workspace}, 0, 1000) as rows`);
    const positions = (feed?.rows as { position: number }[]).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
    expect(positions.length).toBeGreaterThan(5);
  });

  it("[LOG-10] keeps the body byte for byte", async () => {
    const body = ' { "title" :\t"\\u0041\\/é𝄞" } ';
    granted(await raw(ana, document, null, [{ id: randomUUID(), type: "document.renamed", body }]));
    const row = (await db.read(ana, document)).at(-1);
    expect(row?.bodyText).toBe(body);
    expect(row?.body).toEqual({ title: "A/é𝄞" });
  });

  it("[LOG-11] answers a forbidden stream like a missing one", async () => {
    const attempts = [
      [rename()],
      [edit()],
      [{ type: "document.created", body: { workspaceId: workspace, title: "x" } }],
    ];
    for (const user of [mallory, null])
      for (const events of attempts)
        for (const expected of [null, 0, 1, 99]) {
          const answers = [
            await answerOf(user, document, expected, events),
            await answerOf(user, randomUUID(), expected, events),
          ];
          expect(answers[0]).toEqual(answers[1]);
          expect(answers[0]).toMatch(/not-permitted|permission denied/);
        }
    for (const stream of [document, randomUUID()]) {
      expect(await db.read(mallory, stream)).toEqual([]);
      expect(
        await db.as(
          mallory,
          (t) =>
            t`select stream_topic(${stream}), read_clients(${stream}), read_snapshot(${stream})`,
        ),
      ).toEqual([{ stream_topic: null, read_clients: [], read_snapshot: null }]);
    }
  });

  it("[LOG-16] binds a client id to its first user permanently", async () => {
    granted(await db.append(ana, document, null, [edit([7, 8])]));
    granted(await db.append(ana, document, null, [edit([8, 9])]));
    expect(verdict(await db.append(ben, document, null, [edit([10, 9])]))).toBe("not-permitted");
    granted(await db.append(ben, document, null, [edit([10])]));
    expect((await db.read(ana, document)).map(({ clientIds }) => clientIds)).toEqual([
      [],
      [7, 8],
      [9],
      [10],
    ]);
    const other = await newDocument(db, ana, workspace);
    granted(await db.append(ben, other, null, [edit([7])]));
    const [bound] = await db.as(carol, (t) => t`select read_clients(${document}) as clients`);
    expect(bound?.clients).toEqual([
      { clientId: 7, actorId: ana.id, version: 2 },
      { clientId: 8, actorId: ana.id, version: 2 },
      { clientId: 9, actorId: ana.id, version: 3 },
      { clientId: 10, actorId: ben.id, version: 4 },
    ]);
  });

  it("[LOG-31] accepts a list that a driver encoded twice", async () => {
    const events = JSON.stringify([
      { id: randomUUID(), type: "document.renamed", body: '{"title":"twice"}' },
    ]);
    expect(verdict(await raw(ana, document, null, events))).toBe("ok");
    for (const nothing of ["x", "[]", [], {}, null, 5, [5], ["x"]])
      expect(verdict(await raw(ana, document, null, nothing))).toBe("invalid-event");
  });
});

async function answerOf(
  user: User | null,
  stream: string,
  expected: number | null,
  events: Parameters<TestDatabase["append"]>[3],
) {
  try {
    return JSON.stringify(await db.append(user, stream, expected, events));
  } catch (error) {
    return String(error);
  }
}

describe("a resent event", () => {
  it("[LOG-4] receives its original ruling, whatever version is expected", async () => {
    const events = [
      { id: randomUUID(), ...rename("once") },
      { id: randomUUID(), ...edit([3]) },
    ];
    const first = granted(await db.append(ana, document, 1, events));
    granted(await db.append(ben, document, 3, [rename("meanwhile")]));
    for (const expected of [1, 0, null, 77])
      expect(await db.append(ana, document, expected, events)).toEqual(first);
    expect(await db.read(ana, document)).toHaveLength(4);
  });

  it("[LOG-4] may share a batch with new events", async () => {
    const again = { id: randomUUID(), ...rename("once") };
    const [first] = granted(await db.append(ana, document, 1, [again])).rulings;
    expect(verdict(await db.append(ana, document, 1, [again, rename("more")]))).toBe(
      "version-conflict",
    );
    expect(
      granted(await db.append(ana, document, 2, [again, rename("more")])).rulings,
    ).toMatchObject([{ ...first }, { version: 3 }]);
  });

  it("[LOG-4] is refused if it differs", async () => {
    const id = randomUUID();
    granted(await db.append(ana, document, 1, [{ id, ...rename("once") }]));
    const other = await newDocument(db, ana, workspace);
    expect(verdict(await db.append(ana, document, null, [{ id, ...rename("changed") }]))).toBe(
      "invalid-event",
    );
    expect(
      verdict(await db.append(ana, document, null, [{ id, type: "document.trashed", body: {} }])),
    ).toBe("invalid-event");
    expect(verdict(await db.append(ben, document, null, [{ id, ...rename("once") }]))).toBe(
      "invalid-event",
    );
    expect(verdict(await db.append(ana, other, null, [{ id, ...rename("once") }]))).toBe(
      "invalid-event",
    );
    expect(verdict(await db.append(mallory, document, null, [{ id, ...rename("once") }]))).toBe(
      "not-permitted",
    );
    expect(
      verdict(
        await db.append(ana, document, null, [
          { id: id, ...rename() },
          { id, ...rename() },
        ]),
      ),
    ).toBe("invalid-event");
  });

  it("[LOG-4] is refused once the right is gone", async () => {
    const dora = db.newUser("Dora");
    await join(db, ana, workspace, dora, "editor");
    const event = { id: randomUUID(), ...rename("mine") };
    granted(await db.append(dora, document, null, [event]));
    const subject = { kind: "member", id: dora.id };
    granted(
      await db.append(ana, workspace, null, [
        { type: "member.role_changed", subject, body: { role: "viewer" } },
      ]),
    );
    expect(verdict(await db.append(dora, document, null, [event]))).toBe("invalid-event");
    granted(await db.append(ana, workspace, null, [{ type: "member.removed", subject, body: {} }]));
    expect(verdict(await db.append(dora, document, null, [event]))).toBe("not-permitted");
  });

  it("[LOG-4] receives its ruling even if it gave up the right", async () => {
    const dora = db.newUser("Dora");
    await join(db, ana, workspace, dora, "editor");
    const left = [
      { id: randomUUID(), type: "member.left", subject: { kind: "member", id: dora.id }, body: {} },
    ];
    const first = granted(await db.append(dora, workspace, null, left));
    expect(await db.append(dora, workspace, null, left)).toEqual(first);
    expect(await db.read(dora, workspace)).toEqual([]);
  });
});

describe("reading", () => {
  it("[LOG-17] pages by version, and ends a page with the row that fills it", async () => {
    const big = () => ({ ...edit(), update: new Uint8Array(500_000) });
    for (let n = 0; n < 12; n++) granted(await db.append(ana, document, null, [big()]));
    expect(await db.read(ana, document)).toHaveLength(10);
    expect(await db.read(ana, document, 10)).toHaveLength(3);
    const [few] = await db.as(ana, (t) => t`select read_events(${document}, 2, 3) as rows`);
    expect((few?.rows as { version: number }[]).map(({ version }) => version)).toEqual([3, 4, 5]);
  });
});
