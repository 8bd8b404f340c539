import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { Heap } from "./channels";
import { keys, startDatabase, startService } from "./service";
import type { Database, Service } from "./service";

type Message = [
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: string,
  payload: { status?: string; message?: string },
];

const topic = "realtime:document:1";

describe("a person who uses more than their share", () => {
  let database: Database;
  let service: Service;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database);
    // The product's policies: members listen and are present, and editors broadcast.
    await service.sql.unsafe(`
      create policy listen on realtime.messages for select to authenticated using (true);
      create policy speak on realtime.messages for insert to authenticated
        with check (extension = 'presence' or auth.jwt() ->> 'editor' is not null);
    `);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  const open = (at = service) =>
    new WebSocket(
      `${at.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${keys.publishableKey}&vsn=2.0.0`,
    );

  async function member(claims: Record<string, unknown>) {
    const socket = open();
    const heard = new Heap<Message>();
    let bytes = 0;
    socket.on("message", (data, binary) => {
      bytes += Buffer.isBuffer(data) ? data.length : 0;
      heard.add(binary ? [null, null, topic, "binary", {}] : JSON.parse(String(data)));
    });
    await once(socket, "open");
    const send = (event: string, payload: unknown) =>
      socket.send(JSON.stringify(["1", "2", topic, event, payload]));
    send("phx_join", {
      config: { private: true, presence: { enabled: true } },
      access_token: service.token(claims),
    });
    await heard.atLeast(2);
    expect(heard.all[0]?.[4].status).toBe("ok");
    return { socket, heard, send, bytes: () => bytes };
  }

  it("[RT-110] cannot flood others with presences of megabytes from many sockets", async () => {
    const ana = await member({ sub: "ana", editor: true });
    const ben = await member({ sub: "ben" });
    const ownBytes = ben.bytes();
    const mallory = [];
    for (let count = 0; count < 12; count += 1) mallory.push(await member({ sub: "mallory" }));
    const large = "x".repeat(2_900_000);
    for (const { send } of mallory) send("presence", { event: "track", payload: { large } });
    for (const { heard } of mallory) {
      const received = await heard.atLeast(4);
      expect(received.slice(2, 4).map(([, , , event]) => event)).toEqual(["system", "phx_close"]);
      expect(received[2]?.[4].message).toBe("Track message size exceeded");
    }
    // Messages that a viewer may not send cost Ben no traffic either.
    const viewer = await member({ sub: "mallory" });
    viewer.send("broadcast", { type: "broadcast", event: "edit", payload: { large } });
    ana.send("broadcast", { type: "broadcast", event: "edit", payload: { letter: "a" } });
    const heard = await ben.heard.atLeast(3);
    expect(heard[2]?.[3]).toBe("broadcast");
    expect(ben.bytes() - ownBytes).toBeLessThan(1_000);
    for (const { socket } of [ana, ben, viewer, ...mallory]) socket.close();
  });

  it("[RT-116] has a limit of idle connections from an address", async () => {
    const small = await startService(database, { mostIdle: 5 });
    onTestFinished(() => small.stop());
    const idle: WebSocket[] = [];
    for (let count = 0; count < 5; count += 1) {
      const socket = open(small);
      await once(socket, "open");
      idle.push(socket);
    }
    const more = open(small);
    more.on("error", () => {});
    const [, response] = await once(more, "unexpected-response");
    expect(response.statusCode).toBe(429);
    const [first] = idle;
    first?.send(
      JSON.stringify([
        "1",
        "1",
        topic,
        "phx_join",
        { config: { private: true }, access_token: small.token() },
      ]),
    );
    if (first) await once(first, "message");
    const welcome = open(small);
    await once(welcome, "open");
    for (const socket of [...idle, welcome]) socket.close();
  });
});
