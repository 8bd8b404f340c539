import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { compileShape } from "@/events/log/schema-rows";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";
import { aggregates } from "@/machines/catalog";
import { answered, testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  document = await newDocument(db, ana, await newWorkspace(db, ana));
});
afterAll(() => db.stop());

const renamed = (body: string) =>
  answered(
    db.as(
      ana,
      (t) =>
        t`select append_events(${document}, null,
          ${JSON.stringify([{ id: randomUUID(), type: "document.renamed", body }])}::text::jsonb)`,
    ),
  );

describe("a body", () => {
  const hostile: Record<string, string> = {
    "names a key twice": '{"title":"a","title":"b"}',
    "names a key twice, once escaped": '{"title":"a","\\u0074itle":"b"}',
    "has a key too many": '{"title":"a","x":1}',
    "lacks a key": "{}",
    "has the key __proto__": '{"title":"a","__proto__":{}}',
    "has the key __proto__, escaped": '{"title":"a","\\u005f_proto__":{}}',
    "has a lone surrogate": '{"title":"\\ud834"}',
    "has a null character": '{"title":"\\u0000"}',
    "has another type": '{"title":5}',
    "is null where it must not be": '{"title":null}',
    nests: '{"title":{"a":"b"}}',
    "is a list": '["a"]',
    "is text": '"a"',
    "is not JSON": '{"title":"a"',
    "is empty": "",
    "has something after its end": '{"title":"a"} x',
    "nests without end": "[".repeat(60_000),
    "nests objects without end": '{"title":'.repeat(7_000),
  };
  it.each(Object.entries(hostile))("[LOG-9] is refused if it %s", async (_name, body) => {
    expect(verdict(await renamed(body))).toBe("invalid-event");
  });

  it("[LOG-9] is refused if a repeated key hides a missing one", async () => {
    const id = randomUUID();
    const body = `{"title":"a","title":"b"}`;
    const both = {
      type: "object",
      properties: { title: { type: "string", max: 9 }, id: { type: "uuid" } },
    };
    const [row] = await db.sql`select private.body_fault(${JSON.stringify(both)}::text::jsonb,
        ${body}::text::json, 'body') as twice,
      private.body_fault(${JSON.stringify(both)}::text::jsonb,
        ${JSON.stringify({ title: "a", id })}::text::json, 'body') as once`;
    expect(row).toEqual({ twice: "body names a key twice", once: null });
  });

  it("[LOG-9] requires lower-case ids, as clients compare them", async () => {
    const [thread, event] = [
      "a0b1c2d3-0000-4000-8000-00000000000f",
      "a0b1c2d3-0000-4000-8000-00000000000e",
    ];
    const commentOn = (id: string) => ({
      type: "comment.added",
      subject: { kind: "comment", id: randomUUID() },
      body: { thread: id, text: "Here" },
    });
    const redaction = (id: string) => ({
      type: "document.redacted",
      body: { event: id, reason: "" },
      update: Uint8Array.of(0, 0, 4),
    });
    const opened = {
      id: event,
      type: "thread.opened",
      subject: { kind: "thread", id: thread },
      body: { start: "AA==", end: "AA==", quote: "q" },
    };
    const got: string[] = [];
    for (const proposal of [
      opened,
      commentOn(thread.toUpperCase()),
      commentOn(thread),
      redaction(event.toUpperCase()),
      redaction(event),
    ])
      got.push(verdict(await db.append(ana, document, null, [proposal])));
    expect(got).toEqual(["ok", "invalid-event", "ok", "invalid-event", "ok"]);
  });

  it("[LOG-9] must be JSON text", async () => {
    const events = JSON.stringify([
      { id: randomUUID(), type: "document.renamed", body: { title: "a" } },
    ]);
    expect(
      verdict(
        await answered(
          db.as(ana, (t) => t`select append_events(${document}, null, ${events}::text::jsonb)`),
        ),
      ),
    ).toBe("invalid-event");
  });

  it("[LOG-9] counts the length of text in code points", async () => {
    expect(verdict(await renamed(JSON.stringify({ title: "𝄞".repeat(300) })))).toBe("ok");
    expect(verdict(await renamed(JSON.stringify({ title: "𝄞".repeat(300) + "x" })))).toBe(
      "invalid-event",
    );
    expect(verdict(await renamed(JSON.stringify({ title: "e\u0301".repeat(150) })))).toBe("ok");
    expect(verdict(await renamed(JSON.stringify({ title: "e\u0301".repeat(151) })))).toBe(
      "invalid-event",
    );
  });

  it("[LOG-9] has a type that a machine knows", async () => {
    expect(
      verdict(await db.append(ana, document, null, [{ type: "document.exploded", body: {} }])),
    ).toBe("invalid-event");
  });

  it("[LOG-9] has an update exactly if its type requires one", async () => {
    const update = Uint8Array.of(0, 0);
    expect(
      verdict(
        await db.append(ana, document, null, [
          { type: "document.renamed", body: { title: "a" }, update },
        ]),
      ),
    ).toBe("invalid-event");
    expect(
      verdict(await db.append(ana, document, null, [{ type: "document.edited", body: {} }])),
    ).toBe("invalid-event");
    for (const wrong of [
      { update: "AA A=" },
      { update: "AAAA", clientIds: [null] },
      { update: "AAAA", clientIds: [[1]] },
      { update: "AAAA", clientIds: [1.5] },
    ]) {
      const events = JSON.stringify([
        { id: randomUUID(), type: "document.edited", body: "{}", ...wrong },
      ]);
      expect(
        verdict(
          await answered(
            db.as(ana, (t) => t`select append_events(${document}, null, ${events}::text::jsonb)`),
          ),
        ),
      ).toBe("invalid-event");
    }
  });
});

