import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Heap } from "./channels";
import { keys, startDatabase, startService } from "./service";
import type { Database, Service } from "./service";

describe("a raw socket", () => {
  let database: Database;
  let service: Service;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database, {
      allowedOrigin: (origin, host) => origin === `http://${host}`,
    });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  const address = (query: string, path = "/realtime/v1/websocket") =>
    `${service.url.replace("http", "ws")}${path}?${query}`;

  async function connected(query = `apikey=${keys.publishableKey}&vsn=2.0.0`, path?: string) {
    const socket = new WebSocket(address(query, path));
    const heard = new Heap<unknown[]>();
    socket.on("message", (data, binary) => heard.add(binary ? [data] : JSON.parse(String(data))));
    await once(socket, "open");
    return { socket, heard };
  }

  async function refusal(
    query: string,
    headers: Record<string, string> = {},
  ): Promise<[number | undefined, string]> {
    const socket = new WebSocket(address(query), { headers });
    socket.on("error", () => {});
    const [, response] = await once(socket, "unexpected-response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return [response.statusCode, Buffer.concat(chunks).toString()];
  }

  it("[RT-15] is refused over plain HTTP without a valid key", async () => {
    expect(await refusal("vsn=2.0.0")).toEqual([401, '{"error":"API key is missing"}']);
    expect(await refusal("apikey=potato")).toEqual([
      401,
      '{"error":"The token provided is not a valid JWT"}',
    ]);
    expect(await refusal(`apikey=${service.token({ exp: 1 })}`)).toEqual([
      401,
      '{"error":"Token has expired"}',
    ]);
  });

  it("[RT-16] is refused to a page of another origin", async () => {
    const [status] = await refusal(`apikey=${keys.publishableKey}`, {
      origin: "http://evil.example",
    });
    expect(status).toBe(403);
  });

  it("[RT-15] connects at both addresses, also with a JWT as its key", async () => {
    for (const path of ["/realtime/v1/websocket", "/socket/websocket"]) {
      const { socket, heard } = await connected(`apikey=${service.token()}&vsn=2.0.0`, path);
      socket.send('[null,"1","phoenix","heartbeat",{}]');
      expect(await heard.atLeast(1)).toEqual([
        [null, "1", "phoenix", "phx_reply", { status: "ok", response: {} }],
      ]);
      socket.close();
    }
  });

  it("[RT-2] survives a malformed frame, but not one above 5 MB", async () => {
    const { socket, heard } = await connected();
    socket.send("{");
    socket.send(Buffer.from([9]));
    socket.send('[null,"1","phoenix","heartbeat",{}]');
    await heard.atLeast(1);
    const closed = once(socket, "close");
    socket.send(Buffer.alloc(5_000_001));
    const [code] = await closed;
    expect(code).toBe(1009);
  });

  it("[RT-13] is told when the server stops, which a dead client does not delay", async () => {
    const other = await startService(database);
    const query = `apikey=${keys.publishableKey}&vsn=2.0.0`;
    const socket = new WebSocket(
      `${other.url.replace("http", "ws")}/realtime/v1/websocket?${query}`,
    );
    const heard = new Heap<unknown[]>();
    socket.on("message", (data) => heard.add(JSON.parse(String(data))));
    await once(socket, "open");
    socket.send('["1","1","realtime:a","phx_join",{}]');
    await heard.atLeast(1);
    const dead = new WebSocket(`${other.url.replace("http", "ws")}/realtime/v1/websocket?${query}`);
    await once(dead, "open");
    dead.pause();
    const closed = once(socket, "close");
    await other.stop();
    const [code] = await closed;
    expect(code).toBe(1012);
    expect(heard.all.at(-1)).toEqual([
      "1",
      null,
      "realtime:a",
      "system",
      { extension: "system", status: "ok", message: "Server requested disconnect" },
    ]);
    dead.terminate();
  });
});
