import { describe, expect, it } from "vitest";
import { crashingOutbox, logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

describe("an open document", () => {
  it("shows a letter to others at once and has it in the log within about a second", async () => {
    const { clock, backend, open } = world();
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    type(ana, "h");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saving…");
    await clock.advance(20);
    expect(textOf(ben)).toBe("h");
    expect(backend.log(stream)).toHaveLength(0);
    await clock.advance(1_200);
    expect(logText(backend)).toBe("h");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("shows a caret to others without delay after the clock is set back", async () => {
    const { clock, backend, open } = world();
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    const seen = () => [...ben.awareness.getStates().values()].map(({ cursor }) => cursor);
    ana.awareness.setLocalState({ cursor: "here" });
    await clock.advance(200);
    expect(seen()).toContain("here");
    clock.set(-3_600_000);
    ana.awareness.setLocalState({ cursor: "there" });
    await clock.advance(200);
    expect(seen()).toContain("there");
  });

  it("[SYNC-1] loses no text when every broadcast is lost", async () => {
    const { clock, backend, open } = world();
    backend.weather.dropBroadcast = 1;
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    type(ana, "hello");
    await clock.advance(12_000);
    expect(textOf(ben)).toBe("hello");
    expect(backend.happened.dropped).toBeGreaterThan(0);
  });

  it("reads and writes through the log alone when there is no channel", async () => {
    const { clock, backend, open } = world();
    backend.deaf = true;
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    type(ana, "hello");
    await clock.advance(12_000);
    expect(textOf(ben)).toBe("hello");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-2] [SYNC-3] keeps unsent edits through a crash and sends them from the next tab, once", async () => {
    const { clock, backend, open } = world();
    const { outbox, plain, crash } = crashingOutbox();
    const tab = backend.tab("ana", "1");
    const ana = open(tab, { outbox });
    await clock.advance(1_000);
    backend.weather.loseAnswer = 1;
    type(ana, "first ");
    await clock.advance(1_000);
    backend.weather.loseAnswer = 0;
    type(ana, "second");
    await clock.advance(20);
    tab.setOffline(true);
    crash();
    expect(logText(backend)).toBe("first ");

    const again = open(backend.tab("ana", "2"), { outbox: plain });
    await clock.advance(5_000);
    expect(textOf(again)).toBe("first second");
    expect(logText(backend)).toBe("first second");
    expect(new Set(backend.log(stream).map(({ id }) => id)).size).toBe(backend.log(stream).length);
    expect(backend.happened.answersLost).toBeGreaterThan(0);
  });

  it("writes a paste that is larger than an event in several events", async () => {
    const { clock, backend, open } = world();
    const ana = open(backend.tab("ana", "1"));
    await clock.advance(1_000);
    const paste = Array.from({ length: 60_000 }, (_, index) => `wörd ${index} `).join("");
    type(ana, paste);
    await clock.advance(5_000);
    expect(backend.log(stream).length).toBeGreaterThan(1);
    for (const { update } of backend.log(stream))
      expect(update?.length ?? 0).toBeLessThan(512 * 1024);
    expect(logText(backend)).toBe(paste);
  });
});