const scalar = fc.oneof(
  fc
    .string({ unit: "binary", maxLength: 12 })
    .filter((text) => !/[\ud800-\udfff]/u.test(text) && !text.includes("\0")),
  fc.integer(),
  fc.constantFrom(0, -0, 11, 12, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1.5, 1e21, 253402300799999),
  fc.boolean(),
  fc.constant(null),
  fc.uuid(),
  fc.constantFrom("owner", "editor", "email", "link", "f".repeat(64), "a@b"),
);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant({}));

/** Generates mostly values that match the schema, and now and then other values. */
function likely(shape: ReturnType<typeof compileShape>): fc.Arbitrary<unknown> {
  const right = (): fc.Arbitrary<unknown> => {
    switch (shape.type) {
      case "object":
        return fc
          .record(
            Object.fromEntries(
              Object.entries(shape.properties).map(([key, inner]) => [key, likely(inner)]),
            ),
            { requiredKeys: [] },
          )
          .chain((made) =>
            fc.oneof(
              { weight: 9, arbitrary: fc.constant(made) },
              {
                weight: 1,
                arbitrary: fc.record({ extra: scalar }).map((extra) => ({ ...made, ...extra })),
              },
            ),
          );
      case "array":
        return fc.array(likely(shape.items), { maxLength: shape.max + 1 });
      case "string":
        return fc.oneof(
          fc.constantFrom("🌊", "👩🏽‍🚀", "🌊🌊", "🌊\u200b"),
          fc.constantFrom("\u200b", " \u3164", "\u2060\ufe0f", "\u200b."),
          fc.constant("x".repeat(shape.min)),
          fc.constant("𝄞".repeat(shape.max)),
          fc.constant("x".repeat(shape.max + 1)),
        );
      case "integer":
        return fc.oneof(fc.constantFrom(shape.min, shape.max), fc.integer({ min: 0, max: 20 }));
      case "enum":
        return fc.constantFrom(...shape.values);
      case "uuid":
        return fc.oneof(
          fc.uuid(),
          fc.uuid().map((id) => id.toUpperCase()),
          fc.constant("00000000-0000-0000-0000-000000000000"),
        );
      case "boolean":
        return fc.boolean();
    }
  };
  return fc.oneof({ weight: 12, arbitrary: right() }, { weight: 1, arbitrary: value });
}

