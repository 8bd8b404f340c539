import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { callStubbornly, freePort } from "@/supabase/local/http/stubborn-client.fixture";
import { systemClock } from "./clock";
import { fakeServer, keys } from "./fake-client";
import type { FakeServer } from "./fake-client";
import { readHandshake, refuseHandshake } from "./handshake";
import type { Upgrade } from "./handshake";

describe("a handshake", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  const request = (url: string, headers: Record<string, string> = {}): Upgrade => ({
    url,
    headers,
  });
  const path = (query: string) => `/realtime/v1/websocket?${query}`;

  it("[RT-15] takes the key from the header before the query, and keeps the client’s own headers", () => {
    const headers = { "x-api-key": keys.secretKey, "x-own": "yes", cookie: "secret" };
    expect(
      readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}&vsn=2.0.0`), headers)),
    ).toMatchObject({
      ok: true,
      client: {
        token: keys.secretKey,
        headers: { "x-own": "yes" },
        serializer: { version: "2.0.0" },
      },
    });
  });

  it.each([
    [
      "x-api-key",
      { "x-api-key": keys.secretKey, apikey: keys.publishableKey },
      "apikey=potato",
      keys.secretKey,
    ],
    ["apikey", { apikey: keys.secretKey }, "apikey=potato", keys.secretKey],
    ["apikey alone", { apikey: keys.secretKey }, "", keys.secretKey],
    ["x-api-key alone", { "x-api-key": keys.secretKey }, "", keys.secretKey],
    [
      "the query, beside empty headers",
      { "x-api-key": "", apikey: " " },
      `apikey=${keys.publishableKey}`,
      keys.publishableKey,
    ],
  ])("[RT-100] takes the key from %s", (_name, headers, query, token) => {
    expect(readHandshake(server.hub, request(path(query), headers))).toMatchObject({
      ok: true,
      client: { token },
    });
  });

  it("[RT-15] uses version 1.0.0 when none is named, and refuses unknown ones", () => {
    const ask = (query: string) =>
      readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}${query}`)));
    expect(ask("")).toMatchObject({ client: { serializer: { version: "1.0.0" } } });
    expect(ask("&vsn=1.0.3")).toMatchObject({ client: { serializer: { version: "1.0.0" } } });
    expect(ask("&vsn=3.0.0")).toMatchObject({ ok: false, status: 403 });
    expect(ask("&vsn=2.1.0")).toMatchObject({ ok: false, status: 403 });
  });

  it.each([
    ["", "API key is missing"],
    ["apikey=", "API key is missing"],
    ["apikey=potato", "The token provided is not a valid JWT"],
  ])("[RT-15] is refused with %j", (query, message) => {
    expect(readHandshake(server.hub, request(path(query)))).toEqual({
      ok: false,
      status: 401,
      message,
    });
  });

  it("[RT-15] is refused with an expired token", () => {
    const query = `apikey=${server.token({ exp: server.clock.seconds - 1 })}`;
    expect(readHandshake(server.hub, request(path(query)))).toEqual({
      ok: false,
      status: 401,
      message: "Token has expired",
    });
  });

  it("[RT-16] is refused to a page of another origin", () => {
    const ours = (origin: string, host: string) => origin === `http://${host}`;
    const ask = (origin: string) =>
      readHandshake(
        server.hub,
        request(path(`apikey=${keys.publishableKey}`), { origin, host: "localhost:3000" }),
        ours,
      );
    expect(ask("http://localhost:3000")).toMatchObject({ ok: true });
    expect(ask("http://evil.example")).toMatchObject({ ok: false, status: 403 });
  });

  it("[RT-55] is refused when the plan has no connection or no join left", () => {
    server = fakeServer("free");
    const ask = () => readHandshake(server.hub, request(path(`apikey=${keys.publishableKey}`)));
    server.hub.usage.limits.connections = 0;
    expect(ask()).toEqual({ ok: false, status: 429, message: "Too many connected users" });
    server.hub.usage.limits.connections = 1;
    server.hub.usage.joins.add(1000);
    server.clock.advance(5000);
    expect(ask()).toEqual({ ok: false, status: 429, message: "Too many joins per second" });
  });

  it("[RT-15] reports a refusal in plain HTTP after the back-off", async () => {
    const stream = new PassThrough();
    refuseHandshake(server.clock, 100, stream, 401, "API key is missing");
    expect(stream.read()).toBeNull();
    server.clock.advance(100);
    const answer = String(stream.read());
    expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"error":"API key is missing"\}$/);
  });

  it("[DOOR-24] closes the socket after a refusal, though its client does not end it", async () => {
    const http = createServer().on("upgrade", (_request, stream) =>
      refuseHandshake(systemClock, 10, stream, 401, "API key is missing"),
    );
    const port = await freePort();
    await new Promise<void>((settle) => http.listen(port, "127.0.0.1", settle));
    const answer = await callStubbornly(
      port,
      `GET ${path("")} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 Unauthorized\r\n/);
    await new Promise((settle) => http.close(settle));
  });
});
