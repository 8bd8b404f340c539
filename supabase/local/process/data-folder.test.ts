import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  admitFolder,
  clearRestoring,
  clusterOf,
  markerOf,
  restoringOf,
  settleFolder,
} from "./data-folder";
import type { FolderPlace } from "./data-folder";

let base: string;
let place: FolderPlace;
let logged: string[];
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "folder-"));
  place = { folder: join(base, "data"), notes: join(base, "notes"), holdsDatabase: true };
  logged = [];
});
afterEach(() => rm(base, { recursive: true, force: true }));

const admit = (isNew = false) => admitFolder(place, isNew, (line) => logged.push(line));
const settle = () =>
  settleFolder(
    place,
    () => new Date("2026-11-22T10:00:00Z"),
    (line) => logged.push(line),
  );

async function used(): Promise<void> {
  await mkdir(clusterOf(place.folder), { recursive: true });
  await writeFile(join(clusterOf(place.folder), "PG_VERSION"), "17\n");
  await settle();
}

/** Creates another data folder, and returns its marker. */
async function marked(): Promise<string> {
  const other = { ...place, folder: join(base, "other") };
  await mkdir(other.folder);
  await settleFolder(
    other,
    () => new Date("2026-11-22T10:00:00Z"),
    (line) => logged.push(line),
  );
  return markerOf(other.folder);
}

const emptied =
  /held a workspace when it was last used \(2026-11-22\) and holds none now.*Nothing was changed.*npm start -- --new/s;

describe("a data folder at a start", () => {
  it(
    "[START-33] is new when nothing is recorded of it, and after a first start that " +
      "ended early",
    async () => {
      await admit();
      await mkdir(join(place.folder, "postgres", ".unfinished-1"), { recursive: true });
      await writeFile(join(place.folder, "keys.json"), "{}");
      await admit();
      expect(logged).toEqual([]);
    },
  );

  it("[BACKUP-10] is refused after an unfinished restore, except with --new", async () => {
    const early = /A restore into .* has not finished.*npm run restore FILE.*npm start -- --new/s;
    await mkdir(restoringOf(place.folder), { recursive: true });
    await expect(admit()).rejects.toThrow(early);
    await writeFile(markerOf(place.folder), await readFile(await marked(), "utf8"));
    await writeFile(join(place.folder, "keys.json"), "{}");
    await expect(admit()).rejects.toThrow(early);
    await admit(true);
    await clearRestoring(place.folder, (line) => logged.push(line));
    await admit();
    expect(await readdir(place.folder)).toEqual(["keys.json"]);
  });

  it("[BACKUP-10] is used after a restore that ended once everything was in place", async () => {
    await used();
    await mkdir(restoringOf(place.folder));
    await admit();
    expect(logged).toEqual([]);
  });

  it("[START-33] is used again, also without a marker or a note", async () => {
    await used();
    await admit();
    await rm(markerOf(place.folder));
    await admit();
    await rm(place.notes, { recursive: true });
    await admit();
    expect(logged).toEqual([]);
  });

  it.each<[string, () => Promise<void>]>([
    ["deleted", () => rm(place.folder, { recursive: true })],
    [
      "emptied, or is not mounted",
      async () => {
        await rm(place.folder, { recursive: true });
        await mkdir(place.folder);
      },
    ],
    [
      "left with its keys alone",
      async () => {
        await rm(place.folder, { recursive: true });
        await mkdir(place.folder);
        await writeFile(join(place.folder, "keys.json"), "{}");
      },
    ],
    ["left without its database", () => rm(join(place.folder, "postgres"), { recursive: true })],
    [
      "left with an empty cluster",
      async () => {
        await rm(clusterOf(place.folder), { recursive: true });
        await mkdir(clusterOf(place.folder));
      },
    ],
  ])(
    "[START-32] that was %s is refused and left unchanged, except with --new",
    async (_, spoil) => {
      await used();
      await spoil();
      const before = await readdir(base, { recursive: true });
      await expect(admit()).rejects.toThrow(emptied);
      expect(await readdir(base, { recursive: true })).toEqual(before);
      await admit(true);
      expect(logged).toEqual([`Creating a new workspace in ${place.folder}`]);
    },
  );

  it("[START-32] that lost its database is refused, also without a note of it", async () => {
    await used();
    await rm(place.notes, { recursive: true });
    await rm(join(place.folder, "postgres"), { recursive: true });
    await expect(admit()).rejects.toThrow(/held a workspace and holds none now/);
  });

  it("[START-32] with its database elsewhere is known by its marker alone", async () => {
    place = { ...place, holdsDatabase: false };
    await mkdir(place.folder);
    await admit();
    await settle();
    await admit();
    await rm(place.folder, { recursive: true });
    await expect(admit()).rejects.toThrow(emptied);
  });

  it("[START-35] that holds other data than before is used, with a warning", async () => {
    await used();
    await rename(place.folder, join(base, "elsewhere"));
    const notes = place.notes;
    place = { ...place, notes: join(base, "other notes") };
    await used();
    place = { ...place, notes };
    await admit();
    expect(logged).toEqual([
      `The data in ${place.folder} is not what was there when it was last used (2026-11-22).`,
    ]);
  });

  it("[START-36] with data in it is not changed by --new", async () => {
    await used();
    const marker = await readFile(markerOf(place.folder), "utf8");
    await admit(true);
    await settle();
    expect(await readFile(markerOf(place.folder), "utf8")).toBe(marker);
    expect(logged).toEqual([`${place.folder} already holds a workspace: --new has no effect.`]);
  });

  it("[START-36] gets another id after --new", async () => {
    await used();
    const marker = await readFile(markerOf(place.folder), "utf8");
    await rm(join(place.folder, "postgres"), { recursive: true });
    await admit(true);
    await used();
    expect(await readFile(markerOf(place.folder), "utf8")).not.toBe(marker);
  });

  it("[START-33] is used when no note can be written, with a warning", async () => {
    await writeFile(place.notes, "a file stands here");
    await chmod(place.notes, 0o400);
    await used();
    expect(logged.join()).toContain("a later start will not notice");
  });

  it("is refused with the name of an unreadable marker", async () => {
    await used();
    await writeFile(markerOf(place.folder), "{");
    await expect(admit()).rejects.toThrow(`${markerOf(place.folder)} cannot be read`);
  });
});
