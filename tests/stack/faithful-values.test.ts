import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { service, visitor } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";

let stack: TestBackend;
let admin: ReturnType<typeof service>;

beforeAll(async () => {
  stack = await testBackend();
  admin = service(stack);
  await stack.sql.unsafe(`
    create table public.boxes (id integer primary key, b jsonb, j json, t text);
    grant all on public.boxes to service_role;
    create function public.kind_of(b jsonb, j json default '0', t text default '') returns text
      language sql as $$ select jsonb_typeof(b) || ' ' || json_typeof(j) || ' ' || t $$;
    notify pgrst, 'reload schema'`);
  await vi.waitFor(async () => {
    expect((await admin.from("boxes" as never).select("id")).error).toBeNull();
  }, 20_000);
});
afterAll(() => stack.stop());

const values = ["5", "five", "", "null", "[1]", '{"a":1}', '"', 5, null, [1, "1"], { a: "1" }];

describe("[COMPAT-5] a JSON value keeps its type", () => {
  test.each(values.map((value, id) => [JSON.stringify(value), value, id] as const))(
    "in a row and an argument: %s",
    async (_text, value, id) => {
      const boxes = () => admin.from("boxes" as never);
      const row = { id, b: value, j: value, t: "5" };
      const { data, error } = await boxes()
        .insert(row as never)
        .select()
        .single();
      expect([error, data]).toEqual([null, row]);
      const changed = await boxes()
        .update({ b: value, j: value } as never)
        .eq("id", id)
        .select()
        .single();
      expect(changed.data).toEqual(row);
      const upserted = await boxes()
        .upsert([row, { ...row, id: id + 100 }] as never)
        .select();
      expect(upserted.data).toEqual([row, { ...row, id: id + 100 }]);
      if (value === null) return;
      const kind = Array.isArray(value) ? "array" : typeof value;
      const called = await admin.rpc("kind_of" as never, { b: value, j: value, t: "5" } as never);
      expect([called.error, called.data]).toEqual([null, `${kind} ${kind} 5`]);
    },
  );
});

describe("[COMPAT-1] storage", () => {
  const papers = () => admin.storage.from("papers");
  beforeAll(async () => {
    await admin.storage.createBucket("papers", { public: false });
    await admin.storage.createBucket("posters", { public: true });
  });
  const ask = (method: string, path: string, key = stack.keys.secretKey) =>
    raw(`${stack.url}/storage/v1${path}`, {
      method,
      headers: { host: `127.0.0.1:${stack.port}`, ...(key ? { apikey: key } : {}) },
    });

  test("answers HEAD like GET", async () => {
    await admin.storage.from("posters").upload("a.txt", new Blob(["poster"]));
    await papers().upload("a.txt", new Blob(["paper"]));
    expect((await ask("HEAD", "/object/papers/a.txt")).status).toBe(200);
    expect((await ask("HEAD", "/object/papers/none.txt")).status).toBe(400);
    expect((await ask("HEAD", "/object/none/a.txt")).status).toBe(400);
    expect((await ask("HEAD", "/object/public/posters/a.txt", "")).status).toBe(200);
    expect((await ask("HEAD", "/object/public/posters/none.txt", "")).status).toBe(400);
    expect((await ask("HEAD", "/object/public/papers/a.txt", "")).status).toBe(400);
    const { data } = await papers().createSignedUrl("a.txt", 60);
    expect((await fetch(data?.signedUrl ?? "", { method: "HEAD" })).status).toBe(200);
    expect((await ask("HEAD", "/object/papers/a.txt", "")).status).toBe(401);
  });

  test.each(["@", "+", "$", ",", ";", "=", ":", "&", "!", "'", "(", ")", "*", " ", "ö"])(
    "knows a key with %s by one name, encoded or not",
    async (sign) => {
      const name = `a${sign}b.txt`;
      expect((await papers().upload(name, new Blob([name]), { upsert: true })).error).toBeNull();
      expect((await papers().list()).data?.map((object) => object.name)).toContain(name);
      const encoded = encodeURIComponent(name);
      expect((await ask("GET", `/object/papers/${encoded}`)).text).toBe(name);
      const one = await papers().createSignedUrl(name, 60);
      const many = await papers().createSignedUrls([name], 60);
      for (const url of [one.data?.signedUrl, many.data?.[0]?.signedUrl])
        expect(await (await fetch(url ?? "")).text()).toBe(name);
      expect((await papers().remove([name])).data).toHaveLength(1);
    },
  );

  test("answers an authenticated object's address and its metadata", async () => {
    await papers().upload("known.txt", new Blob(["known"], { type: "text/plain" }), {
      upsert: true,
    });
    expect((await ask("GET", "/object/authenticated/papers/known.txt")).text).toBe("known");
    expect((await ask("GET", "/object/authenticated/papers/none.txt")).status).toBe(400);
    const { data, error } = await papers().info("known.txt");
    expect([error, data?.name, data?.size, data?.contentType]).toEqual([
      null,
      "known.txt",
      5,
      "text/plain",
    ]);
    expect((await visitor(stack).storage.from("papers").info("known.txt")).error).not.toBeNull();
  });

  test("[COMPAT-4] names unsupported operations", async () => {
    const { error } = await papers().listV2({ prefix: "" });
    expect(error?.message).toBe("The embedded backend does not offer listV2.");
    expect((await ask("GET", "/render/image/public/posters/a.txt")).status).toBe(501);
    for (const name of ["a%3Fb.txt", "a%23b.txt", "100%25.txt"])
      expect((await ask("GET", `/object/papers/${name}`)).status).toBe(400);
  });
});
