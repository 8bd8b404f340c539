import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock, systemRandom } from "@/events/core/clock";
import type { Proposal } from "@/events/core/envelope";
import { schemaVersion } from "@/events/content/schema";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { TimelineBuilder } from "@/events/history/timeline/timeline-builder";
import { supabaseStore } from "@/events/log/store";
import type { RawStore } from "@/events/log/store";
import { documentById } from "@/events/read-models/document-rows";
import { PreviewBuilder } from "@/events/revisions/restore-preview";
import { appendImport } from "@/machines/import/importing";
import { documentOf } from "@/machines/sync/device/unsent-text";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";

/** Each kill costs a start of the product. */
const kills = 4;

let stack: Stack;
let ana: Person;
let store: RawStore;
let workspaceId: string;

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  store = supabaseStore(ana.client);
  workspaceId = (await documentById(ana.client, await meet([ana])))?.workspaceId ?? "";
});
afterAll(async () => {
  await ana.client.realtime.disconnect();
  await stack.dispose();
});

const words = Array.from(
  { length: 12_000 },
  (_, nth) => `Paragraph ${nth} of what was brought in.`,
);

const imported = (text: string) => ({
  document: randomUUID(),
  appends: documentOf(text, {
    workspaceId,
    title: "Brought in",
    random: systemRandom,
    clock: systemClock,
    schema: schemaVersion,
  }),
});

const whole = { signal: new AbortController().signal, newId: randomUUID };

/** Returns a document's rows, checked to have no gap in their versions, and their text. */
async function read(document: string) {
  const rows = await store.read(document, 0);
  expect(rows.map(({ version }) => version)).toEqual(rows.map((_, at) => at + 1));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const fold = new ConfirmedDocument(null);
  for (const row of rows) fold.integrate(row);
  expect(fold.anomalies).toEqual([]);
  return { rows, text: String(fold.doc.getXmlFragment("default")) };
}

/** Sends `kill -9` to the server during a call, and returns whether the call had no answer. */
async function killIn(call: () => Promise<unknown>, afterMs: number): Promise<boolean> {
  const [, unanswered] = await Promise.all([
    delay(afterMs).then(() => stack.kill()),
    call().then(
      () => false,
      () => true,
    ),
  ]);
  await stack.restart();
  return unanswered;
}

describe("[LOG-4] [START-3] the server is killed", () => {
  it("during an import: the log has a prefix of it, and the import continues to its end", async () => {
    const { document, appends } = imported(words.join("\n"));
    let done = 0;
    let unanswered = 0;
    const goOn = (until: number, ready: () => void = () => undefined) =>
      appendImport(
        { document, appends: appends.slice(0, until), done },
        {
          ...whole,
          append: (...call) => {
            ready();
            return store.append(...call);
          },
          onDone: (now) => (done = now),
        },
      );
    expect(appends.length).toBeGreaterThan(1);
    for (let kill = 0; kill < kills; kill += 1) {
      if (await killIn(() => goOn(appends.length), kill * 60)) unanswered += 1;
      const begun = (await store.read(document, 0)).map(({ id }) => id);
      const all: string[] = appends.flat().map(({ id }) => id);
      expect(begun).toEqual(all.slice(0, begun.length));
      // An append must be recorded completely or not at all.
      expect(
        appends.map((_, at) => appends.slice(0, at).flat().length).concat(all.length),
      ).toContain(begun.length);
    }
    expect(unanswered).toBeGreaterThan(0);
    expect(await goOn(appends.length)).toEqual({ state: "whole" });
    const { text } = await read(document);
    expect(text.match(/<paragraph>/g)).toHaveLength(words.length);
    expect(text).toContain(words.at(-1));
  });

  it("during a restore: it is recorded once, or not at all until requested again", async () => {
    const { document, appends } = imported("Kept.");
    expect(
      await appendImport(
        { document, appends, done: 0 },
        { ...whole, append: store.append, onDone: () => undefined },
      ),
    ).toEqual({ state: "whole" });
    const before = await read(document);
    const [, ...later] = imported(words.slice(0, 3_000).join("\n")).appends;
    for (const proposals of later)
      expect((await store.append(document, null, proposals)).ok).toBe(true);
    let unanswered = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { rows } = await read(document);
      const builder = new TimelineBuilder();
      for (const row of rows) builder.add(row);
      const previews = new PreviewBuilder(builder);
      const index = kill % 2 === 0 ? before.rows.length - 1 : rows.length - 2;
      const preview = previews.preview(
        { kind: "revision", timeline: previews.timeline(), index },
        {
          userId: ana.user.id,
          clientId: systemRandom.clientId(),
          time: Date.now(),
          eventId: randomUUID(),
        },
      );
      if (preview === null) throw new Error("Nothing would change.");
      const { base, timeline: _timeline, now: _now, ...event } = preview;
      const proposal: Proposal = { id: randomUUID(), ...event, schema: schemaVersion };
      if (await killIn(() => store.append(document, base, [proposal]), kill * 15)) unanswered += 1;
      const half = await read(document);
      expect([rows.length, rows.length + 1]).toContain(half.rows.length);
      expect((await store.append(document, base, [proposal])).ok).toBe(true);
      const { rows: now, text } = await read(document);
      expect(now).toHaveLength(rows.length + 1);
      if (kill % 2 === 0) expect(text).toBe(before.text);
    }
    expect(unanswered).toBeGreaterThan(0);
  });
});
