import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { FunctionsHttpError } from "@supabase/supabase-js";
import type { SupabaseClient } from "@supabase/supabase-js";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { verifyToken } from "@/supabase/local/auth/tokens";
import { databaseUrl } from "@/tests/support/product/backend";
import { service, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

let stack: Stack;
let ana: Person;
let admin: SupabaseClient;
let sql: Sql;

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  admin = service(stack);
  sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await stack.dispose();
});

const text = (words: string) => new Blob([words], { type: "text/plain" });

describe("[COMPAT-1] storage", () => {
  const files = () => admin.storage.from("papers");
  beforeAll(async () => {
    await admin.storage.createBucket("papers", { public: false });
    await files().upload("a/x.txt", text("hello world"));
  });

  test("distinguishes a missing object, so that exists() answers", async () => {
    expect(await files().exists("a/x.txt")).toMatchObject({ data: true });
    expect(await files().exists("a/none.txt")).toMatchObject({ data: false });
    await expect(admin.storage.from("none").exists("x")).rejects.toMatchObject({
      code: "NoSuchBucket",
    });
    expect((await files().upload("a/x.txt", text("again"))).error).toMatchObject({
      code: "ResourceAlreadyExists",
    });
  });

  test.each([
    ["changed", (url: string) => url.replace(/token=.{20}/, "token=AAAAAAAAAAAAAAAAAAAA")],
    [
      "for an upload",
      (url: string, upload: string) => url.replace(/token=[^&]+/, `token=${upload}`),
    ],
    ["without a token", (url: string) => url.replace(/token=[^&]+/, "")],
  ])("rejects a signed address that is %s as invalid", async (_, change) => {
    const { data } = await files().createSignedUrl("a/x.txt", 60);
    const upload = await files().createSignedUploadUrl("a/new.txt");
    const answer = await fetch(change(data?.signedUrl ?? "", upload.data?.token ?? ""));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ statusCode: "400", error: "InvalidJWT" });
  });

  test("rejects an expired signed address as expired", async () => {
    const { data } = await files().createSignedUrl("a/x.txt", 1);
    await expect
      .poll(async () => (await fetch(data?.signedUrl ?? "")).status, { interval: 200 })
      .toBe(400);
    expect(await (await fetch(data?.signedUrl ?? "")).json()).toMatchObject({
      error: "InvalidJWT",
      message: '"exp" claim timestamp check failed',
    });
  });

  test.each([
    ["n - 1", 9, true],
    ["n", 10, true],
    ["n + 1", 11, false],
  ])("enforces its bucket's limit for every kind of upload: %s bytes", async (_, size, fits) => {
    await admin.storage.createBucket("small", { public: false, fileSizeLimit: 10 });
    const small = admin.storage.from("small");
    for (const [how, body] of [
      ["form", text("a".repeat(size))],
      ["bytes", new TextEncoder().encode("a".repeat(size))],
    ] as const) {
      const name = `${how}-${size}.txt`;
      const { error } = await small.upload(name, body, { contentType: "text/plain" });
      if (fits) expect(error).toBeNull();
      else expect(error).toMatchObject({ statusCode: "413", code: "EntityTooLarge" });
      expect((await small.list()).data?.some((each) => each.name === name)).toBe(fits);
    }
  });

  test("names a download in every alphabet, escaped within the header", async () => {
    const { data } = await files().createSignedUrl("a/x.txt", 60, { download: 'ä"\r\nx: y.txt' });
    const { headers } = await fetch(data?.signedUrl ?? "");
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="____x: y.txt"; filename*=UTF-8''%C3%A4%22%0D%0Ax%3A%20y.txt`,
    );
    expect(headers.get("x")).toBeNull();
    const plain = await files().createSignedUrl("a/x.txt", 60);
    expect(
      (await fetch(plain.data?.signedUrl ?? "")).headers.get("content-disposition"),
    ).toBeNull();
    const unnamed = await files().createSignedUrl("a/x.txt", 60, { download: true });
    expect((await fetch(unnamed.data?.signedUrl ?? "")).headers.get("content-disposition")).toBe(
      "attachment",
    );
  });

  test.each([
    ["bytes=2-4", 206, "llo", "bytes 2-4/11"],
    ["bytes=6-", 206, "world", "bytes 6-10/11"],
    ["bytes=-3", 206, "rld", "bytes 8-10/11"],
    ["bytes=0-999", 206, "hello world", "bytes 0-10/11"],
    ["bytes=11-", 416, "", "bytes */11"],
    ["bytes=5-2", 200, "hello world", null],
    ["bytes=0-1,4-5", 200, "hello world", null],
    ["lines=1-2", 200, "hello world", null],
  ])("answers Range: %s with %i", async (range, status, body, contentRange) => {
    const { data } = await files().createSignedUrl("a/x.txt", 60);
    const answer = await fetch(data?.signedUrl ?? "", { headers: { range } });
    expect([answer.status, await answer.text()]).toEqual([status, body]);
    expect(answer.headers.get("content-range")).toBe(contentRange);
  });

  test("returns the path of a copy", async () => {
    const { data } = await files().copy("a/x.txt", "b/y.txt");
    expect(data).toEqual({ path: "papers/b/y.txt" });
    expect(await (await files().download("b/y.txt")).data?.text()).toBe("hello world");
  });
});

describe("[COMPAT-2] REST", () => {
  beforeAll(async () => {
    await sql.unsafe(`
      create table public.things (id serial primary key, name text default 'unnamed',
        n int check (n > 0));
      grant all on public.things to anon, authenticated, service_role;
      grant usage on sequence public.things_id_seq to anon, authenticated, service_role;
      create function public.fail(state text) returns int language plpgsql as $$
        begin raise exception 'it failed' using errcode = state, detail = 'why', hint = 'do this'; end $$;
    `);
    await vi.waitFor(async () => expect((await admin.from("things").select()).status).toBe(200), {
      timeout: 40_000,
    });
  });

  test.each([
    ["P0001", 400],
    ["23514", 400],
    ["22023", 400],
    ["53300", 503],
    ["55006", 500],
    ["28000", 403],
  ])("answers SQLSTATE %s with %i, message, details and hint", async (state, status) => {
    const answer = await admin.rpc("fail", { state });
    expect(answer.status).toBe(status);
    expect(answer.error).toMatchObject({
      code: state,
      message: "it failed",
      details: "why",
      hint: "do this",
    });
  });

  test("answers a visitor with 401 where a person gets 403", async () => {
    const answer = await fetch(`${stack.url}/rest/v1/rpc/fail`, {
      method: "POST",
      headers: { apikey: stack.keys.publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ state: "28000" }),
    });
    expect(answer.status).toBe(401);
  });

  test("stores null for a column missing in one of several rows, and returns the rows", async () => {
    const { data } = await admin
      .from("things")
      .insert([{ n: 1 }, { n: 2, name: "two" }])
      .select("n, name");
    expect(data).toEqual([
      { n: 1, name: null },
      { n: 2, name: "two" },
    ]);
    expect((await admin.from("things").select("n, name").order("n")).data).toEqual(data);
    expect((await admin.from("things").insert({ n: 3 }).select("name")).data).toEqual([
      { name: "unnamed" },
    ]);
    const { error } = await admin
      .from("things")
      .insert([{ n: 4 }, { n: 5, name: "five" }], { defaultToNull: false });
    expect(error?.message).toContain("does not offer missing=default");
  });

  test("knows a table, column and function once created, and not once dropped", async () => {
    const status = async () => (await admin.from("later").select("*")).status;
    expect(await status()).toBe(404);
    await sql.unsafe(
      "create table public.later (id int); grant all on public.later to service_role",
    );
    await expect.poll(status).toBe(200);
    await sql.unsafe("alter table public.later add column word text");
    await expect
      .poll(async () => (await admin.from("later").insert({ word: "new" })).status)
      .toBe(201);
    await sql.unsafe(
      "create function public.plus(a int, b int) returns int language sql as 'select a + b'",
    );
    await expect.poll(async () => (await admin.rpc("plus", { a: 1, b: 2 })).data).toBe(3);
    await sql.unsafe("drop table public.later");
    await expect.poll(status).toBe(404);
  });
});

describe("[COMPAT-3] an access token", () => {
  const claims = async () => verifyToken(await ana.accessToken(), stack.keys.jwtSecret, 0);

  test("has a hosted project's claims, visible to policies, and keeps them when renewed", async () => {
    const expected = {
      iss: expect.stringMatching(/\/auth\/v1$/),
      aud: "authenticated",
      role: "authenticated",
      email: ana.email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: expect.objectContaining({ name: "Ana" }),
      aal: "aal1",
      amr: [{ method: "password", timestamp: expect.any(Number) }],
      is_anonymous: false,
    };
    expect(await claims()).toMatchObject(expected);
    await ana.client.auth.refreshSession();
    expect(await claims()).toMatchObject(expected);
    await sql.unsafe(
      "create or replace function public.seen() returns jsonb language sql as 'select auth.jwt()'",
    );
    await expect.poll(async () => (await ana.client.rpc("seen")).data).toMatchObject(expected);
  });
});

describe("[COMPAT-3] an account with long metadata", () => {
  test.each([
    ["n", 4_096, true],
    ["n + 1", 4_097, false],
  ])("still gets a token that fits into a header: %s characters", async (_, size, isKept) => {
    const carol = await signUp(stack, "Carol");
    const words = async () =>
      z
        .looseObject({ user_metadata: z.record(z.string(), z.unknown()) })
        .parse(verifyToken(await carol.accessToken(), stack.keys.jwtSecret, 0)).user_metadata;
    const around = JSON.stringify({ ...(await words()), about: "" }).length;
    await carol.client.auth.updateUser({ data: { about: "a".repeat(size - around) } });
    await carol.client.auth.refreshSession();
    expect(Object.hasOwn(await words(), "about")).toBe(isKept);
    expect((await carol.client.from("documents").select("id")).error).toBeNull();
  });
});

describe("[COMPAT-4] an unsupported feature", () => {
  test.each([
    [
      "accounts by the service",
      () => admin.auth.admin.listUsers(),
      /does not offer .*admin\/users/,
    ],
    [
      "a second factor",
      () => ana.client.auth.mfa.enroll({ factorType: "totp" }),
      /does not offer .*factors/,
    ],
    [
      "no account",
      () => visitor(stack).auth.signInAnonymously(),
      /does not offer signing in without/,
    ],
    [
      "a phone",
      () => visitor(stack).auth.signInWithOtp({ phone: "+4912345" }),
      /does not offer .* phone/,
    ],
  ])("%s is named in the answer", async (_, ask, sentence) => {
    expect((await ask()).error?.message).toMatch(sentence);
  });

  test("GraphQL is named in the answer", async () => {
    const answer = await fetch(`${stack.url}/graphql/v1`, {
      method: "POST",
      headers: { apikey: stack.keys.publishableKey },
    });
    expect([answer.status, (await answer.json()).message]).toEqual([
      404,
      "The embedded backend does not offer GraphQL.",
    ]);
  });

  test("changes of tables by Realtime are named on the channel and in the log", async () => {
    const heard = new Promise<{ message: string }>((settle) => {
      ana.client
        .channel("changes")
        .on(
          "postgres_changes",
          { event: "*", schema: "public", table: "documents" },
          () => undefined,
        )
        .on("system", {}, settle)
        .subscribe();
    });
    expect((await heard).message).toContain("not offered by the embedded backend");
    expect(stack.output()).toContain("postgres_changes is not offered by the embedded backend");
    await ana.client.removeAllChannels();
  });

  test("a function's import that Node cannot load is named in the answer", async () => {
    const folder = fileURLToPath(new URL("../../supabase/functions/compat-test", import.meta.url));
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(`${folder}/index.ts`, 'import "npm:left-pad@1.3.0";\n');
      const { error } = await ana.client.functions.invoke("compat-test");
      expect(error).toBeInstanceOf(FunctionsHttpError);
      expect(await error.context.json()).toMatchObject({
        code: "import_not_supported",
        message: expect.stringContaining("npm:"),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
