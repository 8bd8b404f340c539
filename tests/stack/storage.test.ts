import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

let stack: Stack;
let ana: Person;
let mallory: Person;
const files = (person: Pick<Person, "client">) => person.client.storage.from("papers");
const text = (value: string) => new TextEncoder().encode(value);

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  mallory = await signUp(stack, "Mallory");
  expect((await service(stack).storage.createBucket("papers", { public: false })).error).toBeNull();
  const sql = postgres(await databaseUrl());
  await sql.unsafe(`
    create policy "own folder" on storage.objects for all to authenticated
      using (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)
      with check (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)
  `);
  await sql.end();
});
afterAll(() => stack.dispose());

test.each([
  ["bytes", () => text("hello ☃")],
  ["a Blob", () => new Blob(["hello ☃"], { type: "text/plain" })],
  ["a File", () => new File(["hello ☃"], 'a name "with" quotes.txt', { type: "text/plain" })],
])("stores %s and returns the same", async (how, body) => {
  const path = `${ana.user.id}/notes/${how}.txt`;
  expect((await files(ana).upload(path, body(), { contentType: "text/plain" })).error).toBeNull();
  const { data } = await files(ana).download(path);
  expect([await data?.text(), data?.type]).toEqual(["hello ☃", "text/plain"]);
});

test("keeps a large object intact", async () => {
  const large = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) % 251);
  const path = `${ana.user.id}/large.bin`;
  expect((await files(ana).upload(path, new Blob([large]))).error).toBeNull();
  const { data } = await files(ana).download(path);
  expect(
    Buffer.compare(
      Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)),
      Buffer.from(large),
    ),
  ).toBe(0);
});

test("signs addresses that work without a session, one or many, and names the missing", async () => {
  const path = `${ana.user.id}/signed/ö file.txt`;
  await files(ana).upload(path, text("signed"), { contentType: "text/html" });
  const one = await files(ana).createSignedUrl(path, 60);
  const response = await fetch(one.data?.signedUrl ?? "");
  expect([response.status, await response.text()]).toEqual([200, "signed"]);
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
  const many = await files(ana).createSignedUrls([path, `${ana.user.id}/missing`], 60);
  expect(many.data?.map(({ error }) => error === null)).toEqual([true, false]);
  expect(await (await fetch(many.data?.[0]?.signedUrl ?? "")).text()).toBe("signed");
  const forged = (one.data?.signedUrl ?? "").replace(/.{4}$/, "AAAA");
  expect((await fetch(forged)).status).toBeGreaterThanOrEqual(400);
});

test("accepts an upload at a signed address", async () => {
  const path = `${ana.user.id}/invited.txt`;
  const { data } = await files(ana).createSignedUploadUrl(path);
  expect(
    (await files(mallory).uploadToSignedUrl(path, data?.token ?? "", new Blob(["invited"]))).error,
  ).toBeNull();
  expect(await (await files(ana).download(path)).data?.text()).toBe("invited");
});

test("lists the objects and folders of one folder", async () => {
  const folder = `${ana.user.id}/list`;
  for (const name of ["b.txt", "a.txt", "deep/er/c.txt", "deep/d.txt"])
    await files(ana).upload(`${folder}/${name}`, text(name));
  const { data } = await files(ana).list(folder);
  expect(data?.map(({ name, id }) => [name, id !== null])).toEqual([
    ["a.txt", true],
    ["b.txt", true],
    ["deep", false],
  ]);
  const second = await files(ana).list(folder, {
    limit: 1,
    offset: 1,
    sortBy: { column: "name", order: "desc" },
  });
  expect(second.data?.map(({ name }) => name)).toEqual(["b.txt"]);
});

test("moves, copies and removes", async () => {
  const at = (name: string) => `${ana.user.id}/move/${name}`;
  await files(ana).upload(at("a"), text("content"));
  expect((await files(ana).copy(at("a"), at("b"))).error).toBeNull();
  expect((await files(ana).move(at("a"), at("c"))).error).toBeNull();
  expect(await (await files(ana).download(at("c"))).data?.text()).toBe("content");
  expect((await files(ana).remove([at("b"), at("c")])).data).toHaveLength(2);
  expect((await files(ana).list(`${ana.user.id}/move`)).data).toEqual([]);
});

test("shows a person without the right nothing, and changes nothing for them", async () => {
  const path = `${ana.user.id}/private.txt`;
  await files(ana).upload(path, text("private"));
  expect((await files(mallory).download(path)).error).not.toBeNull();
  expect((await files(mallory).createSignedUrl(path, 60)).error).not.toBeNull();
  expect((await files(mallory).list(ana.user.id)).data).toEqual([]);
  expect(
    (await files(mallory).upload(path, text("mine now"), { upsert: true })).error,
  ).not.toBeNull();
  await files(mallory).remove([path]);
  expect(await (await files(ana).download(path)).data?.text()).toBe("private");
});

test.each([
  "../../keys.json",
  "..%2f..%2fkeys.json",
  "%2e%2e/%2e%2e/keys.json",
  "a/../../../keys.json",
  "/etc/passwd",
  "a%00b",
])("never reads %s", async (path) => {
  const headers = {
    host: `127.0.0.1:${stack.port}`,
    apikey: stack.keys.secretKey,
    authorization: `Bearer ${stack.keys.secretKey}`,
  };
  const answer = await raw(`${stack.url}/storage/v1/object/papers/${path}`, { headers });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).not.toMatch(/jwtSecret|root:/);
});

async function databaseUrl(): Promise<string> {
  const folder = join(stack.dataDir, "postgres");
  const [password, running] = await Promise.all([
    readFile(join(folder, "password"), "utf8"),
    readFile(join(folder, "cluster", "postmaster.pid"), "utf8"),
  ]);
  return `postgres://postgres:${password}@127.0.0.1:${running.split("\n")[3]}/postgres`;
}
