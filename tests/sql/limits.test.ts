import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { limits } from "@/events/core/limits";
import type { LimitName } from "@/events/core/limits";
import { compileShape } from "@/events/log/schema-rows";
import { aggregates } from "@/machines/catalog";
import { answered, testDatabase } from "@/tests/support/database/database";
import type { Answer, TestDatabase, User } from "@/tests/support/database/database";
import {
  granted,
  invite,
  join,
  newDocument,
  newWorkspace,
} from "@/tests/support/writers/workspaces";
import { declared, edit, refusedLimit } from "@/tests/support/database/limited-appends";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
});
beforeEach(async () => {
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

describe("a limit on a count", () => {
  const own = (kind: string) => ({ kind, id: randomUUID() });
  const thread = () => ({
    type: "thread.opened",
    subject: own("thread"),
    body: { start: "AA==", end: "AA==", quote: "q" },
  });
  const cases: [LimitName, () => Promise<{ scope: string; more: () => Promise<Answer> }>][] = [
    [
      "document_threads",
      async () => ({ scope: document, more: () => db.append(ana, document, null, [thread()]) }),
    ],
    [
      "document_versions",
      async () => ({
        scope: document,
        more: () =>
          db.append(ana, document, null, [
            { type: "version.named", subject: own("version"), body: { at: 1, name: "n" } },
          ]),
      }),
    ],
    [
      "workspace_documents",
      async () => ({
        scope: workspace,
        more: () =>
          db.append(ana, randomUUID(), 0, [
            { type: "document.created", body: { workspaceId: workspace, title: "" } },
          ]),
      }),
    ],
    [
      "account_workspaces",
      async () => ({
        scope: ana.id,
        more: () =>
          db.append(ana, randomUUID(), 0, [{ type: "workspace.created", body: { name: "w" } }]),
      }),
    ],
    [
      "workspace_invitations",
      async () => ({
        scope: workspace,
        more: () =>
          db.append(ana, workspace, null, [
            {
              type: "invitation.created",
              subject: own("invitation"),
              body: {
                kind: "link",
                email: null,
                role: "viewer",
                expiresAt: null,
                tokenHash: "a".repeat(64),
              },
            },
          ]),
      }),
    ],
    [
      "document_comments",
      async () => {
        const opened = thread();
        granted(await db.append(ana, document, null, [opened]));
        return {
          scope: document,
          more: () =>
            db.append(ana, document, null, [
              {
                type: "comment.added",
                subject: own("comment"),
                body: { thread: opened.subject.id, text: "c" },
              },
            ]),
        };
      },
    ],
    [
      "document_clients",
      async () => {
        let id = 1;
        return {
          scope: document,
          more: () =>
            db.append(ana, document, null, [
              { ...edit(Uint8Array.of(0, 0)), clientIds: [(id += 1)] },
            ]),
        };
      },
    ],
  ];

  it.each(cases)("[LOG-55] %s: accepts its limit, and no more", async (kind, prepare) => {
    const { scope, more } = await prepare();
    await db.sql`insert into private.tallies (scope, part, kind, count) values (${scope}, ${scope},
      ${kind}, ${limits[kind] - 2})
      on conflict on constraint tallies_pkey do update set count = excluded.count`;
    expect(refusedLimit(await more())).toBeNull();
    expect(refusedLimit(await more())).toBeNull();
    expect(refusedLimit(await more())).toBe(kind);
    expect(
      await db.sql`select count::int from private.tallies where scope = ${scope} and kind = ${kind}`,
    ).toEqual([{ count: limits[kind] }]);
    await db.sql`delete from private.tallies where scope = ${scope} and kind = ${kind}`;
  });

  it("[LOG-55] thread_comments and document_talk: accept the limit, no more", async () => {
    const opened = thread();
    granted(await db.append(ana, document, null, [opened]));
    const comment = () =>
      db.append(ana, document, null, [
        {
          type: "comment.added",
          subject: own("comment"),
          body: { thread: opened.subject.id, text: "c" },
        },
      ]);
    granted(await comment());
    await db.sql`update private.tallies set count = ${limits.thread_comments - 1} where part = ${opened.subject.id}`;
    expect(refusedLimit(await comment())).toBeNull();
    expect(refusedLimit(await comment())).toBe("thread_comments");
    await db.sql`update private.tallies set count = 1 where part = ${opened.subject.id}`;
    const [{ length }] =
      (await db.sql`select octet_length(body) as length from public.event_payloads p join
        public.events e on e.id = p.event_id where e.stream_id = ${document} and e.type =
          'comment.added' limit 1`) as unknown as [{ length: number }];
    await db.sql`update private.tallies set count = ${limits.document_talk - length} where scope =
      ${document} and kind = 'document_talk'`;
    expect(refusedLimit(await comment())).toBeNull();
    expect(refusedLimit(await comment())).toBe("document_talk");
  });

  it("[LOG-55] workspace_members: accepts its limit, and no more", async () => {
    await db.sql`insert into private.tallies (scope, part, kind, count) values (${workspace},
      ${workspace}, 'workspace_members', ${limits.workspace_members - 1})`;
    await join(db, ana, workspace, db.newUser("Ben"), "viewer");
    const link = await invite(db, ana, workspace);
    await expect(
      db.as(db.newUser("Carol"), (t) => t`select accept_invitation(${link.id}, ${link.token})`),
    ).rejects.toThrow("too-large");
  });

  it.each([
    [
      "document_events",
      () => db.append(ana, document, null, [{ type: "document.renamed", body: { title: "t" } }]),
    ],
    [
      "workspace_events",
      () => db.append(ana, workspace, null, [{ type: "workspace.renamed", body: { name: "w" } }]),
    ],
    [
      "account_events",
      () =>
        db.append(ana, ana.id, null, [
          { type: "account.profile_changed", body: { name: "Ana", color: null } },
        ]),
    ],
  ] as const)("[LIMIT-2] %s: accepts its limit, and no more", async (limit, more) => {
    await db.append(ana, ana.id, 0, [{ type: "account.created", body: {} }]);
    const stream = {
      document_events: document,
      workspace_events: workspace,
      account_events: ana.id,
    };
    const [row] =
      await db.sql`select version::int from private.streams where id = ${stream[limit]}`;
    const version = Number(row?.version ?? 0);
    await db.sql`update private.limits set most = ${version + 2} where name = ${limit}`;
    try {
      expect([
        refusedLimit(await more()),
        refusedLimit(await more()),
        refusedLimit(await more()),
      ]).toEqual([null, null, limit]);
    } finally {
      await db.sql`update private.limits set most = ${limits[limit]} where name = ${limit}`;
    }
  });

  const counted = Object.keys(limits).filter((name) =>
    /_(clients|talk|threads|comments|versions|files|documents|members|invitations|workspaces)$/.test(
      name,
    ),
  );
  it("[LIMIT-2] counts every kind up to its limit, and refuses the next", async () => {
    for (const kind of counted) {
      const scope = randomUUID();
      const tally = (more: number) =>
        db.sql`select private.tally(${scope}, ${scope}, ${kind}, ${more})`.then(
          () => null,
          (error: unknown) => String(error),
        );
      const most = limits[kind as LimitName];
      expect([await tally(most - 1), await tally(1)], kind).toEqual([null, null]);
      expect(await tally(1)).toContain("too-large");
    }
    expect(counted).toHaveLength(11);
  });
});

describe("a limit on one append", () => {
  const padded = (bytes: number) => {
    const body = JSON.stringify({ title: "t" });
    return body + " ".repeat(bytes - body.length);
  };
  const append = (events: unknown) =>
    answered(
      db.as(
        ana,
        (t) => t`select append_events(${document}, null, ${JSON.stringify(events)}::text::jsonb)`,
      ),
    ).then((answer) => (answer.ok ? null : `${answer.refusal.name} ${answer.refusal.reason}`));
  const renamed = (body: string) => ({ id: randomUUID(), type: "document.renamed", body });
  const edited = (update: Uint8Array, clientIds: number[] = []) => ({
    id: randomUUID(),
    type: "document.edited",
    body: "{}",
    update: Buffer.from(update).toString("base64"),
    clientIds,
  });
  it.each([
    [
      "200 events",
      200,
      (count: number) => Array.from({ length: count }, () => renamed('{"title":"t"}')),
      "too-large batch-too-large",
    ],
    [
      "64 KiB of a body",
      65_536,
      (bytes: number) => [renamed(padded(bytes))],
      "too-large body-too-large",
    ],
    [
      "512 KiB of an update",
      524_288,
      (bytes: number) => [edited(new Uint8Array(bytes))],
      "too-large update-too-large",
    ],
    [
      "64 client ids",
      64,
      (count: number) => [
        edited(
          Uint8Array.of(0, 0),
          Array.from({ length: count }, () => randomInt(2 ** 32)),
        ),
      ],
      "invalid-event client-ids-malformed",
    ],
    [
      "8 MiB that an update unfolds to",
      limits.payload_bytes,
      (bytes: number) => [edited(declared(bytes, 1))],
      "too-large payload_bytes",
    ],
  ] as const)("[LIMIT-2] accepts %s, and no more", async (_name, most, events, refusal) => {
    for (const [size, expected] of [
      [most - 1, null],
      [most, null],
      [most + 1, refusal],
    ] as const) {
      await db.sql`update private.streams set bytes = 0 where id = ${document}`;
      expect(await append(events(size)), String(size)).toBe(expected);
    }
  });
});

describe("a limit in a body", () => {
  type Case = { place: string; schema: z.core.$ZodType; value: unknown; fits: boolean };
  const around = (most: number, make: (size: number) => unknown, least = 0) =>
    [most - 1, most, most + 1].map((size) => ({
      value: make(size),
      fits: size >= least && size <= most,
    }));

  /** Returns values just within and just beyond each limit of a schema. */
  function cases(schema: z.core.$ZodType, place: string): Case[] {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === "nullable") return cases(def.innerType, place);
    if (def.type === "object")
      return Object.entries(def.shape).flatMap(([key, inner]) => cases(inner, `${place}.${key}`));
    const shape = compileShape(schema, place);
    const stated =
      shape.type === "string" && shape.format === undefined
        ? [
            ...around(shape.max, (size) => "a".repeat(size), shape.min),
            // A letter of two UTF-16 units counts once.
            ...around(shape.max, (size) => "𝄞".repeat(size), shape.min),
            ...(shape.min > 0 ? [{ value: "a".repeat(shape.min - 1), fits: false }] : []),
          ]
        : shape.type === "integer"
          ? [
              ...(shape.max < Number.MAX_SAFE_INTEGER ? around(shape.max, (size) => size) : []),
              { value: shape.min - 1, fits: false },
            ]
          : shape.type === "array" && shape.items.type === "integer"
            ? around(shape.max, (size) => Array.from({ length: size }, () => 1))
            : shape.type === "array" && shape.items.type === "string"
              ? around(shape.max, (size) => Array.from({ length: size }, () => "a"))
              : [];
    const inside = def.type === "array" ? cases(def.element, `${place}[]`) : [];
    return [...stated.map((found) => ({ ...found, place, schema })), ...inside];
  }

  it("[LIMIT-3] accepts its size and no more, in the database and in the page", async () => {
    const all = aggregates.flatMap(({ schemas }) =>
      Object.entries(schemas).flatMap(([type, schema]) => cases(schema, type)),
    );
    const judged = await db.sql<{ fits: boolean }[]>`
      select private.body_fault(c.shape::jsonb, c.value::json, 'body') is null as fits
      from unnest(${all.map(({ schema, place }) => JSON.stringify(compileShape(schema, place)))}::text[],
        ${all.map(({ value }) => JSON.stringify(value))}::text[]) with ordinality as c(shape, value, nr)
      order by c.nr`;
    const wrong = all.flatMap(({ place, schema, value, fits }, index) =>
      judged[index]?.fits === fits && z.safeParse(schema, value).success === fits
        ? []
        : `${place}: ${JSON.stringify(value).length}`,
    );
    expect(wrong).toEqual([]);
    expect(new Set(all.map(({ place }) => place)).size).toBeGreaterThan(20);
  });
});
