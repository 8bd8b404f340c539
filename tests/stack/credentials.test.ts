import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";
import type { RawCall } from "@/tests/support/product/raw";

let stack: TestBackend;
let ana: Person;
beforeAll(async () => {
  stack = await testBackend();
  ana = await signUp(stack, "Ana");
});
afterAll(() => stack.stop());

const at = (path: string, call: RawCall = {}) =>
  raw(`${stack.url}${path}`, {
    ...call,
    headers: { host: `127.0.0.1:${stack.port}`, ...call.headers },
  });

describe("an empty Authorization header", () => {
  test.each(["", " ", "Bearer", "Bearer ", "bearer", "BEARER\t"])(
    "[RT-101] %j beside a key is ignored",
    async (authorization) => {
      const headers = {
        apikey: stack.keys.publishableKey,
        authorization,
        "content-type": "application/json",
      };
      const messages = JSON.stringify({ messages: [{ topic: "a", event: "b", payload: {} }] });
      expect(
        (await at("/realtime/v1/api/broadcast", { method: "POST", headers, body: messages }))
          .status,
      ).toBe(202);
      expect((await at("/auth/v1/settings", { headers })).status).toBe(200);
      expect((await at("/storage/v1/bucket", { headers })).status).toBe(200);
      const rpc = "/rest/v1/rpc/preview_invitation";
      const body = JSON.stringify({
        invitation: "7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001",
        token: "x".repeat(22),
      });
      expect((await at(rpc, { method: "POST", headers, body })).status).toBe(200);
    },
  );

  test("[RT-101] does not replace a key or a session", async () => {
    for (const authorization of ["", "Bearer "]) {
      expect((await at("/auth/v1/settings", { headers: { authorization } })).status).toBe(401);
      expect(
        (
          await at("/auth/v1/user", {
            headers: { apikey: stack.keys.publishableKey, authorization },
          })
        ).status,
      ).toBe(401);
    }
  });

  test.each(["Bearer undefined", "Bearer null", "Basic", "Bearer  a b", "Bearer ..", "x"])(
    "[API-2] %j is not empty, and is refused",
    async (authorization) => {
      expect(
        (
          await at("/auth/v1/settings", {
            headers: { apikey: stack.keys.publishableKey, authorization },
          })
        ).status,
      ).toBe(401);
    },
  );

  test("[API-2] a token takes precedence over the key", async () => {
    const headers = {
      apikey: stack.keys.publishableKey,
      authorization: `Bearer ${await ana.accessToken()}`,
    };
    expect(JSON.parse((await at("/auth/v1/user", { headers })).text)).toMatchObject({
      id: ana.user.id,
    });
  });
});

describe("a socket", () => {
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": Buffer.alloc(16).toString("base64"),
  };
  const open = async (query: string, headers: Record<string, string>) =>
    (await at(`/realtime/v1/websocket?vsn=2.0.0${query}`, { headers: { ...upgrade, ...headers } }))
      .status;
  const key = () => stack.keys.publishableKey;

  test("[RT-100] opens with its key in either header or in the address", async () => {
    expect(await open("", { apikey: key() })).toBe(101);
    expect(await open("", { "x-api-key": key() })).toBe(101);
    expect(await open(`&apikey=${key()}`, {})).toBe(101);
    expect(await open(`&apikey=${key()}`, { "x-api-key": "", apikey: "" })).toBe(101);
    expect(await open(`&apikey=${key()}`, { "x-api-key": await ana.accessToken() })).toBe(101);
  });

  test("[RT-100] opens with nothing else", async () => {
    expect(await open("", {})).toBe(401);
    expect(await open("&apikey=", { "x-api-key": " " })).toBe(401);
    expect(await open("", { "x-api-key": await ana.accessToken() })).toBe(401);
    expect(await open("&apikey=sb_publishable_another", { apikey: "sb_secret_another" })).toBe(401);
    expect(await open(`&apikey=${key()}`, { "x-api-key": "garbage" })).toBe(401);
  });
});
