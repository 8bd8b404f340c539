import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { acknowledging } from "../http/acknowledgement";
import { clusterOf, settleFolder } from "./data-folder";
import type { FolderPlace } from "./data-folder";
import { watchFolder } from "./folder-watch";
import type { Call } from "../http/call";
import { callOf } from "../http/call.fixture";

let base: string;
let place: FolderPlace;
let newest: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "watch-"));
  place = { folder: join(base, "data"), notes: join(base, "notes"), holdsDatabase: true };
  newest = "000000010000000000000001";
  for (const part of ["global", "pg_wal"])
    await mkdir(join(clusterOf(place.folder), part), { recursive: true });
  await writeFile(join(clusterOf(place.folder), "global", "pg_control"), "control");
  await writeFile(segment(), "log");
  await settleFolder(
    place,
    () => new Date(0),
    () => undefined,
  );
});
afterEach(() => rm(base, { recursive: true, force: true }));

const segment = () => join(clusterOf(place.folder), "pg_wal", newest);

function watch(asked = async () => newest) {
  const watched = watchFolder(place, asked);
  onTestFinished(() => watched.stop());
  return watched;
}

describe("a data folder under a running server", () => {
  it(
    "[START-30] holds while it is left alone, and asks the database for its log only " +
      "when that has changed",
    async () => {
      let asked = 0;
      const watched = watch(async () => {
        asked += 1;
        return newest;
      });
      for (let times = 0; times < 100; times += 1) expect(await watched.holds()).toBe(true);
      expect(asked).toBe(1);
      // The next segment is created first, as in PostgreSQL, because the watch also polls.
      const before = segment();
      newest = "000000010000000000000002";
      await writeFile(segment(), "log");
      await rm(before);
      expect(await watched.holds()).toBe(true);
      expect(asked).toBe(2);
    },
  );

  it.each<[string, () => Promise<void>]>([
    ["deleted", () => rm(place.folder, { recursive: true })],
    ["moved", () => rename(place.folder, join(base, "elsewhere"))],
    [
      "replaced by its copy",
      async () => {
        await cp(place.folder, join(base, "copy"), { recursive: true });
        await rename(place.folder, join(base, "elsewhere"));
        await rename(join(base, "copy"), place.folder);
      },
    ],
    [
      "replaced by an empty folder, as where a volume is taken away",
      async () => {
        await rename(place.folder, join(base, "elsewhere"));
        await mkdir(place.folder);
      },
    ],
    ["without its database", () => rm(join(place.folder, "postgres"), { recursive: true })],
    [
      "without the log of its database",
      () => rm(join(clusterOf(place.folder), "pg_wal"), { recursive: true }),
    ],
    ["without the newest file of that log", () => rm(segment())],
    ["without its marker", () => rm(join(place.folder, "folder.json"))],
  ])(
    "[START-31] is gone at the next check once it is %s, and reports it unasked",
    async (_, spoil) => {
      const [asked, unasked] = [watch(), watch()];
      expect(await asked.holds()).toBe(true);
      expect(await unasked.holds()).toBe(true);
      await spoil();
      expect(await asked.holds()).toBe(false);
      await unasked.gone;
      expect(await unasked.holds()).toBe(false);
    },
  );

  it("[START-30] acknowledges no answer once it is gone", async () => {
    const watched = watch();
    const answers: object[] = [];
    const answer = (what: string) => async (call: Call, body: Uint8Array | Request) => {
      answers.push({ what, call, body });
      return new Response("recorded");
    };
    const backend = acknowledging(
      {
        rest: answer("rest"),
        storage: answer("storage"),
        auth: answer("auth"),
        functions: answer("functions"),
      },
      watched,
    );
    const head = new Request("http://localhost/");
    const call = { ...callOf(head), inTurn: <T>(work: () => Promise<T>) => work() };
    const body = new Uint8Array();
    expect((await backend.rest(call, body)).status).toBe(200);
    await rm(place.folder, { recursive: true });
    const refusals = [
      backend.rest(call, body),
      backend.storage(call, head),
      backend.auth(call, body),
      backend.functions(call, head),
    ];
    for (const refused of await Promise.all(refusals)) {
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({
        code: "data_gone",
        message: expect.stringContaining("kept in this browser"),
      });
    }
    expect(answers).toHaveLength(5);
  });
});
