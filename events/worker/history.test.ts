import { describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { pageAt } from "@/events/history/timeline/document-text";
import { readTimeline } from "./history";
import { stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import { SegmentBuilder } from "@/events/history/segments/segment";
import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";

/** Creates a stream of `length` events: its creation, then one letter each. */
function letters(length: number): TimelineRow[] {
  const doc = new Y.Doc();
  const edits: AuthoredEdit[] = [];
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: edits.length * 100, actorId: "Ana" }),
  );
  const paragraph = new Y.XmlElement("paragraph");
  const words = new Y.XmlText();
  paragraph.insert(0, [words]);
  doc.getXmlFragment("default").insert(0, [paragraph]);
  for (let at = 0; at < length - 2; at++) words.insert(at, String.fromCharCode(97 + (at % 26)));
  return stream(
    "Letters",
    edits.map((edit) => [edit]),
  );
}

const quiet = {
  documentId: "d",
  signal: new AbortController().signal,
  onProgress: () => undefined,
};

it.each([2, 999, 1000, 1001, 2000, 3500])(
  "reads a stream of %i events whole and in order, whichever page comes first",
  async (length) => {
    const rows = letters(length);
    const waiting: (() => void)[] = [];
    const seen: number[] = [];
    const source = {
      read: (_stream: string, after: number, max = 1000) =>
        new Promise<TimelineRow[]>((resolve) => {
          waiting.push(() => resolve(rows.filter(({ version }) => version > after).slice(0, max)));
          // The page that was requested last answers first.
          queueMicrotask(() => waiting.pop()?.());
        }),
    };
    const timeline = await readTimeline({
      ...quiet,
      source,
      onProgress: (version) => seen.push(version),
    });
    expect(timeline.version).toBe(length);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(pageAt(timeline, timeline.length - 1).text).toHaveLength(length - 2);
  },
);

it("fails if a page fails, and if it is aborted", async () => {
  const rows = letters(1500);
  const failing = {
    read: async (_stream: string, after: number, max = 1000) => {
      if (after > 0) throw new Error("gone");
      return rows.slice(0, max);
    },
  };
  await expect(readTimeline({ ...quiet, source: failing })).rejects.toThrow("gone");
  const stopped = AbortSignal.abort();
  await expect(
    readTimeline({ ...quiet, signal: stopped, source: { read: async () => rows.slice(0, 1000) } }),
  ).rejects.toThrow();
});

describe("the beginning of a long history", () => {
  const rows = letters(600);
  const segments = (count: number): Uint8Array[] => {
    const builder = new SegmentBuilder();
    for (const each of rows.slice(0, count)) builder.add(each);
    const last = builder.finish();
    return last ? [last.bytes] : [];
  };

  it("is shown while the rest loads, and equals the beginning of the whole [SEGMENT-7]", async () => {
    let release = () => {};
    const held = new Promise<void>((settle) => (release = settle));
    const parts: Timeline[] = [];
    const source = {
      read: async (_stream: string, after: number, max = 1000) => {
        await held;
        return rows.filter(({ version }) => version > after).slice(0, max);
      },
      async *segments() {
        yield* segments(400);
      },
    };
    const onPrefix = (prefix: Timeline) => {
      parts.push(prefix);
      release();
    };
    const timeline = await readTimeline({ ...quiet, source, onPrefix });
    expect([timeline.version, parts.length, parts[0]?.version]).toEqual([600, 1, 400]);
    for (const index of [0, 100, (parts[0]?.length ?? 0) - 1])
      expect(pageAt(parts[0] ?? timeline, index)).toEqual(pageAt(timeline, index));
  });

  it(
    "grows whenever as much again has loaded, and always equals the beginning of the whole " +
      "[SEGMENT-7]",
    async () => {
      const builder = new SegmentBuilder();
      const stored = rows.flatMap((each, index) => {
        builder.add(each);
        return (index + 1) % 100 === 0 ? (builder.finish()?.bytes ?? []) : [];
      });
      const parts: Timeline[] = [];
      let read = 0;
      const source = {
        read: async () => [],
        async *segments() {
          for (const [index, bytes] of stored.entries()) {
            yield bytes;
            await vi.waitFor(
              () =>
                expect([read, parts.at(-1)?.version]).toEqual([
                  (index + 1) * 100,
                  [100, 200, 200, 400, 400, 400][index],
                ]),
              { timeout: 40_000 },
            );
          }
        },
      };
      const onProgress = (version: number) => void (read = version);
      const timeline = await readTimeline({
        ...quiet,
        source,
        onProgress,
        onPrefix: (prefix) => parts.push(prefix),
      });
      expect([timeline.version, ...parts.map(({ version }) => version)]).toEqual([
        600, 100, 200, 400,
      ]);
      for (const prefix of parts)
        for (const index of [0, 60, prefix.length - 1])
          expect(pageAt(prefix, index)).toEqual(pageAt(timeline, index));
    },
  );
});
