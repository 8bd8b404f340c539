import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { compareRevisions } from "@/events/analysis/comparison/comparison";
import { redact } from "@/events/crdt/payload/redaction";
import { pageAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import type { Appended } from "@/events/log/store";
import { standInPlace } from "@/events/crdt/payload/tombstone-payload";
import { roleOf } from "@/events/analysis/comparison/node-roles";
import { rebasedPreview, recordPreview, sameInEffect } from "./restore-recording";
import { previewOf } from "./restore-preview";
import type { RestorePreview, RestoreRequest } from "./restore";

const start = Date.UTC(2026, 10, 14);
const known = new Set(["default", "paragraph"]);

/** A document's log that refuses events on an old version, with the people who write to it. */
class Log {
  rows: TimelineRow[] = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
  ];
  private clients = 100;

  write(
    actorId: string,
    change: (root: Y.XmlFragment, textblock: (index: number) => Y.XmlText) => void,
  ): void {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, openTimeline(this.rows).state());
    doc.clientID = this.clients += 1;
    const root = doc.getXmlFragment("default");
    const before = Y.encodeStateVector(doc);
    doc.transact(() =>
      change(root, (index) => {
        const block = root.get(index);
        const text = block instanceof Y.XmlElement ? block.get(0) : null;
        if (!(text instanceof Y.XmlText)) throw new Error(`Block ${index} holds no text.`);
        return text;
      }),
    );
    this.take({ actorId, clientIds: [doc.clientID], update: Y.encodeStateAsUpdate(doc, before) });
  }

  redact(version: number): void {
    const event = this.rows[version - 1];
    if (!event?.update) throw new Error("There is nothing to redact.");
    const update = redact(event.update, Date.parse(event.clientTime), known);
    this.rows[version - 1] = { ...event, update: standInPlace(update) };
    this.take({
      actorId: "Ana",
      type: "document.redacted",
      body: { event: event.id, reason: "" },
      update,
    });
  }

  preview(restoreRequest: RestoreRequest, clientId = (this.clients += 1)): RestorePreview | null {
    return previewOf(restoreRequest, this.rows, {
      userId: "Ben",
      clientId,
      time: start + 10 ** 6,
      eventId: "00000000-0000-4000-8000-000000000099",
    });
  }

  append({ base, type, body, update, clientIds }: RestorePreview): Appended {
    if (base !== this.rows.length)
      return { ok: false, refusal: { name: "version-conflict", detail: "" } };
    const { id, version, recordedAt, toPhase } = this.take({
      actorId: "Ben",
      type,
      body,
      update,
      clientIds,
    });
    return { ok: true, rulings: [{ id, version, hash: "", recordedAt, toPhase }] };
  }

  /** Confirms the displayed preview. `meanwhile` runs before each append. */
  confirm(
    restoreRequest: RestoreRequest,
    shown: RestorePreview,
    meanwhile: (attempt: number) => void = () => undefined,
  ) {
    let attempt = 0;
    return recordPreview(shown, {
      append: (preview) => {
        meanwhile((attempt += 1));
        return Promise.resolve(this.append(preview));
      },
      previewAgain: () => Promise.resolve(this.preview(restoreRequest, shown.clientIds[0])),
      agrees: sameInEffect,
    });
  }

  /** Confirms again, after others appended first once and the new preview was displayed. */
  confirmAgain(
    restoreRequest: RestoreRequest,
    shown: RestorePreview,
    meanwhile: (attempt: number) => void = () => undefined,
  ) {
    let attempt = 0;
    const read = (_stream: string, after: number) => Promise.resolve(this.rows.slice(after));
    return recordPreview(shown, {
      append: (preview) => {
        meanwhile((attempt += 1));
        return Promise.resolve(this.append(preview));
      },
      rebase: (preview) => rebasedPreview({ read }, "d", preview),
      previewAgain: () => Promise.resolve(this.preview(restoreRequest, shown.clientIds[0])),
      agrees: sameInEffect,
    });
  }

  get timeline() {
    return openTimeline(this.rows);
  }

  get text(): string {
    const { timeline } = this;
    expect(timeline.anomalies).toEqual([]);
    return pageAt(timeline, timeline.length - 1).text;
  }

  private take(fields: Partial<TimelineRow> & Pick<TimelineRow, "actorId">): TimelineRow {
    const next = row({ version: this.rows.length + 1, ...fields }, start + this.rows.length * 1000);
    this.rows.push(next);
    return next;
  }
}

