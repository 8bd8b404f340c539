import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { passagesAt } from "@/events/analysis/attribution";
import { searchThroughTime } from "@/events/analysis/deleted-text-search";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { pageAt } from "@/events/history/timeline/document-text";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { statements } from "@/events/revisions/histories/statements.fixture";
import type { RestoreRequest } from "@/events/revisions/restore";
import { previewOf } from "@/events/revisions/restore-preview";
import { absent, paragraphText, readTrace } from "@/tests/support/recordings/traces";
import type { Trace } from "@/tests/support/recordings/traces";

const people = ["Ana", "Ben", "Carol"];
const clientIds = [1_000_000_007, 1_097_654_328, 1_195_308_649];
/** Three people take turns of this many transactions at one keyboard. */
const turn = 100;
/** Transactions per event. */
const batch = 10;
const restoredEvery = 1_000;
const limit = process.env["WITHOUT_SOAK"] === undefined ? Infinity : 3_000;
/** Searching for each letter, as for histories of a few words, would take hours here. */
const { found: _, ...told } = statements;
const tells = {
  ...told,
  found: (timeline: Timeline) =>
    ["the", "of"].map((word) => searchThroughTime(timeline, word).map(({ until }) => until)),
};
const start = Date.UTC(2026, 10, 14, 15, 42);

/**
 * A one-person recording, typed in turns by three people, with the author of each unit of the text.
 */
class RecordedSession {
  readonly rows = stream("Minutes", []);
  readonly typists: string[] = [];
  private readonly doc = new Y.Doc({ gc: false });
  private readonly updates: Uint8Array[] = [];
  private time = start;
  private fresh = 100;

  constructor() {
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== "log") this.updates.push(update);
    });
    this.doc.clientID = clientIds[0] ?? 0;
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText()]);
    this.doc.getXmlFragment("default").insert(0, [paragraph]);
    this.record(0);
  }

  type(txns: Trace["txns"], writer: number): void {
    this.doc.clientID = clientIds[writer] ?? 0;
    const text = paragraphText(this.doc);
    // A replacement is two edits, as typed: in a single edit, letters that return at once count as
    // kept.
    for (const [position, deleted, inserted] of txns.flatMap(({ patches }) => patches)) {
      if (deleted > 0) text.delete(position, deleted);
      if (inserted !== "") text.insert(position, inserted);
      const typed = Array.from({ length: inserted.length }, () => people[writer] ?? "");
      this.typists.splice(position, deleted, ...typed);
    }
    this.record(writer);
  }

  restore(writer: number, request: RestoreRequest): number | null {
    const clientId = (this.fresh += 1);
    const eventId = `00000000-0000-4000-8000-${String(clientId).padStart(12, "0")}`;
    const userId = people[writer] ?? "";
    const preview = previewOf(request, this.rows, {
      userId,
      clientId,
      time: (this.time += 1_000),
      eventId,
    });
    if (preview === null) return null;
    const { type, body, update, clientIds: clients } = preview;
    const version = this.rows.length + 1;
    this.rows.push(
      row({ actorId: userId, type, body, update, clientIds: clients, version }, this.time),
    );
    const payload = update && (readCopyIn(update)?.payload ?? update);
    for (const edit of payload ? decodeEdits(payload, this.time) : [])
      Y.applyUpdate(this.doc, edit.update, "log");
    return version;
  }

  private record(writer: number): void {
    const edits = this.updates.splice(0).map((update) => ({ update, time: (this.time += 120) }));
    if (edits.length === 0) return;
    this.rows.push(
      row(
        {
          version: this.rows.length + 1,
          actorId: people[writer] ?? "",
          update: encodeEdits(edits),
          clientIds: [clientIds[writer] ?? 0],
        },
        this.time,
      ),
    );
  }
}

describe.each(["json-crdt-patch", "seph-blog1"] as const)(
  "restores in the recorded session %s",
  (name) => {
    const trace = readTrace(name);
    if (trace === null) {
      it.skip(absent(name));
      return;
    }
    it("[UNDERSTAND-20] a restore and its undo every thousand edits change no attribution", () => {
      const session = new RecordedSession();
      const txns = trace.txns.slice(0, Math.min(limit, trace.txns.length));
      let restored = 0;
      for (let done = 0; done < txns.length; done += batch) {
        session.type(txns.slice(done, done + batch), Math.floor(done / turn) % 3);
        if ((done + batch) % restoredEvery !== 0) continue;
        const before = openTimeline(session.rows);
        // An early moment, a late one, and in turn one author's changes.
        const index = Math.floor(before.length * [0.1, 0.5, 0.9][restored % 3]!);
        const author = people[restored % 3] ?? "";
        const request: RestoreRequest =
          restored % 2 === 0
            ? { kind: "revision", timeline: before, index }
            : { kind: "author", timeline: before, author, from: index, to: before.length - 1 };
        const version = session.restore((restored + 1) % 3, request);
        if (version === null) throw new Error("The restore changed nothing");
        const actorId = session.rows[version - 1]?.actorId ?? "";
        session.restore((restored + 2) % 3, {
          kind: "events",
          from: version,
          to: version,
          actorId,
        });
        const after = openTimeline(session.rows);
        for (const [statement, tell] of Object.entries(tells))
          expect([statement, tell(after, before.version)]).toEqual([
            statement,
            tell(before, before.version),
          ]);
        const authors = passagesAt(after, after.length - 1).flatMap(({ text, author: by }) =>
          Array.from({ length: text.length }, () => after.authors[by]),
        );
        expect(authors).toEqual(session.typists);
        restored += 1;
      }
      expect(restored).toBe(Math.floor(txns.length / restoredEvery));
      const timeline = openTimeline(session.rows);
      if (txns.length === trace.txns.length)
        expect(pageAt(timeline, timeline.length - 1).text).toBe(trace.endContent);
    });
  },
);
