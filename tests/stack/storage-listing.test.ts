import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
      using (bucket_id = 'papers' and (storage.foldername(name))[1] = auth.uid()::text)`);
  const rows: [name: string, day: number][] = [
    ["a/2.txt", 1],
    ["a/1.txt", 2],
    ["a/b/3.txt", 3],
    ["a/b/c/4.txt", 4],
    ["ab/5.txt", 5],
    ["ab", 6],
    ["6%_.txt", 6],
  ];
  for (const [name, day] of rows)
    await stack.sql`
      insert into storage.objects (bucket_id, name, owner, created_at, updated_at, metadata)
      values ('papers', ${`${ana.user.id}/${name}`}, ${ana.user.id},
        ${`2026-11-0${day}T00:00:00Z`}, now(), '{"size": 7}')`;
});
afterAll(() => stack.stop());

const listed = async (folder: string, request: object = {}, by: Pick<Person, "client"> = ana) => {
  const { data, error } = await papers(by).list(`${ana.user.id}${folder}`, request);
  expect(error).toBeNull();
  return (data ?? []).map(({ name }) => name);
};

describe("[COMPAT-6] a folder of storage", () => {
  test("holds its own objects and folders, not those of its neighbours", async () => {
    expect(await listed("")).toEqual(["6%_.txt", "a", "ab"]);
    expect(await listed("/a")).toEqual(["1.txt", "2.txt", "b"]);
    expect(await listed("/a/b/")).toEqual(["3.txt", "c"]);
    expect(await listed("/nowhere")).toEqual([]);
    expect((await papers(ana).list()).data?.map(({ name }) => name)).toEqual([ana.user.id]);
  });

  test("gives objects an id, times and metadata, and folders none", async () => {
    const { data } = await papers(ana).list(`${ana.user.id}/a`);
    expect(
      data?.map(({ id, created_at, metadata }) => [id !== null, created_at, metadata]),
    ).toEqual([
      [true, "2026-11-02T00:00:00.000Z", { size: 7 }],
      [true, "2026-11-01T00:00:00.000Z", { size: 7 }],
      [false, null, null],
    ]);
    // An object and a folder with the same name are one entry.
    const top = await papers(ana).list(ana.user.id);
    expect(top.data?.find(({ name }) => name === "ab")?.id).not.toBeNull();
  });

  test("is sorted, searched and paged after folding", async () => {
    const newest = { sortBy: { column: "created_at", order: "desc" } };
    expect(await listed("/a", newest)).toEqual(["1.txt", "2.txt", "b"]);
    expect(await listed("/a", { search: ".TXT" })).toEqual(["1.txt", "2.txt"]);
    expect(await listed("", { search: "%_" })).toEqual(["6%_.txt"]);
    expect(await listed("/a", { limit: 1, offset: 1 })).toEqual(["2.txt"]);
  });

  test("is empty for a caller without access", async () => {
    expect(await listed("", {}, mallory)).toEqual([]);
    expect(await listed("", {}, { client: visitor(stack) })).toEqual([]);
    expect((await service(stack).storage.from("papers").list(ana.user.id)).data).toHaveLength(3);
  });

  test("lists to its end through 20 000 objects, within the requested rows", async () => {
    const many = 20_000;
    await stack.sql`
      insert into storage.objects (bucket_id, name, owner)
      select 'papers', ${mallory.user.id} || '/' || lpad(n::text, 5, '0') || '/deep.txt', ${mallory.user.id}
      from generate_series(1, ${many}::int) n`;
    const ends = async (request: object) => {
      const { data } = await papers(mallory).list(mallory.user.id, request);
      return [data?.length, data?.[0]?.name, data?.at(-1)?.name];
    };
    expect(await ends({})).toEqual([100, "00001", "00100"]);
    expect(await ends({ offset: many - 10 })).toEqual([10, "19991", "20000"]);
    expect(await ends({ limit: 1, sortBy: { column: "name", order: "desc" } })).toEqual([
      1,
      "20000",
      "20000",
    ]);
  });
});
