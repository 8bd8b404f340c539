import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { service, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
let ana: Person;
let mallory: Person;
const papers = (of: Pick<Person, "client">) => of.client.storage.from("papers");

beforeAll(async () => {
  stack = await testBackend();
  ana = await signUp(stack, "Ana");
  mallory = await signUp(stack, "Mallory");
  await service(stack).storage.createBucket("papers", { public: false });
  await stack.sql.unsafe(`
    create policy "own folder" on storage.objects for all to authenticated
      using (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text
        and storage.filename(name) not like 'locked%')
      with check (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text);
    create policy "locked are read" on storage.objects for select to authenticated
      using (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)`);
});
afterAll(() => stack.stop());

async function stored(person: Person, ...names: string[]): Promise<string[]> {
  const paths = names.map((name) => `${person.user.id}/${name}`);
  for (const path of paths)
    expect((await papers(person).upload(path, new Blob([path]))).error).toBeNull();
  return paths;
}

test("[API-71] many paths are signed by one statement, under the caller's own rights", async () => {
  const paths = await stored(ana, "a.txt", "ö & b.txt", "c.txt");
  const missing = Array.from({ length: 497 }, () => `${ana.user.id}/${randomUUID()}`);
  const { data } = await papers(ana).createSignedUrls([...paths, ...missing], 60);
  expect(data?.map(({ error }) => error === null)).toEqual([
    ...paths.map(() => true),
    ...missing.map(() => false),
  ]);
  for (const [index, path] of paths.entries())
    expect(await (await fetch(data?.[index]?.signedUrl ?? "")).text()).toBe(path);
  for (const other of [mallory, { client: visitor(stack) }]) {
    const answer = await papers(other).createSignedUrls(paths, 60);
    expect(answer.data?.map(({ error }) => error)).toEqual(
      paths.map(() => "Either the object does not exist or you do not have access to it"),
    );
  }
  const byService = await service(stack).storage.from("papers").createSignedUrls(paths, 60);
  expect(byService.data?.map(({ error }) => error)).toEqual(paths.map(() => null));
});

test("[API-72] many objects are removed one by one, as far as the caller may", async () => {
  const own = await stored(ana, "1.txt", "2.txt", "locked.txt");
  const [others = ""] = await stored(mallory, "1.txt");
  const missing = Array.from({ length: 900 }, () => `${ana.user.id}/${randomUUID()}`);
  const { data, error } = await papers(ana).remove([...missing, others, ...own]);
  expect([error, data?.map(({ name }) => name).sort()]).toEqual([null, own.slice(0, 2).sort()]);
  expect((await papers(mallory).download(others)).error).toBeNull();
  expect((await papers(ana).download(own[2] ?? "")).error).toBeNull();
  expect((await papers(mallory).remove(own)).data).toEqual([]);
  expect((await ana.client.storage.from("none").remove(["a"])).error?.message).toMatch(
    /bucket not found/i,
  );
});

test("[API-72] the rest of a removal is dropped when the caller disconnects", async () => {
  const paths = await stored(ana, ...Array.from({ length: 30 }, (_, index) => `left-${index}`));
  const leaving = new AbortController();
  const removal = fetch(`${stack.url}/storage/v1/object/papers`, {
    method: "DELETE",
    signal: leaving.signal,
    headers: {
      apikey: stack.keys.publishableKey,
      authorization: `Bearer ${await ana.accessToken()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ prefixes: paths }),
  }).catch(() => null);
  const left = async () => {
    const [row] = await stack.sql<{ left: number }[]>`
      select count(*)::int as left from storage.objects where name = any(${paths}::text[])`;
    return row?.left ?? 0;
  };
  await expect.poll(left, { interval: 1 }).toBeLessThan(30);
  leaving.abort();
  await removal;
  await expect.poll(async () => stack.calls.waiting).toBe(0);
  expect(await left()).toBeGreaterThan(0);
});
