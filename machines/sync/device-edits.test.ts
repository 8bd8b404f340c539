import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxBox } from "@/events/device/outbox";
import { StoreFault } from "@/events/log/store";
import { fromLog, logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";
import { device, labelOf, never, sentenceOf } from "./device-world.fixture";

describe("unsent edits on the device", () => {
  it.each(["was read", "was brought with the page"])(
    "[SYNC-41] are not applied again when the log, which %s, has them already, during a rebuild",
    async (how) => {
      const { clock, backend, outbox, open } = device();
      const plain = backend.tab("ana", "1").store();
      const boxes: OutboxBox[] = [];
      const first = open("1", {
        // The append is recorded, but its answer never arrives.
        store: {
          ...plain,
          append: (...call) => plain.append(...call).then(() => never<never>()),
          read: () => never(),
        },
        outbox: {
          ...outbox,
          open: async (scope) => (boxes.push(await outbox.open(scope)), boxes[0] ?? never()),
        },
      });
      const before = how === "was read" ? open("2", { outbox }) : null;
      await clock.advance(1_000);
      type(first, "once");
      await clock.advance(5_000);
      const second = before ?? open("2", { outbox, initial: fromLog(backend).state() });
      await clock.advance(5_000);
      expect(textOf(second)).toBe("once");
      let composed = () => {};
      const composing = new Promise<void>((resolve) => (composed = resolve));
      let busy: Promise<void> | null = composing;
      second.show({ composition: () => null, settle: () => busy, rebind: () => {} });
      second.letGo();
      if (boxes[0]) outbox.crash(boxes[0]);
      await clock.advance(30_000);
      busy = null;
      composed();
      await clock.advance(30_000);
      expect(logText(backend)).toBe("once");
      expect(textOf(second)).toBe("once");
      expect(labelOf(second)).toBe("Saved");
    },
  );

  it(
    "[SYNC-40] are not shown as saved while the device has no room to hand them over, and " +
      "are sent once it has",
    async () => {
      const { clock, backend, open, outbox, crash, appends } = device();
      const first = open("1");
      await clock.advance(1_000);
      appends("fails");
      type(first, "unsent");
      await clock.advance(100);
      crash("1");
      appends("works");
      let full = true;
      const cramped: Outbox = {
        ...outbox,
        async open(scope) {
          const box = await outbox.open(scope);
          return {
            ...box,
            takeOverLeftovers: () =>
              full
                ? Promise.reject(new DOMException("no room", "QuotaExceededError"))
                : box.takeOverLeftovers(),
          };
        },
      };
      const second = open("2", { outbox: cramped });
      const labels: string[] = [];
      second.sync.subscribe(() => labels.push(labelOf(second)));
      await clock.advance(5_000);
      expect(labels).not.toContain("Saved");
      await clock.advance(40_000);
      expect(labelOf(second)).toBe("Not saved");
      expect(sentenceOf(second)).toContain("Free some space");
      full = false;
      await clock.advance(30_000);
      expect(labelOf(second)).toBe("Saved");
      expect(logText(backend)).toBe("unsent");
    },
  );

  it("[SYNC-43] stay with a closed page whose browser stores nothing and whose session ended", async () => {
    const { clock, backend, open: openIn } = world();
    const tab = backend.tab("ana", "1");
    const plain = tab.store();
    let out = false;
    const live = openIn(tab, {
      outbox: {
        ...memoryOutbox(),
        open: () => Promise.reject(new DOMException("none", "SecurityError")),
      },
      store: {
        ...plain,
        append: (...call) =>
          out ? Promise.reject(new StoreFault("signed out", 401)) : plain.append(...call),
      },
    });
    await clock.advance(1_000);
    out = true;
    type(live, "typed in vain");
    await clock.advance(3_000);
    void live.close();
    await clock.advance(1_000);
    out = false;
    await clock.advance(60_000);
    expect(logText(backend)).toBe("typed in vain");
  });

  it.each(["fails", "hangs"] as const)(
    "[SYNC-41] are taken over from the flush by the tab that shows their document, while sending %s",
    async (how) => {
      const { clock, backend, open, flush, crash, appends } = device();
      const first = open("1");
      await clock.advance(1_000);
      appends(how);
      type(first, "unsent");
      await clock.advance(100);
      crash("1");
      const flushed = flush();
      await clock.advance(3_000);
      const labels: string[] = [];
      const second = open("2");
      second.sync.subscribe(() => labels.push(labelOf(second)));
      await clock.advance(3_000);
      expect(textOf(second)).toBe("unsent");
      expect(labels).not.toContain("Saved");
      expect(await flushed).toEqual([]);
      appends("works");
      second.sync.send({ type: "retry" });
      await clock.until(() => labelOf(second) === "Saved", 150_000);
      expect(logText(backend)).toBe("unsent");
      expect(backend.log(stream)).toHaveLength(1);
    },
  );

  it("[SYNC-41] are taken over from a closed document that still tries to send", async () => {
    const { clock, backend, open, appends } = device();
    const first = open("1");
    await clock.advance(1_000);
    appends("hangs");
    type(first, "unsent");
    await clock.advance(2_000);
    void first.close();
    const second = open("2");
    await clock.advance(2_000);
    expect(textOf(second)).toBe("unsent");
    expect(labelOf(second)).not.toBe("Saved");
    appends("works");
    await clock.until(() => labelOf(second) === "Saved", 150_000);
    expect(logText(backend)).toBe("unsent");
    expect(backend.log(stream)).toHaveLength(1);
  });

  it("[SYNC-41] stay with a page that cannot store them on the device", async () => {
    const { clock, backend, outbox, open, appends } = device();
    const full: Pick<Outbox, "open"> = {
      open: async (scope) => ({
        ...(await outbox.open(scope)),
        write: () => Promise.reject(new DOMException("full", "QuotaExceededError")),
      }),
    };
    const first = open("1", { outbox: full });
    await clock.advance(1_000);
    appends("hangs");
    type(first, "only here");
    await clock.advance(1_500);
    appends("works");
    void first.close();
    const second = open("2");
    const other = await outbox.open({ userId: "ana", documentId: stream });
    other.want();
    await clock.advance(120_000);
    expect(logText(backend)).toBe("only here");
    expect(textOf(second)).toBe("only here");
  });

  it(
    '[SYNC-40] in another living tab keep a page from saying "Saved", and are shown as ' +
      "stuck there after a while",
    async () => {
      const { clock, open, appends } = device();
      const [first, second] = [open("1"), open("2")];
      await clock.advance(1_000);
      expect([first, second].map(labelOf)).toEqual(["Saved", "Saved"]);
      appends("fails");
      type(first, "unsent");
      await clock.advance(1_000);
      expect(labelOf(second)).toBe("Saving…");
      await clock.advance(25_000);
      expect(labelOf(second)).toBe("Not saved");
      expect(sentenceOf(second)).toContain("another tab");
      appends("works");
      first.sync.send({ type: "retry" });
      await clock.advance(2_000);
      expect([first, second].map(labelOf)).toEqual(["Saved", "Saved"]);
    },
  );

  it("[SYNC-40] of a working tab are never shown as stuck", async () => {
    const { clock, open } = device();
    const [first, second] = [open("1"), open("2")];
    const labels = new Set<string>();
    second.sync.subscribe(() => labels.add(labelOf(second)));
    for (let letter = 0; letter < 120; letter += 1) {
      type(first, "a");
      await clock.advance(300);
    }
    expect(labels).not.toContain("Not saved");
    await clock.advance(2_000);
    expect(labelOf(second)).toBe("Saved");
  });

  it("[SYNC-40] are assumed until the device has answered", async () => {
    const { clock, outbox, open } = device();
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const slow: Pick<Outbox, "open"> = {
      open: async (scope) => {
        const box = await outbox.open(scope);
        return { ...box, takeOverLeftovers: () => asked.then(() => box.takeOverLeftovers()) };
      },
    };
    const ana = open("1", { outbox: slow });
    await clock.advance(2_000);
    expect(labelOf(ana)).not.toBe("Saved");
    answer();
    await clock.advance(100);
    expect(labelOf(ana)).toBe("Saved");
  });

  it(
    "[SYNC-42] are sent though others beside them are damaged, which the page reports " +
      "and keeps until they are forgotten",
    async () => {
      const { clock, backend, boxes, open, crash } = device();
      const first = open("1", {
        store: {
          ...backend.tab("ana", "1").store(),
          append: () => Promise.reject(new StoreFault("down", 503)),
        },
      });
      await clock.advance(1_000);
      type(first, "whole");
      await clock.advance(100);
      const letters = new TextEncoder().encode("\u0001\u0002damaged words\u0003");
      await boxes[0]?.write({
        put: [
          { kind: "broken", key: "0", found: null },
          { kind: "edit", key: "1", update: letters, time: 5 },
        ],
      });
      crash("1");
      const second = open("2");
      await clock.advance(3_000);
      expect(logText(backend)).toBe("whole");
      expect(textOf(second)).toBe("whole");
      expect(status(second.sync.getSnapshot())).toMatchObject({
        label: "Not saved",
        action: "copy",
      });
      expect(sentenceOf(second)).toContain("2 changes kept on this device are damaged");
      expect(second.unsavedText()).toBe("damaged words");
      second.forgetOrphaned();
      await clock.advance(100);
      expect(labelOf(second)).toBe("Saved");
    },
  );

  it("[OFFLINE-11] can be discarded, and no tab sends them then", async () => {
    const { clock, backend, outbox, open } = device();
    const ana = open("1");
    await clock.advance(1_000);
    type(ana, "logged ");
    await clock.advance(2_000);
    backend.allow("ana", "viewer");
    ana.setAccess("read");
    ana.setAccess("write");
    type(ana, "refused");
    await clock.advance(2_000);
    ana.setAccess("read");
    expect(ana.unsavedText()).toBe("refused");
    ana.letGo();
    await clock.advance(2_000);
    expect(textOf(ana)).toBe("logged ");
    expect(labelOf(ana)).toBe("Saved");
    expect(await outbox.documents("ana")).toEqual([]);
  });
});
