import { describe, expect, it } from "vitest";
import { stream, type } from "../sync/live-world.fixture";
import { anchor, threadsWorld } from "./threads-world.fixture";

describe("the threads of an open document", () => {
  it("are null until they are read, and then follow the log in every tab", async () => {
    const { clock, reading, tabOf } = threadsWorld();
    const [ana, ben] = [tabOf("ana"), tabOf("ben")];
    expect(ana.words()).toBeNull();
    await clock.advance(1_000);
    expect([ana.words(), ben.words()]).toEqual([[], []]);
    const { done } = ana.store.actions.open(anchor, "A question");
    expect(ana.words()).toEqual([["A question"]]);
    expect(ben.words()).toEqual([]);
    await clock.advance(1_000);
    expect(await done).toMatchObject({ ok: true });
    expect(ben.words()).toEqual([["A question"]]);
    expect(reading.count).toBe(2);
    // A tab that opens later reads the threads from the read models.
    const carol = tabOf("carol");
    await clock.advance(1_000);
    expect(carol.words()).toEqual([["A question"]]);
  });

  it("[COMMENT-1] are answered, edited, resolved, reopened and deleted", async () => {
    const { clock, tabOf } = threadsWorld();
    const [ana, ben] = [tabOf("ana"), tabOf("ben")];
    await clock.advance(1_000);
    const { thread } = ana.store.actions.open(anchor, "A question");
    await clock.advance(1_000);
    void ana.store.actions.resolve(thread);
    await clock.advance(1_000);
    expect(ben.threads().map(({ resolved }) => resolved)).toEqual([true]);
    const [found] = ben.threads();
    if (found) void ben.store.actions.answer(found, "An answer");
    await clock.advance(1_000);
    expect(ana.threads().map(({ resolved }) => resolved)).toEqual([false]);
    expect(ana.words()).toEqual([["A question", "An answer"]]);
    const [question, answer] = ana.threads()[0]?.comments ?? [];
    void ana.store.actions.edit(question?.id ?? "", "A better question");
    void ben.store.actions.remove(answer?.id ?? "");
    await clock.advance(1_000);
    const shown = ben.threads()[0]?.comments.map(({ text, deleted }) => [text, deleted]);
    expect(shown?.[0]).toEqual(["A better question", false]);
    expect(shown?.[1]?.[1]).toBe(true);
    expect(ana.threads()).toEqual(ben.threads());
  });

  it("disappear again when the database refuses them, with one message", async () => {
    const { clock, backend, tabOf } = threadsWorld();
    const ana = tabOf("ana");
    await clock.advance(1_000);
    backend.allow("ana", "viewer");
    const { done } = ana.store.actions.open(anchor, "A question");
    expect(ana.words()).toEqual([["A question"]]);
    await clock.advance(1_000);
    expect(await done).toMatchObject({ ok: false });
    expect(ana.words()).toEqual([]);
    expect(ana.refusals).toHaveLength(1);
  });

  it("are read until the server answers", async () => {
    const { clock, tabOf } = threadsWorld();
    const ana = tabOf("ana");
    ana.tab.setOffline(true);
    await clock.advance(5_000);
    expect(ana.words()).toBeNull();
    expect(ana.faults.length).toBeGreaterThan(0);
    ana.tab.setOffline(false);
    await clock.advance(10_000);
    expect(ana.words()).toEqual([]);
  });

  it("include what was recorded while they were being read", async () => {
    const { clock, reading, tabOf } = threadsWorld();
    const ana = tabOf("ana");
    await clock.advance(1_000);
    ana.store.actions.open(anchor, "Before");
    await clock.advance(1_000);
    // The answer of the read models arrives after the channel's notice.
    reading.delay = 3_000;
    const ben = tabOf("ben");
    await clock.advance(1_000);
    ana.store.actions.open(anchor, "Meanwhile");
    await clock.advance(1_000);
    expect(ben.words()).toBeNull();
    await clock.advance(2_000);
    expect(ben.words()).toEqual([["Before"], ["Meanwhile"]]);
  });

  it("lose words that were redacted, and are read again for it", async () => {
    const { clock, backend, redacted, reading, tabOf } = threadsWorld();
    const ana = tabOf("ana");
    await clock.advance(1_000);
    ana.store.actions.open(anchor, "A secret");
    await clock.advance(1_000);
    const id = ana.threads()[0]?.comments[0]?.id ?? "";
    redacted.add(id);
    backend.append("ben", stream, [
      {
        id: "the redaction",
        type: "document.redacted",
        body: { event: "the comment", reason: "" },
      },
    ]);
    await clock.advance(2_000);
    expect(ana.words()).toEqual([[""]]);
    expect(reading.count).toBe(2);
  });

  it("are read again when the log is rolled back to an older backup", async () => {
    const { clock, backend, tabOf } = threadsWorld();
    const writer = tabOf("ana");
    await clock.advance(1_000);
    type(writer.live, "Some words");
    await clock.advance(2_000);
    writer.store.actions.open(anchor, "Lost with the backup");
    await clock.advance(1_000);
    // A page reads its threads again once it shows the text.
    writer.disconnect();
    writer.connect();
    await clock.advance(1_000);
    expect(writer.words()).toEqual([["Lost with the backup"]]);
    backend.putBack(stream, 1);
    await clock.advance(20_000);
    expect(writer.words()).toEqual([]);
  });

  it("end with the connection, and are read again by the next one", async () => {
    const { clock, tabOf } = threadsWorld();
    const ana = tabOf("ana");
    await clock.advance(1_000);
    ana.store.actions.open(anchor, "A question");
    await clock.advance(1_000);
    let changes = 0;
    ana.store.subscribe(() => (changes += 1));
    ana.disconnect();
    expect(ana.words()).toBeNull();
    expect(changes).toBe(1);
    expect(() => ana.store.actions.open(anchor, "Too late")).toThrow("threads are not open");
    ana.connect();
    await clock.advance(1_000);
    expect(ana.words()).toEqual([["A question"]]);
  });
});
