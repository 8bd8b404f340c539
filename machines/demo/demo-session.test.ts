import { applyUpdate, Doc } from "yjs";
import { describe, expect, it } from "vitest";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { demoFork } from "./demo-pages";
import { demoForkEvents, demoGuideDocument, demoOtherDocuments, demoSession } from "./demo-session";

describe("the demo session", () => {
  const session = demoSession();

  it("[DEMO-1] takes about twenty minutes over three weeks, and ends in the agreed text", () => {
    const times = session.events.map(({ at }) => at / 60_000);
    const waits = times.map((at, index) => at - (times[index - 1] ?? 0));
    const minutes = waits.filter((wait) => wait < 30).reduce((sum, wait) => sum + wait, 0);
    expect(minutes).toBeGreaterThan(15);
    expect(minutes).toBeLessThan(25);
    // Each of the other waits starts a new session in the player.
    expect(waits.filter((wait) => wait >= 30)).toHaveLength(6);
    expect((times.at(-1) ?? 0) / (60 * 24)).toBeGreaterThan(18);
    expect((times.at(-1) ?? 0) / (60 * 24)).toBeLessThan(22);
    expect(session.text).toContain(
      "Monday: 14 to 17, newspapers and the reading room, with a volunteer at the desk",
    );
    expect(session.text).toContain(
      "We will count again in April, and change our minds if we were wrong.",
    );
    expect(session.text).not.toMatch(/lonegr|elven|reeding|lats|volnuteer|Wrong page/);
  });

  it(
    "[DEMO-1] has two authors, renames, a resolved comment thread, named " +
      "versions, and the trash and back",
    () => {
      const types = session.events.map(({ type }) => type);
      expect(types.filter((type) => type === "document.renamed")).toHaveLength(2);
      expect(types.indexOf("document.restored")).toBeGreaterThan(types.indexOf("document.trashed"));
      const commentEvents = session.events.filter(({ type }) => type === "comment.added");
      expect(commentEvents.length).toBeGreaterThan(3);
      expect(new Set(commentEvents.map(({ who }) => who)).size).toBe(2);
      expect(types.indexOf("thread.resolved")).toBeGreaterThan(types.indexOf("thread.opened"));
      expect(types.filter((type) => type === "version.named")).toHaveLength(3);
      const byBen = session.events.filter(({ who }) => who === "ben").length;
      expect(byBen).toBeGreaterThan(session.events.length / 5);
      expect(byBen).toBeLessThan((session.events.length * 4) / 5);
    },
  );

  it("[DEMO-2] is the same every time", () => {
    expect(demoSession().events).toEqual(session.events);
  });

  it("[DEMO-2] survives encoding, and no event depends on a later one", () => {
    const doc = new Doc();
    for (const { edits } of session.events) {
      if (edits.length === 0) continue;
      const start = edits[0]?.time ?? 0;
      const decoded = decodeEdits(encodeEdits(edits), start);
      expect(decoded.map(({ update }) => update)).toEqual(edits.map(({ update }) => update));
      for (const { update } of decoded) applyUpdate(doc, update);
      expect(doc.store.pendingStructs).toBeNull();
    }
    expect(
      doc
        .getXmlFragment("default")
        .toString()
        .replace(/<[^>]*>/g, "\n"),
    ).toBe(session.text);
  });

  it("[DEMO-3] comes with pages that both authors wrote", () => {
    for (const { events, text } of demoOtherDocuments()) {
      expect(new Set(events.map(({ who }) => who)).size).toBe(2);
      expect(text).not.toContain("nobel");
    }
    expect(demoOtherDocuments().map(({ key }) => key)).toEqual([
      "lending",
      "minutes",
      "rota",
      "keys",
    ]);
  });

  it("[DEMO-3] comes with a fork of a named version, which both authors continue", () => {
    const { events } = session;
    const named = events.findIndex(
      (event) => event.type === "version.named" && event.body.name === demoFork.version,
    );
    const [name] = events.slice(named);
    if (name?.type !== "version.named") throw new Error("The session names no such version");
    // The first events create the document and set its icon.
    expect(name.body.at).toBe(named + 2);
    const base = events.slice(0, named).flatMap(({ edits }) => edits.map(({ update }) => update));
    const fork = demoForkEvents(base, 2);
    expect(new Set(fork.map(({ who }) => who)).size).toBe(2);
    const doc = new Doc();
    for (const update of [
      ...base,
      ...fork.flatMap(({ edits }) => edits.map((edit) => edit.update)),
    ])
      applyUpdate(doc, update);
    const text = doc.getXmlFragment("default").toString();
    expect(text).toContain("on Mondays after all. Come in");
    expect(text).not.toContain("what we ask of you");
    const own = new Set(fork.flatMap(({ clientIds }) => clientIds));
    expect(events.some(({ clientIds }) => clientIds.some((id) => own.has(id)))).toBe(false);
  });

  it("[DEMO-3] comes with a guide", () => {
    expect(demoGuideDocument().text).toContain("nothing written here is ever overwritten");
  });
});
