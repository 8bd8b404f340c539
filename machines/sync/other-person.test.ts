import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import { flushOutbox } from "./outbox-flush";
import { logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/** Opens a tab of Ana in a browser whose session another tab can replace. */
function frozen() {
  const there = world();
  there.backend.allow("ben", "editor");
  const tab = there.backend.tab("ana", "1");
  const outbox = memoryOutbox();
  const live = there.open(tab, { outbox });
  const authors = () => there.backend.log(stream).map(({ actorId }) => actorId);
  const shown = () => status(live.sync.getSnapshot());
  return { ...there, tab, live, outbox, authors, shown };
}

describe("text of one person under the session of another", () => {
  it("[ACC-50] is kept where it is, and sent once its writer is back", async () => {
    const { clock, backend, tab, live, outbox, authors, shown } = frozen();
    await clock.advance(5_000);
    tab.session = "ben";
    type(live, "words of Ana's");
    await clock.advance(60_000);
    expect(logText(backend)).not.toContain("words of Ana's");
    expect(authors()).not.toContain("ben");
    expect(shown()).toMatchObject({ label: "Not saved", action: "sign-in" });
    expect(shown().sentence).toContain("on this device");
    expect(textOf(live)).toContain("words of Ana's");
    expect(await outbox.documents("ana")).toEqual([stream]);
    expect(await outbox.documents("ben")).toEqual([]);

    tab.session = "ana";
    live.resume();
    await clock.advance(20_000);
    expect(logText(backend)).toContain("words of Ana's");
    expect(new Set(authors())).toEqual(new Set(["ana"]));
    expect(shown().label).toBe("Saved");
  });

  it("[ACC-50] is not sent by the next tab either, after its own has closed", async () => {
    const { clock, backend, tab, live, outbox, authors, random } = frozen();
    await clock.advance(5_000);
    tab.session = "ben";
    type(live, "words of Ana's");
    await clock.advance(1_000);
    const closing = live.close();
    await clock.advance(120_000);
    await closing;
    const next = backend.tab("ana", "2");
    next.session = "ben";
    const flush = () =>
      flushOutbox({
        userId: "ana",
        store: next.store(),
        outbox,
        locks: { hold: async () => () => undefined },
        clock,
        random,
        schemaVersion: 1,
      });
    const first = flush();
    await clock.advance(120_000);
    expect(await first).toEqual([]);
    expect(authors()).not.toContain("ben");
    expect(await outbox.documents("ana")).toEqual([stream]);
    next.session = "ana";
    const second = flush();
    await clock.advance(60_000);
    expect(await second).toEqual([]);
    expect(logText(backend)).toContain("words of Ana's");
    expect(new Set(authors())).toEqual(new Set(["ana"]));
  });
});
