import { randomUUID } from "node:crypto";
import fc from "fast-check";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toWire } from "@/events/core/envelope";
import type { Ruled, Ruling } from "@/events/core/envelope";
import { verifyChain } from "@/events/log/hash";
import { parseRefusal } from "@/events/log/refusal";
import { law } from "@/machines/catalog";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

type Outcome = { id: string; outcome: string; ruling?: Ruling };

/** A separate connection that acts as one person for its whole lifetime. */
async function connect(user: User): Promise<Sql> {
  const sql = postgres(db.url, { max: 1, onnotice: () => undefined });
  await sql`select set_config('request.jwt.claims',
    ${JSON.stringify({ sub: user.id, role: "authenticated", email: user.email })}, false)`;
  await sql`set role authenticated`;
  return sql;
}

async function send(
  sql: Sql,
  stream: string,
  expected: number | null,
  event: { id: string; type: string; body: object },
): Promise<Outcome> {
  const update = event.type === "document.edited" ? { update: Uint8Array.of(0, 0) } : {};
  const events = JSON.stringify([
    toWire({ id: event.id, type: event.type, body: { ...event.body } as never, ...update }),
  ]);
  try {
    const [row] =
      await sql`select append_events(${stream}, ${expected}, ${events}::text::jsonb) as answer`;
    return { id: event.id, outcome: "ok", ruling: (row?.answer as Ruling[])[0] as Ruling };
  } catch (error) {
    const refusal = error instanceof Error && parseRefusal(error);
    if (!refusal) throw error;
    return { id: event.id, outcome: refusal.name };
  }
}

const bodies: Record<string, object> = {
  "document.renamed": { title: "T" },
  "document.edited": {},
  "document.trashed": {},
  "document.restored": {},
};
const types = Object.keys(bodies);

async function everything(stream: string): Promise<Ruled[]> {
  const rows: Ruled[] = [];
  for (;;) {
    const page = await db.read(ana, stream, rows.length);
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}

describe.each([8, 24])("%i connections on one stream", (connections) => {
  it("[LOG-29] leave it gap-free, unforked and lawful, with each retry answered as at first", async () => {
    const seed = connections * 1000 + 21;
    const random = fc.sample(fc.infiniteStream(fc.nat()), { seed, numRuns: 1 })[0];
    const nat = (below: number) => (random?.next().value ?? 0) % below;
    const stream = await newDocument(db, ana, workspace);
    const clients: Sql[] = [];
    for (let n = 0; n < connections; n++) {
      const user = db.newUser(`Ben${n}`);
      await join(db, ana, workspace, user, "editor");
      clients.push(await connect(user));
    }
    const outcomes: Outcome[] = [];
    let retries = 0;
    await Promise.all(
      clients.map(async (sql) => {
        let known = 1;
        for (let round = 0; round < 40; round++) {
          const event = { id: randomUUID(), type: types[nat(types.length)] ?? "", body: {} };
          event.body = bodies[event.type] ?? {};
          const expected = nat(3) === 0 ? null : known;
          const outcome = await send(sql, stream, expected, event);
          outcomes.push(outcome);
          if (outcome.ruling) known = outcome.ruling.version;
          else
            known = Number(
              (await sql`select max(version) as version from events where stream_id = ${stream}`)[0]
                ?.version,
            );
          if (outcome.ruling && nat(3) === 0) {
            retries += 1;
            expect((await send(sql, stream, expected, event)).ruling).toEqual(outcome.ruling);
          }
        }
      }),
    );
    const rows = await everything(stream);
    expect(rows.map(({ version }) => version)).toEqual(rows.map((_, index) => index + 1));
    expect(await verifyChain(rows)).toMatchObject({ ok: true });
    const rulings = new Map(
      outcomes.flatMap(({ ruling }) => (ruling ? [[ruling.id, ruling] as const] : [])),
    );
    expect(
      rows
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...rulings.keys()].sort());
    let phase = "absent";
    for (const row of rows) {
      expect(law.judge("document", phase, row.type)).toMatchObject({
        ok: true,
        toPhase: row.toPhase,
      });
      expect(row.fromPhase).toBe(phase);
      phase = row.toPhase;
      const ruling = rulings.get(row.id);
      if (ruling)
        expect(ruling).toEqual({
          id: row.id,
          version: row.version,
          hash: row.hash,
          recordedAt: row.recordedAt,
          toPhase: row.toPhase,
        });
    }
    const tally = Object.fromEntries(
      [...new Set(outcomes.map(({ outcome }) => outcome))].map((name) => [
        name,
        outcomes.filter(({ outcome }) => outcome === name).length,
      ]),
    );
    console.log(`seed ${seed}: ${JSON.stringify(tally)}, ${retries} retries`);
    expect(Object.keys(tally).sort()).toEqual(["illegal-transition", "ok", "version-conflict"]);
    expect(Math.min(...Object.values(tally), retries)).toBeGreaterThan(connections);
    await Promise.all(clients.map((sql) => sql.end()));
  });

  it("[LOG-29] create it once, and get one ruling for an event that all send at once", async () => {
    const clients = await Promise.all(Array.from({ length: connections }, () => connect(ana)));
    for (let round = 0; round < 10; round++) {
      const stream = randomUUID();
      const body = { workspaceId: workspace, title: "T" };
      const created = await Promise.all(
        clients.map((sql) =>
          send(sql, stream, 0, { id: randomUUID(), type: "document.created", body }),
        ),
      );
      expect(created.filter(({ outcome }) => outcome === "ok")).toHaveLength(1);
      expect(new Set(created.map(({ outcome }) => outcome))).toEqual(
        new Set(["ok", "version-conflict"]),
      );
      const event = { id: randomUUID(), type: "document.renamed", body: { title: "U" } };
      const answers = await Promise.all(clients.map((sql) => send(sql, stream, 1, event)));
      expect(new Set(answers.map(({ ruling }) => JSON.stringify(ruling))).size).toBe(1);
      expect(answers[0]?.ruling?.version).toBe(2);
    }
    await Promise.all(clients.map((sql) => sql.end()));
  });
});

