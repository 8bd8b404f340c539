import { setTimeout as delay } from "node:timers/promises";
import * as Y from "yjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transport } from "@/events/realtime/channel";
import { status } from "@/machines/sync/sync-status";
import { messagesPerSecond } from "@/supabase/realtime-plan";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet, write } from "@/tests/support/writers/writers";
import type { Writer } from "@/tests/support/writers/writers";

/**
 * Counts outgoing updates, and how often the server closed a channel. The server counts messages on
 * arrival.
 */
class Meter {
  updates = 0;
  limited = 0;

  heard(transport: Transport): Transport {
    return {
      refresh: () => transport.refresh(),
      join: (topic, listener) => {
        const channel = transport.join(topic, {
          ...listener,
          lost: (reason) => {
            if (reason.limited) this.limited += 1;
            listener.lost(reason);
          },
        });
        return {
          ...channel,
          send: (event, payload) => {
            if (event === "y-supabase-update") this.updates += 1;
            channel.send(event, payload);
          },
        };
      },
    };
  }
}

const textblockOf = ({ live }: Pick<Writer, "live">): Y.XmlText | null => {
  const paragraph = live.fragment.get(0);
  const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  return textblock instanceof Y.XmlText ? textblock : null;
};

async function gathered(
  stack: Stack,
  names: string[],
  meter: Meter,
  messageLimit?: number,
): Promise<Writer[]> {
  const people = [];
  for (const name of names) people.push(await signUp(stack, name));
  const documentId = await meet(people);
  const heard = (transport: Transport) => meter.heard(transport);
  const writers = people.map((person) =>
    write(person, documentId, messageLimit === undefined ? { heard } : { heard, messageLimit }),
  );
  await Promise.all(writers.map(({ live }) => live.loaded));
  const [first] = writers;
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText()]);
  first?.live.fragment.insert(0, [paragraph]);
  for (const writer of writers)
    writer.live.awareness.setLocalState({ user: writer.person.user.id });
  await expect
    .poll(
      () =>
        writers.every(
          (writer) => textblockOf(writer) !== null && writer.live.people.length === names.length,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
  return writers;
}

/** Lets all writers type a letter of their own every 100 ms, and move their carets. */
async function typeAll(writers: Writer[], letters: number, each: () => void) {
  for (let count = 0; count < letters; count += 1) {
    writers.forEach(({ live }, index) => {
      textblockOf({ live })?.insert(0, String.fromCharCode(97 + index));
      live.awareness.setLocalStateField("cursor", count);
    });
    each();
    await delay(100);
  }
}

describe("the message budget", () => {
  const stacks: Stack[] = [];
  const start = async (env: Record<string, string>) => {
    const stack = await startStack({ env });
    stacks.push(stack);
    return stack;
  };
  let free: Stack;
  let unlimited: Stack;
  beforeAll(async () => {
    [free, unlimited] = await Promise.all([start({ REALTIME_PLAN: "free" }), start({})]);
  });
  afterAll(() => Promise.all(stacks.map((stack) => stack.dispose())));

  it("[SYNC-15] keeps seven concurrent writers within the free plan, and delivers everything", async () => {
    const meter = new Meter();
    const writers = await gathered(
      free,
      ["Ana", "Ben", "Carol", "Dan", "Eve", "Finn", "Gil"],
      meter,
      messagesPerSecond.free,
    );
    const sentences = new Set<string>();
    // The plan counts per second. Only the soak types for half a minute.
    const letters = process.env.SOAK ? 300 : 100;
    await typeAll(writers, letters, () =>
      sentences.add(status(writers[0]!.live.sync.getSnapshot()).sentence),
    );
    const all = [..."abcdefg"].map((letter) => letter.repeat(letters)).join("");
    const texts = () =>
      writers.map((writer) => [...(textblockOf(writer)?.toString() ?? "")].sort().join(""));
    await expect.poll(texts, { timeout: 60_000 }).toEqual(writers.map(() => all));
    await expect
      .poll(() => writers.map(({ live }) => status(live.sync.getSnapshot()).label), {
        timeout: 60_000,
      })
      .toEqual(writers.map(() => "Saved"));
    expect(meter.updates).toBeGreaterThan(writers.length);
    expect(meter.limited).toBe(0);
    expect(
      [...sentences].some((sentence) =>
        /Others see your letters after about \d+ s/u.test(sentence),
      ),
    ).toBe(true);
    expect(free.output()).not.toContain("Too many messages");
    for (const { live } of writers) void live.close();
  });

  it("[SYNC-15] sends every letter at once without a plan", async () => {
    const meter = new Meter();
    const writers = await gathered(unlimited, ["Ana", "Ben"], meter);
    const before = meter.updates;
    const letters = 50;
    const seen: number[] = [];
    await typeAll(writers, letters, () => seen.push(meter.updates - before));
    // Both writers have sent each letter in the step in which it was typed.
    expect(seen).toEqual(Array.from({ length: letters }, (_, index) => (index + 1) * 2));
    for (const { live } of writers) void live.close();
  });
});
