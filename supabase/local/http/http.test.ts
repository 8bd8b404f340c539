import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { BodyTooLarge, chunksIn, readBody } from "./http";
import { BodyTooSlow } from "./pace";
import { ManualClock, settled } from "../realtime/fake-client";

const most = 1_024 * 1_024;

/** Creates a request whose body arrives in chunks of this size. */
function incoming(bytes: number, chunk: number): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  for (let left = bytes; left > 0; left -= chunk) message.push(Buffer.alloc(Math.min(left, chunk)));
  message.push(null);
  return message;
}

async function streamed(message: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of chunksIn(message, most)) size += chunk.byteLength;
  return size;
}

const read = async (message: IncomingMessage) => (await readBody(message, most)).byteLength;

test.each([
  ["read whole", read],
  ["handed on as it comes", streamed],
])("[LIMIT-4] a body that is %s may reach its limit, and no more", async (_, taken) => {
  for (const chunk of [65_536, 1_000_003, 2 * most]) {
    expect(await taken(incoming(most - 1, chunk))).toBe(most - 1);
    expect(await taken(incoming(most, chunk))).toBe(most);
    await expect(taken(incoming(most + 1, chunk))).rejects.toThrow(BodyTooLarge);
  }
});

/** Creates a request without data so far, and a function that reads it with a manual clock. */
function slowly(how: "whole" | "in chunks") {
  const message = new IncomingMessage(new Socket());
  const clock = new ManualClock();
  const read = async () => {
    if (how === "whole") return (await readBody(message, most, clock)).byteLength;
    let size = 0;
    for await (const chunk of chunksIn(message, most, clock)) size += chunk.byteLength;
    return size;
  };
  const taken = read();
  taken.catch(() => undefined);
  const bring = async (bytes: number, ms: number) => {
    message.push(Buffer.alloc(bytes));
    await settled();
    clock.advance(ms);
    await settled();
  };
  return { message, taken, bring };
}

describe.each(["whole", "in chunks"] as const)("[DOOR-42] a body that is read %s", (how) => {
  test("may arrive at 1 kB a second", async () => {
    const { message, taken, bring } = slowly(how);
    for (let second = 0; second < 100; second += 1) await bring(1_000, 1_000);
    message.push(null);
    expect(await taken).toBe(100_000);
  });

  test("may pause for seconds", async () => {
    const { message, taken, bring } = slowly(how);
    await bring(1, 9_000);
    await bring(50_000, 9_000);
    await bring(50_000, 9_000);
    message.push(null);
    expect(await taken).toBe(100_001);
  });

  test.each([
    ["at its beginning", 0],
    ["after most of it came", 100_000],
  ])("is cut off when it arrives more slowly %s", async (_when, before) => {
    const { taken, bring } = slowly(how);
    if (before > 0) await bring(before, 10_000);
    for (let second = 0; second < 11; second += 1) await bring(900, 1_000);
    await expect(taken).rejects.toThrow(BodyTooSlow);
  });
});

test("[DOOR-42] a body does not time out while its reader is slow", async () => {
  const message = new IncomingMessage(new Socket());
  const clock = new ManualClock();
  const chunks = chunksIn(message, most, clock);
  message.push(Buffer.alloc(100));
  expect((await chunks.next()).value?.byteLength).toBe(100);
  clock.advance(600_000);
  message.push(Buffer.alloc(200));
  message.push(null);
  expect((await chunks.next()).value?.byteLength).toBe(200);
  expect((await chunks.next()).done).toBe(true);
});
