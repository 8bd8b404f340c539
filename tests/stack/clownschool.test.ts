import * as Y from "yjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { pageAt } from "@/events/history/timeline/document-text";
import type { Ruled } from "@/events/core/envelope";
import { decodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { status } from "@/machines/sync/sync-status";
import { signInAgain, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { recordedTyping, textOf, until } from "@/tests/support/recordings/recorded-typing";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import {
  absent,
  paragraphText,
  readTrace,
  traceClients,
  traceEdits,
} from "@/tests/support/recordings/traces";
import type { TraceEdit } from "@/tests/support/recordings/traces";
import { meet, write } from "@/tests/support/writers/writers";
import type { Writer } from "@/tests/support/writers/writers";

const trace = readTrace("clownschool");
const names = ["Ana", "Ben", "Carol"];

/** Returns the trace's edits in the order of the log, matched by their bytes. */
function editsOfLog(rows: Ruled[], edits: TraceEdit[]): TraceEdit[] {
  const key = (update: Uint8Array) => Buffer.from(update).toString("latin1");
  const known = new Map(edits.map((edit) => [key(edit.update), edit]));
  return rows
    .flatMap((row) => (row.update ? decodeEdits(row.update, Date.parse(row.clientTime)) : []))
    .map(({ update }) => known.get(key(update)) ?? fail("the log holds an edit that nobody made"));
}

function fail(message: string): never {
  throw new Error(message);
}

/** Returns the agent of each character of a text, from the trace alone. */
function agentsOf(doc: Y.Doc): number[] {
  const agents: number[] = [];
  for (let item = paragraphText(doc)._start; item; item = item.right) {
    const agent = traceClients.indexOf(item.id.client);
    if (!item.deleted && item.content instanceof Y.ContentString)
      agents.push(...Array.from(item.content.str, () => agent));
  }
  return agents;
}

if (trace !== null)
  describe("a recorded session of three, through the whole product", () => {
    let stack: Stack;
    let people: Person[];
    let writers: Writer[];
    let rows: Ruled[];
    let documentId: string;
    const edits = trace ? traceEdits(trace) : [];

    beforeAll(async () => {
      stack = await startStack();
      people = [];
      for (const name of names) people.push(await signUp(stack, name));
      documentId = await meet(people);
    }, 300_000);

    afterAll(async () => {
      await Promise.all(writers?.map(({ live }) => live.close()) ?? []);
      for (const { client } of people ?? []) await client.realtime.disconnect();
      await stack?.dispose();
    });

    it("[SYNC-9] ends in the recorded text on every page", { timeout: 240_000 }, async () => {
      if (!trace) return;
      writers = people.map((person) => write(person, documentId));
      await Promise.all(writers.map(({ live }) => live.loaded));
      const begun = Date.now();
      const type = recordedTyping(trace, edits);
      await Promise.all(writers.map(({ live }, agent) => type(live, agent)));
      const typed = Date.now();
      const labels = () => writers.map(({ live }) => status(live.sync.getSnapshot()).label);
      await until(
        () => labels().every((label) => label === "Saved"),
        () => `not saved: ${labels().join()}`,
      );
      await until(
        () => new Set(writers.map(({ live }) => live.version)).size === 1,
        () => `apart: ${writers.map(({ live }) => live.version).join()}`,
      );
      process.stdout.write(
        `clownschool: typed in ${typed - begun} ms, saved ` +
          `${Date.now() - typed} ms later, as ` +
          `${writers[0]?.live.version} events\n`,
      );
      for (const { live, replaced } of writers) {
        expect(textOf(live.doc)).toBe(trace.endContent);
        expect(replaced).toBe(0);
      }
    });

    it(
      "[SYNC-9] is in the log once and complete, for a new fold and a new client",
      { timeout: 60_000 },
      async () => {
        if (!trace) return;
        rows = await supabaseStore(people[0]!.client).read(documentId, 0);
        expect(rows.map(({ version }) => version)).toEqual(rows.map((_, index) => index + 1));
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        const brought = editsOfLog(rows, edits);
        expect(new Set(brought).size).toBe(brought.length);
        expect(brought.length).toBe(edits.filter(({ update }) => update.length > 2).length);
        const fold = new ConfirmedDocument(null);
        for (const row of rows) fold.integrate(row);
        expect(fold.anomalies).toEqual([]);
        expect(textOf(fold.doc)).toBe(trace.endContent);

        const fresh = write(await signInAgain(stack, people[2]!), documentId);
        await fresh.live.loaded;
        expect(textOf(fresh.live.doc)).toBe(trace.endContent);
        await fresh.live.close();
        await fresh.person.client.realtime.disconnect();
      },
    );

    it(
      "[SYNC-9] attributes every character to its author, and replays 200 random revisions",
      { timeout: 60_000 },
      async () => {
        if (!trace) return;
        const timeline = openTimeline(rows);
        expect(timeline.anomalies).toEqual([]);
        const inOrder = editsOfLog(rows, edits);
        // The document's creation is the first revision; each edit adds one.
        expect(timeline.length).toBe(1 + inOrder.length);
        const random = seededRandom(200);
        const revisions = new Set([inOrder.length]);
        while (revisions.size < 200) revisions.add(1 + random.below(inOrder.length));
        // The oracle knows only the log's order, and applies the trace's own edits one by one.
        const oracle = new Y.Doc({ gc: false });
        for (const [index, { update }] of inOrder.entries()) {
          Y.applyUpdate(oracle, update);
          if (revisions.has(index + 1))
            expect(pageAt(timeline, index + 1).text, `revision ${index + 1}`).toBe(textOf(oracle));
        }
        const { authors } = pageAt(timeline, timeline.length - 1);
        const attributed = authors.flatMap(({ length, author }) =>
          Array.from({ length }, () => timeline.authors[author]),
        );
        expect(attributed).toEqual(agentsOf(oracle).map((agent) => people[agent]?.user.id));
      },
    );

    it("[SYNC-9] survives a kill and a restart", { timeout: 120_000 }, async () => {
      if (!trace) return;
      await stack.kill();
      await stack.restart();
      const again = await signInAgain(stack, people[1]!);
      const fresh = write(again, documentId);
      await fresh.live.loaded;
      expect(textOf(fresh.live.doc)).toBe(trace.endContent);
      expect(fresh.live.version).toBe(rows.length);
      await fresh.live.close();
      await again.client.realtime.disconnect();
      // The tabs that stayed open reconnect by themselves.
      await until(
        () => writers.every(({ live }) => live.sync.getSnapshot().value.link === "live"),
        () => "somebody stays away",
        60_000,
      );
      for (const { live } of writers) expect(textOf(live.doc)).toBe(trace.endContent);
    });
  });

if (trace === null)
  describe("a recorded session of three", () => {
    it.skip(absent("clownschool"));
  });
