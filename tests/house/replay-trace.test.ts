import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { passagesAt } from "@/events/analysis/attribution";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { pageAt } from "@/events/history/timeline/document-text";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import {
  absent,
  flushes,
  paragraphText,
  readTrace,
  traceClients,
  traceEdits,
} from "@/tests/support/recordings/traces";
import type { Trace } from "@/tests/support/recordings/traces";

const trace = readTrace("clownschool");
const people = ["Ana", "Ben", "Carol"];

/** The agent of every character of the final text, by the Yjs client that holds it. */
function charactersByClient(updates: Uint8Array[]): number[] {
  const doc = new Y.Doc();
  for (const update of updates) Y.applyUpdate(doc, update);
  const agents: number[] = [];
  for (let item = paragraphText(doc)._start; item; item = item.right) {
    const agent = traceClients.indexOf(item.id.client);
    if (!item.deleted && item.content instanceof Y.ContentString)
      agents.push(...Array.from(item.content.str, () => agent));
  }
  return agents;
}

/**
 * A recorded session as it would be in the log, one event per edit: that keeps the recorded merge
 * order, whatever the flushes do.
 */
function recorded(from: Trace) {
  const edits = traceEdits(from).map(({ agent, time, update }) => ({
    agent,
    time,
    update,
    actorId: people[agent] ?? "",
  }));
  return {
    edits,
    timeline: openTimeline(
      stream(
        from.name,
        edits.map((edit) => [edit]),
      ),
    ),
  };
}

describe("replay of a recorded session of three", () => {
  if (trace === null) {
    it.skip(absent("clownschool"));
    return;
  }
  let replayed: ReturnType<typeof recorded> | undefined;
  /** The replay that every test reads: it takes seconds. */
  const replay = () => (replayed ??= recorded(trace));
  it("ends in the recorded text, each character under its author [REPLAY-2]", () => {
    const { edits, timeline } = replay();
    expect(timeline.anomalies).toEqual([]);
    const { text, authors } = pageAt(timeline, timeline.length - 1);
    expect(text).toBe(trace.endContent);
    const byCharacter = authors
      .map(({ length, author }) => (timeline.authors[author] ?? "?").slice(0, 1).repeat(length))
      .join("");
    const agents = charactersByClient(edits.map(({ update }) => update));
    expect(byCharacter).toBe(agents.map((agent) => (people[agent] ?? "").slice(0, 1)).join(""));
  });
  it("attributes every passage to its characters' agent, and finds deleted text [UNDERSTAND-1]", () => {
    const { edits, timeline } = replay();
    const passages = passagesAt(timeline, timeline.length - 1);
    const byPassage = passages.flatMap(({ text, author }) =>
      Array.from({ length: text.length }, () => timeline.authors[author]),
    );
    expect(byPassage).toEqual(
      charactersByClient(edits.map(({ update }) => update)).map((agent) => people[agent]),
    );
    const found = searchThroughTime(timeline, "clown");
    const standing = found.filter(({ until }) => until === null).length;
    expect(standing).toBe(trace.endContent.toLowerCase().split("clown").length - 1);
    expect(found.length).toBeGreaterThan(standing);
  });
});

const long = readTrace("seph-blog1");

describe("replay of an article written over months", () => {
  if (long === null) {
    it.skip(absent("seph-blog1"));
    return;
  }
  it("attributes all of it to its one author, and separates pastes from typing [UNDERSTAND-1] [UNDERSTAND-2]", () => {
    const timeline = openTimeline(
      stream(
        long.name,
        flushes(traceEdits(long), 1000).map((batch) =>
          batch.map((edit) => ({ ...edit, actorId: "Ana" })),
        ),
      ),
    );
    const passages = passagesAt(timeline, timeline.length - 1);
    expect(passages.map(({ text }) => text).join("")).toBe(long.endContent);
    expect(new Set(passages.map(({ author }) => timeline.authors[author]))).toEqual(
      new Set(["Ana"]),
    );
    expect(passages.some(({ atOnce }) => atOnce)).toBe(true);
    expect(passages.some(({ atOnce }) => !atOnce)).toBe(true);
  });
});
