import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import type { Ruled } from "@/events/core/envelope";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { openStream } from "@/events/log/live-stream";
import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { emptyFold, subjectOf } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { typedEvent } from "@/events/core/event-types";
import { aggregates, law } from "./catalog";
import { document } from "./document";
import { rebased } from "./replaced-words";

const subject = { kind: "document", id: "00000000-0000-4000-8000-00000000000d" };
const workspaceId = "00000000-0000-4000-8000-00000000000a";

/**
 * Creates a log of one document that, like the database, refuses a title whose `replaces` is not
 * the current title.
 */
function log(title: string) {
  const rows: Ruled[] = [];
  const titleNow = () => String(Object(rows.at(-1)?.body).title);
  const record = (actorId: string, id: string, type: string, body: Ruled["body"]) => {
    const version = rows.length + 1;
    const row: Ruled = {
      id,
      type,
      body,
      version,
      subject,
      actorId,
      streamId: subject.id,
      streamKind: "document",
      workspaceId,
      position: version,
      fromPhase: version === 1 ? "absent" : "live",
      toPhase: "live",
      schema: 1,
      clientIds: [],
      clientTime: "2026-01-01T00:00:00Z",
      recordedAt: "2026-01-01T00:00:00Z",
      payloadHash: "",
      hash: "",
      bodyText: null,
      salt: null,
      update: null,
    };
    rows.push(row);
    return row;
  };
  record("ana", "begun", "document.created", { workspaceId, title });
  const storeOf = (actorId: string, online: () => boolean): Store => ({
    async append(_stream, _expected, proposals) {
      if (!online()) throw new StoreFault("offline", 0);
      const [proposal] = proposals;
      if (!proposal || proposals.length > 1) throw new Error("one at a time");
      const known = rows.find(({ id }) => id === proposal.id);
      if (!known && proposal.replaces !== undefined && proposal.replaces !== titleNow())
        return {
          ok: false,
          refusal: { name: "version-conflict", reason: "replaced-since", detail: "" },
        };
      const row = known ?? record(actorId, proposal.id, proposal.type, proposal.body);
      return { ok: true, rulings: [row] };
    },
    async read(_stream, after) {
      if (!online()) throw new StoreFault("offline", 0);
      return rows.filter(({ version }) => version > after);
    },
    feed: async () => [],
    topic: async () => null,
  });
  return { rows, titleNow, storeOf };
}

const word = fc.stringMatching(/^[a-d]{1,2}$/);
const step = fc.oneof(
  fc.record({ act: fc.constant("rename"), who: fc.nat(1), at: fc.nat(6), word }),
  fc.record({ act: fc.constant("long"), who: fc.nat(1), at: fc.nat(6), word }),
  fc.record({ act: fc.constant("line"), who: fc.nat(1), at: fc.nat(6), word }),
  fc.record({ act: fc.constant("wait"), who: fc.nat(1), at: fc.nat(6), word }),
);

it(
  "[TITLE-4] keeps the words of concurrent renames in the title or offers them to their author, " +
    "and both pages show the log's title",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 3 }),
        fc.array(step, { maxLength: 14 }),
        async (begun, steps) => {
          const { rows, titleNow, storeOf } = log(begun.join(" "));
          const clock = new VirtualClock();
          const people = [0, 1].map((number) => {
            const line = { online: true };
            const lost: OptimisticEvent[] = [];
            const stream = openStream({
              stream: subject,
              actorId: `person ${number}`,
              store: storeOf(`person ${number}`, () => line.online),
              clock,
              random: seededRandom(number + 1),
              initial: emptyFold,
              rules: streamRules(aggregates, law, subject),
              rebase: rebased,
              onDropped: ({ proposal }) => lost.push(proposal),
            });
            stream.catchUp();
            return {
              line,
              lost,
              stream,
              shown: () => subjectOf(stream.view().fold, document, subject.id).state.title,
            };
          });
          await clock.advance(1);
          let typedCount = 0;
          const typed: string[] = [];
          for (const { act, who, at, word: letters } of steps) {
            const person = people[who];
            if (!person) continue;
            if (act === "line") {
              person.line.online = !person.line.online;
              if (person.line.online) person.stream.catchUp();
            } else if (act === "wait") await clock.advance(1_000);
            else {
              const before = person.shown();
              const words = before.split(" ").filter((each) => each !== "");
              typedCount += 1;
              const own = `${letters}${typedCount}${act === "long" ? "x".repeat(120) : ""}`;
              words.splice(Math.min(at, words.length), 0, own);
              const title = words.join(" ");
              if (title.length > 300) continue;
              typed.push(own);
              void person.stream.actTogether([
                { ...typedEvent("document.renamed", { title }), subject, replaces: before },
              ]);
            }
          }
          for (const { line, stream } of people) {
            line.online = true;
            stream.catchUp();
          }
          await clock.advance(120_000);
          for (const { stream } of people) stream.catchUp();
          await clock.advance(1);
          for (const { shown, stream } of people) {
            expect(stream.view().health).toBe("synced");
            expect(shown()).toBe(titleNow());
          }
          // People only add words here. Each word is in the final title, or was offered to its
          // author.
          const offered = people.flatMap(({ lost }) =>
            lost.map(({ body }) => String(Object(body).title)),
          );
          for (const each of [...begun, ...typed])
            expect([titleNow(), ...offered].join(" ").split(" ")).toContain(each);
          expect(rows.every(({ body }) => String(Object(body).title).length <= 300)).toBe(true);
          for (const { stream } of people) stream.close();
        },
      ),
      { numRuns: cases(300) },
    );
  },
);

it("[TITLE-4] merges workspace names, and does not merge icons", () => {
  const fold = {
    version: 3,
    subjects: {
      "workspace:w": { phase: "active", state: { name: "Harbour library" } },
      "document:d": { phase: "live", state: { title: "Minutes", icon: "📗" } },
    },
  };
  const rest = { id: "1", actorId: "ana", time: "" };
  const name = {
    ...rest,
    ...typedEvent("workspace.renamed", { name: "Library 2026" }),
    subject: { kind: "workspace", id: "w" },
    replaces: "Library",
  };
  expect(rebased(name, fold)).toMatchObject({
    body: { name: "Harbour library 2026" },
    replaces: "Harbour library",
  });
  const icon = {
    ...rest,
    ...typedEvent("document.icon_set", { emoji: "📘" }),
    subject: { kind: "document", id: "d" },
    replaces: "",
  };
  expect(rebased(icon, fold)).toBeNull();
});
