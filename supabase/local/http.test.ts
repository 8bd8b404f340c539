import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { BodyTooLarge, chunksIn, readBody } from "./http";

const most = 1_024 * 1_024;

/** A request whose body comes in chunks of this size. */
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
])("[LIMIT-4] a body that is %s may hold as much as is said, and no more", async (_, taken) => {
  for (const chunk of [65_536, 1_000_003, 2 * most]) {
    expect(await taken(incoming(most - 1, chunk))).toBe(most - 1);
    expect(await taken(incoming(most, chunk))).toBe(most);
    await expect(taken(incoming(most + 1, chunk))).rejects.toThrow(BodyTooLarge);
  }
});
