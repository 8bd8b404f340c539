import { describe, expect, test } from "vitest";
import { operationsAnswer } from "./endpoints";

const ask = (
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    isOwn?: boolean;
    token?: string;
    readiness?: Parameters<typeof operationsAnswer>[3];
  } = {},
) =>
  operationsAnswer(
    { url, method: options.method ?? "GET", headers: options.headers ?? {} },
    options.isOwn ?? true,
    options.token ?? null,
    options.readiness ?? null,
  );
const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked))?.status;

describe("[OPS-1] [OPS-2] /health and /ready", () => {
  test("report a starting server as alive and not ready", async () => {
    expect(await (await ask("/health"))?.json()).toEqual({ status: "alive" });
    const ready = await ask("/ready");
    expect(ready?.status).toBe(503);
    expect(await ready?.json()).toEqual({ status: "starting" });
  });

  test("name the part that is not ready", async () => {
    const readiness = async () => ({ ready: false, checks: { database: "failed" as const } });
    const answer = await ask("/ready?probe=1", { readiness });
    expect(answer?.status).toBe(503);
    expect(await answer?.json()).toEqual({
      status: "not ready",
      checks: { database: "failed" },
    });
    expect(answer?.headers.get("cache-control")).toBe("no-store");
  });

  test("allow reading only, and leave other addresses alone", async () => {
    expect(await statusOf("/health", { method: "POST" })).toBe(405);
    expect(await statusOf("/health", { method: "HEAD" })).toBe(200);
    expect(ask("/healthy")).toBeNull();
    expect(ask("/d/ready")).toBeNull();
  });
});

describe("[OPS-3] /metrics", () => {
  const token = "token-of-whoever-watches";

  test("answers this machine alone if no token is set", async () => {
    expect(await statusOf("/metrics")).toBe(200);
    expect(await statusOf("/metrics", { isOwn: false })).toBe(403);
  });

  test("answers the token alone if one is set, from any machine", async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect(await statusOf("/metrics", { token, headers, isOwn: false })).toBe(200);
    expect(await statusOf("/metrics", { token })).toBe(403);
    expect(
      await statusOf("/metrics", { token, headers: { authorization: `Bearer ${token}x` } }),
    ).toBe(403);
  });
});
