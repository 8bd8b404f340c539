import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveFunctions } from "./functions";
import type { Caller } from "./auth/api-key";
import { callOf } from "./http/call.fixture";

let root: string;
let serve: ReturnType<typeof serveFunctions>;
const signed = { claims: { role: "authenticated", exp: 9e9 } } as const;
const call = (path: string, body?: string) => {
  const init = body === undefined ? {} : { method: "POST", body };
  const request = new Request(`http://localhost${path}`, init);
  return serve(callOf(request, signed), request);
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "functions-"));
  const write = async (name: string, text: string) => {
    await mkdir(join(root, "supabase", "functions", name), { recursive: true });
    await writeFile(join(root, "supabase", "functions", name, "index.ts"), text);
  };
  await write(
    "echo",
    "Deno.serve(async (request: Request) => Response.json({ text: " +
      "await request.text(), key: Deno.env.get('SUPABASE_ANON_KEY') }))",
  );
  await write("other", `Deno.serve(() => new Response('other'))`);
  await write("guarded", `Deno.serve(() => new Response("guarded"))`);
  await write("silent", `export const nothing: number = 1`);
  serve = serveFunctions(
    root,
    { SUPABASE_ANON_KEY: "sb_publishable_test" },
    { echo: { verify_jwt: false }, guarded: { verify_jwt: true } },
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe("the functions", () => {
  test("are called with the request and can read their keys", async () => {
    const response = await call("/functions/v1/echo", "hello");
    expect(await response.json()).toEqual({ text: "hello", key: "sb_publishable_test" });
  });

  test("stay apart when they are first called at once", async () => {
    const [echo, other] = await Promise.all([
      call("/functions/v1/echo", "x"),
      call("/functions/v1/other"),
    ]);
    expect([(await echo.json()).text, await other.text()]).toEqual(["x", "other"]);
  });

  test.each([
    "/functions/v1/",
    "/functions/v1/missing",
    "/functions/v1/silent",
    "/functions/v1/..%2f..%2flocal%2fmain",
    "/functions/v1/%2e%2e/echo",
  ])("are not found at %s", async (path) => {
    expect((await call(path)).status).toBe(404);
  });

  test("answer a browser of another origin and its preflight", async () => {
    const own = serveFunctions(
      fileURLToPath(new URL("../..", import.meta.url)),
      { MAIL_URL: "http://localhost/mail", MAIL_KEY: "a key", SITE_URL: "http://localhost" },
      { invite: { verify_jwt: false } },
    );
    const ask = (request: Request) => own(callOf(request), request);
    const asked = await ask(
      new Request("http://localhost/functions/v1/invite", { method: "OPTIONS" }),
    );
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-headers")).toContain("authorization");
    const refused = await ask(
      new Request("http://localhost/functions/v1/invite", {
        method: "POST",
        headers: { authorization: "Bearer x" },
      }),
    );
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      400,
      "*",
    ]);
  });
});

test("[API-62] a function requires a token, unless its configuration says otherwise", async () => {
  const ask = async (name: string, caller: Partial<Caller> = {}, method = "POST") => {
    const request = new Request(`http://localhost/functions/v1/${name}`, { method });
    return serve(callOf(request, caller), request);
  };
  expect((await ask("other")).status).toBe(401);
  expect((await ask("other", signed)).status).toBe(200);
  expect((await ask("other", {}, "OPTIONS")).status).toBe(200);
  expect((await ask("guarded")).status).toBe(401);
  expect((await ask("guarded", signed)).status).toBe(200);
  expect((await ask("echo")).status).toBe(200);
});
