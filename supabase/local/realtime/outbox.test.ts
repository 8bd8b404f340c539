import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { settled } from "./fake-client";
import { mostWrites, socketTransport, WriteBatch, wireOf } from "./outbox";

describe("the socket transport", () => {
  let http: Server;
  let client: WebSocket;
  afterEach(async () => {
    client.terminate();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  async function connected(mostBuffered: number) {
    const sockets = new WebSocketServer({ noServer: true });
    const arrivals = new EventEmitter();
    http = createServer();
    const log: string[] = [];
    http.on("upgrade", (request, stream, head) => {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const writes: number[] = [];
        const write = stream._writev?.bind(stream);
        stream._writev = (chunks, done) => {
          writes.push(chunks.length);
          write?.(chunks, done);
        };
        const transport = socketTransport(socket, stream, new WriteBatch(), mostBuffered, (line) =>
          log.push(line),
        );
        arrivals.emit("connection", { socket, writes, transport });
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    const address = http.address();
    const arrival = once(arrivals, "connection");
    client = new WebSocket(
      `ws://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    );
    const [[server]] = await Promise.all([arrival, once(client, "open")]);
    return { server, log };
  }

  it("[RT-17] is written to once in a tick, and every frame arrives by itself", async () => {
    const { server } = await connected(1_000_000);
    const heard: string[] = [];
    const done = new Promise<void>((resolve) => {
      client.on("message", (data) => {
        if (heard.push(String(data)) === 10) resolve();
      });
    });
    for (let count = 0; count < 10; count += 1)
      server.transport.send({ binary: false, bytes: Buffer.from(String(count)) });
    expect(server.writes).toEqual([]);
    await done;
    expect(heard).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    expect(server.writes).toHaveLength(1);
  });

  it.each([0, 125, 126, 65_535, 65_536])(
    "[RT-17] carries a frame of %i bytes whole",
    async (length) => {
      const { server } = await connected(1_000_000);
      const bytes = Buffer.alloc(length, "x");
      const arrivals: [Buffer, boolean][] = [];
      const both = new Promise<void>((resolve) => {
        client.on("message", (data, binary) => {
          if (Buffer.isBuffer(data) && arrivals.push([data, binary]) === 2) resolve();
        });
      });
      server.transport.send({ binary: true, bytes });
      server.transport.send({ binary: false, bytes });
      await both;
      expect(arrivals.map(([data, binary]) => [data.equals(bytes), binary])).toEqual([
        [true, true],
        [true, false],
      ]);
    },
  );

  it("[RT-13] delivers the frames sent before it was closed", async () => {
    const { server } = await connected(1_000_000);
    const received = Promise.all([once(client, "message"), once(client, "close")]);
    server.transport.send({ binary: false, bytes: Buffer.from("goodbye") });
    server.transport.close(1012);
    server.transport.send({ binary: false, bytes: Buffer.from("too late") });
    const [[goodbye], [code]] = await received;
    expect([String(goodbye), code]).toEqual(["goodbye", 1012]);
  });

  it("[RT-33] builds a frame for many receivers once", async () => {
    await connected(1_000_000);
    const frame = { binary: true, bytes: Buffer.from("x") };
    expect(wireOf(frame)).toBe(wireOf(frame));
  });

  it("[RT-18] cuts off a client that does not read, before memory grows without bound", async () => {
    const { server, log } = await connected(1_000_000);
    client.pause();
    const ended = once(server.socket, "close");
    const bytes = Buffer.alloc(100_000);
    let sent = 0;
    while (server.socket.readyState === WebSocket.OPEN && sent < 10_000) {
      server.transport.send({ binary: true, bytes });
      sent += 1;
      if (sent % 10 === 0) await settled();
    }
    await ended;
    expect(sent).toBeLessThan(10_000);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/closed a slow client/);
  });
});

it("[RT-17] writes to 200 sockets in a tick, to each in order, and to closing ones at once", () => {
  const turns: (() => void)[] = [];
  const batch = new WriteBatch((write) => turns.push(write));
  const sockets = Array.from({ length: 2 * mostWrites + 50 }, () => {
    const written: string[] = [];
    const stream = new Duplex({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    });
    return { outbox: { stream, waiting: new Array<Buffer>() }, written };
  });
  const publish = (word: string) => {
    for (const { outbox } of sockets) batch.add(outbox, Buffer.from(word));
  };
  const heard = () => sockets.filter(({ written }) => written.length > 0).length;
  const turn = () => turns.shift()?.();

  publish("first");
  turn();
  expect(heard()).toBe(mostWrites);
  publish("second");
  const last = sockets.at(-1);
  if (last) batch.write(last.outbox);
  expect(last?.written).toEqual(["first", "second"]);
  turn();
  expect(heard()).toBe(2 * mostWrites + 1);
  while (turns.length > 0) turn();
  for (const { written } of sockets) expect(written).toEqual(["first", "second"]);
});