function paragraph(words: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

/** Creates three paragraphs, of which the second was deleted and the third grew. */
function written() {
  const log = new Log();
  log.write("Ana", (root) =>
    root.insert(0, ["The first.", "The second.", "The third."].map(paragraph)),
  );
  log.write("Ana", (root) => root.delete(1, 1));
  log.write("Carol", (_, textblock) => textblock(1).insert(10, " And more."));
  return log;
}

function shownOf(log: Log, restoreRequest: RestoreRequest): RestorePreview {
  const preview = log.preview(restoreRequest);
  if (!preview) throw new Error("There is nothing to show.");
  return preview;
}

describe("a shown and confirmed restore", () => {
  const passage = (log: Log): RestoreRequest => {
    const { timeline } = log;
    const change = compareRevisions(timeline, 1, timeline.length - 1, roleOf).changes.find(
      ({ out }) => out.includes("second"),
    );
    if (!change) throw new Error("The second paragraph is not gone.");
    return { kind: "passage", timeline, index: 1, change };
  };

  it("[ACT-14] is recorded once if two people confirm the same, and the other one is informed", async () => {
    for (const restoreRequestOf of [
      passage,
      (log: Log): RestoreRequest => ({ kind: "revision", timeline: log.timeline, index: 1 }),
    ]) {
      const log = written();
      const restoreRequest = restoreRequestOf(log);
      const [one, other] = [shownOf(log, restoreRequest), shownOf(log, restoreRequest)];
      expect(await log.confirm(restoreRequest, one)).toEqual({ state: "recorded", version: 5 });
      const after = log.text;
      expect(after.match(/second/g)).toHaveLength(1);
      expect(["nothing", "differs"]).toContain((await log.confirm(restoreRequest, other)).state);
      expect(log.text).toBe(after);
    }
  });

  it("[ACT-14] is recorded after what others write elsewhere, however often they are quicker", async () => {
    const log = written();
    const restoreRequest = passage(log);
    const shown = shownOf(log, restoreRequest);
    const recorded = await log.confirm(
      restoreRequest,
      shown,
      (attempt) =>
        attempt < 6 && log.write("Carol", (_, textblock) => textblock(0).insert(4, `${attempt} `)),
    );
    expect(recorded).toEqual({ state: "recorded", version: 10 });
    expect(log.text).toBe("The 5 4 3 2 1 first.\nThe second.\nThe third. And more.");
  });

  it("[ACT-16] is recorded as shown the second time, however often others write into it", async () => {
    const log = written();
    const restoreRequest: RestoreRequest = { kind: "revision", timeline: log.timeline, index: 1 };
    const types = () =>
      log.write("Carol", (_, textblock) => textblock(1).insert(textblock(1).length, "."));
    const first = await log.confirm(
      restoreRequest,
      shownOf(log, restoreRequest),
      (attempt) => attempt < 2 && types(),
    );
    if (first.state !== "differs") throw new Error(`It was ${first.state}.`);
    types();
    const second = await log.confirmAgain(
      restoreRequest,
      first.preview,
      (attempt) => attempt < 6 && types(),
    );
    expect(second).toMatchObject({ state: "recorded" });
    // The displayed text is removed. The six letters inserted after the display are still there.
    expect(log.text).toBe("The first.\nThe second.\nThe third.......");
  });

  it("[ACT-16] is shown again after the second time if others did more than write", async () => {
    const log = written();
    const restoreRequest = passage(log);
    const shown = shownOf(log, restoreRequest);
    log.redact(2);
    const recorded = await log.confirmAgain(restoreRequest, shown);
    expect(recorded.state).toBe("differs");
    expect(log.text).not.toContain("second");
  });

  it("[ACT-14] is given up without a record if others are always quicker", async () => {
    const log = written();
    const restoreRequest = passage(log);
    const recorded = await log.confirm(restoreRequest, shownOf(log, restoreRequest), () =>
      log.write("Carol", (_, textblock) => textblock(0).insert(0, "x")),
    );
    expect(recorded.state).toBe("busy");
    expect(log.text).not.toContain("second");
  });

  it("[ACT-14] is shown again if another person wrote into what it removes", async () => {
    const log = written();
    const restoreRequest: RestoreRequest = { kind: "revision", timeline: log.timeline, index: 1 };
    const shown = shownOf(log, restoreRequest);
    log.write("Carol", (_, textblock) => textblock(1).insert(15, "much "));
    const before = log.text;
    const recorded = await log.confirm(restoreRequest, shown);
    if (recorded.state !== "differs") throw new Error(`It was ${recorded.state}.`);
    expect(log.text).toBe(before);
    const { timeline, now } = recorded.preview;
    expect(pageAt(timeline, now).text).toBe(before);
    expect(await log.confirm(restoreRequest, recorded.preview)).toMatchObject({
      state: "recorded",
    });
    expect(log.text).toBe("The first.\nThe second.\nThe third.");
  });

  it("[ACT-14] does not restore redacted words, in the text or as a quote", async () => {
    const log = written();
    const restoreRequest = passage(log);
    const shown = shownOf(log, restoreRequest);
    expect(shown.body).toMatchObject({ quote: "The second." });
    log.redact(2);
    const recorded = await log.confirm(restoreRequest, shown);
    if (recorded.state !== "differs") throw new Error(`It was ${recorded.state}.`);
    expect(recorded.preview.body).toMatchObject({ quote: null });
    await log.confirm(restoreRequest, recorded.preview);
    expect(log.text).not.toContain("second");
  });
});