describe("invisible text", () => {
  it("[LOG-36] is the same in SQL and in TypeScript for every code point", async () => {
    const [row] =
      await db.sql`select array_agg(code order by code) as hidden from generate_series(1, 1114111) as code
      where code not between 55296 and 57343 and not private.is_visible(chr(code))`;
    const hidden: number[] = [];
    // The database can hold neither NUL nor lone surrogates.
    for (let code = 1; code <= 0x10ffff; code += 1)
      if ((code < 0xd800 || code > 0xdfff) && !emptyOrVisible.test(String.fromCodePoint(code)))
        hidden.push(code);
    expect(row?.hidden).toEqual(hidden);
    expect(hidden.length).toBeGreaterThan(4000);
  });

  it("[LOG-36] is refused as a title or name, and an empty title is not", async () => {
    const named = async (name: string) =>
      verdict(
        await db.append(ana, document, null, [
          {
            type: "version.named",
            subject: { kind: "version", id: randomUUID() },
            body: { at: 1, name },
          },
        ]),
      );
    const workspace = async (name: string) =>
      verdict(
        await db.append(ana, randomUUID(), 0, [{ type: "workspace.created", body: { name } }]),
      );
    const person = async (name: string) =>
      verdict(
        await db.append(ana, ana.id, null, [
          { type: "account.profile_changed", body: { name, color: null } },
        ]),
      );
    verdict(await db.append(ana, ana.id, 0, [{ type: "account.created", body: {} }]));
    const titled = async (title: string) => verdict(await renamed(JSON.stringify({ title })));
    for (const verdictOf of [named, workspace, person, titled]) {
      expect([
        await verdictOf("\u200b\u200d"),
        await verdictOf("\u3164 \ufe0f"),
        await verdictOf("\u2800"),
        await verdictOf("\u200bA"),
      ]).toEqual(["invalid-event", "invalid-event", "invalid-event", "ok"]);
    }
    expect([await named(""), await titled(""), await person("")]).toEqual([
      "invalid-event",
      "ok",
      "ok",
    ]);
  });

  it("[LOG-36] is refused in every schema version of a body", async () => {
    const titled = async (title: string, schema: number) =>
      verdict(
        await db.append(ana, document, null, [
          { type: "document.renamed", body: { title }, schema },
        ]),
      );
    expect([await titled("\u200b", 1), await titled("\u200b", 2), await titled("A", 1)]).toEqual([
      "invalid-event",
      "invalid-event",
      "ok",
    ]);
    const unheld = await db.sql`
      select distinct s.event_type, s.version from private.schemas s, private.schemas newest,
        jsonb_each(newest.shape -> 'properties') as field
      where newest.event_type = s.event_type and (field.value -> 'visible')::boolean and s.shape ->
        'properties' -> field.key -> 'visible' is null`;
    expect([...unheld]).toEqual([]);
    const [older] =
      await db.sql`select count(*)::int as forms from private.schemas s where shape::text like
        '%visible%' and exists (select from private.schemas n where n.event_type = s.event_type and
          n.version > s.version)`;
    expect(older?.forms).toBeGreaterThan(8);
  });
});

describe("a compiled schema", () => {
  it("[LOG-9] accepts the same values in SQL and in TypeScript", async () => {
    const all = aggregates.flatMap(({ schemas }) =>
      Object.entries(schemas).map(([type, schema]: [string, z.ZodMiniType]) => ({ type, schema })),
    );
    const everything = z.strictObject({
      yes: z.boolean(),
      some: z.nullable(z.array(z.enum(["a", "b"])).check(z.minLength(1), z.maxLength(2))),
      deep: z.strictObject({ id: writtenId }),
      n: z.int(),
    });
    let taken = 0;
    let refused = 0;
    for (const { type, schema } of [...all, { type: "everything", schema: everything }]) {
      const shape = compileShape(schema, type);
      const samples = fc.sample(likely(shape), { numRuns: 120, seed: 20261121 });
      const texts = samples.map((sample) => JSON.stringify(sample));
      const rows = await db.sql`
        select private.body_fault(${JSON.stringify(shape)}::text::jsonb, text::json, 'body') as fault
        from unnest(${texts}::text[]) with ordinality as bodies (text, place) order by place`;
      rows.forEach((row, index) => {
        const parsed = schema.safeParse(JSON.parse(texts[index] ?? ""));
        expect({ type, text: texts[index], taken: row.fault === null }).toEqual({
          type,
          text: texts[index],
          taken: parsed.success,
        });
        if (parsed.success) taken += 1;
        else refused += 1;
      });
    }
    console.log(`seed 20261121: ${taken} bodies taken, ${refused} refused`);
    expect(Math.min(taken, refused)).toBeGreaterThan(100);
  });
});