describe("connections on many streams of a workspace", () => {
  it("[LOG-8] never show a reader a position before every earlier one", async () => {
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => newDocument(db, ana, workspace)),
    );
    const writers = await Promise.all(streams.map(() => connect(ana)));
    const reader = await connect(ana);
    const start = Number(
      (
        await reader`select max(position) as position from events where workspace_id = ${workspace}`
      )[0]?.position,
    );
    let last = start;
    let reads = 0;
    let writing = true;
    const writes = Promise.all(
      writers.map(async (sql, index) => {
        for (let n = 0; n < 60; n++)
          await send(sql, streams[index] ?? "", null, {
            id: randomUUID(),
            type: "document.edited",
            body: {},
          });
      }),
    ).finally(() => (writing = false));
    const follow = async () => {
      const [row] = await reader`select read_feed(${workspace}, ${last}, 1000) as rows`;
      for (const { position } of row?.rows as { position: number }[]) {
        expect(position).toBe(last + 1);
        last = position;
        reads += 1;
      }
    };
    while (writing) await follow();
    await writes;
    await follow();
    expect(reads).toBe(8 * 60);
    await Promise.all([...writers, reader].map((sql) => sql.end()));
  });

  it("[LOG-18] cannot remove the last owner in a race", async () => {
    for (let round = 0; round < 10; round++) {
      const shared = await newWorkspace(db, ana);
      const ben = db.newUser("Ben");
      await join(db, ana, shared, ben, "owner");
      const left = await Promise.all(
        [ana, ben].map((user) =>
          db.append(user, shared, null, [
            { type: "member.left", subject: { kind: "member", id: user.id }, body: {} },
          ]),
        ),
      );
      expect(left.filter(({ ok }) => ok)).toHaveLength(1);
      expect(left.find(({ ok }) => !ok)).toMatchObject({
        refusal: { name: "not-permitted", detail: /last owner/ },
      });
    }
  });

  it("[LOG-29] do not deadlock when members, names and documents change at once", async () => {
    const shared = await newWorkspace(db, ana);
    const people = Array.from({ length: 6 }, (_, n) => db.newUser(`Ben${n}`));
    for (const user of people) {
      granted(await db.append(user, user.id, 0, [{ type: "account.created", body: {} }]));
      await join(db, ana, shared, user, "editor");
    }
    const document = await newDocument(db, ana, shared);
    const outcomes = await Promise.all(
      people.flatMap((user, n) =>
        Array.from({ length: 8 }, async (_, round) => {
          const subject = { kind: "member", id: user.id };
          if (round % 4 === 0)
            return db.append(user, user.id, null, [
              { type: "account.profile_changed", body: { name: `B${n}${round}`, color: 1 } },
            ]);
          if (round % 4 === 1)
            return db.append(ana, shared, null, [
              { type: "workspace.renamed", body: { name: "W" } },
              {
                type: "member.role_changed",
                subject,
                body: { role: round % 8 === 1 ? "viewer" : "editor" },
              },
            ]);
          return db.append(user, document, null, [
            { type: "document.renamed", body: { title: `${n}` } },
          ]);
        }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok).length).toBeGreaterThan(people.length * 4);
    expect(await verifyChain(await everything(shared))).toMatchObject({ ok: true });
  });
});
