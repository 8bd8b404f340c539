import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { textOf } from "@/tests/support/recordings/recorded-typing";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { absent, readTrace } from "@/tests/support/recordings/traces";
import { WriterProcess } from "@/tests/support/writers/writer-orders";
import type { Seen } from "@/tests/support/writers/writer-orders";
import { meet } from "@/tests/support/writers/writers";

const trace = readTrace("clownschool");
const accountOf = ({ name, email, password }: Person) => ({ name, email, password });

if (trace !== null)
  describe("a recorded session of three, each in a process of their own", () => {
    let stack: Stack;
    let people: Person[];
    let documentId: string;
    let writers: WriterProcess[] = [];

    beforeAll(async () => {
      stack = await startStack();
      people = [];
      for (const name of ["Ana", "Ben", "Carol"]) people.push(await signUp(stack, name));
      documentId = await meet(people);
      writers = people.map(() => new WriterProcess());
    }, 300_000);

    afterAll(async () => {
      await Promise.all(writers.map((writer) => writer.close()));
      for (const { client } of people ?? []) await client.realtime.disconnect();
      await stack?.dispose();
    });

    it(
      "[SYNC-9] [SYNC-31] ends in the recorded text on every page and in the log, with no " +
        "edit rebased",
      { timeout: 240_000 },
      async () => {
        const [url, key] = [stack.url, stack.keys.publishableKey];
        await Promise.all(
          writers.map((writer, agent) =>
            writer.ask(
              { kind: "open", url, key, person: accountOf(people[agent]!), documentId },
              "opened",
            ),
          ),
        );
        await Promise.all(
          writers.map((writer, agent) => writer.ask({ kind: "type", agent }, "typed")),
        );
        let seen: Seen[] = [];
        const settled = async () => {
          seen = await Promise.all(writers.map((writer) => writer.ask({ kind: "look" }, "seen")));
          return seen.every(
            ({ label, version }) => label === "Saved" && version === seen[0]?.version,
          );
        };
        await expect.poll(settled, { timeout: 120_000, interval: 100 }).toBe(true);
        expect(seen.map(({ rebuiltFor }) => rebuiltFor)).toEqual([[], [], []]);
        expect(seen.map(({ replaced }) => replaced)).toEqual([0, 0, 0]);
        expect(seen.map(({ text }) => text)).toEqual([
          trace.endContent,
          trace.endContent,
          trace.endContent,
        ]);

        const rows = await supabaseStore(people[0]!.client).read(documentId, 0);
        const fold = new ConfirmedDocument(null);
        for (const row of rows) fold.integrate(row);
        expect(fold.anomalies).toEqual([]);
        expect(textOf(fold.doc)).toBe(trace.endContent);
      },
    );
  });

if (trace === null)
  describe("a recorded session of three, apart", () => {
    it.skip(absent("clownschool"));
  });
