import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { admitFolder } from "../process/data-folder";
import { loadKeys } from "../keys";
import { lockFolder } from "../process/lock";
import { startFault, withStartFaults } from "./start-fault";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "start-fault-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const systemError = (code: string, path = "/data/keys.json.new") =>
  Object.assign(new Error(`${code}: as the system says it, open '${path}'`), { code, path });
const databaseError = (code: string) =>
  Object.assign(new postgres.PostgresError(""), { code, message: "as the database says it" });
const sentenceOf = (error: unknown) => startFault(error, "/data");

describe("[START-42] a data folder that a start cannot use", () => {
  it.each([
    ["EROFS", "The data folder /data cannot be written: its file system is read-only."],
    ["EACCES", "permission denied for /data/keys.json.new."],
    ["EPERM", "permission denied for /data/keys.json.new."],
    ["ENOSPC", "The disk with the data folder /data is full. Make room on it"],
    ["EDQUOT", "The disk quota for the data folder /data is used up."],
    ["EIO", "The disk with the data folder /data fails (EIO at /data/keys.json.new)."],
    ["EMFILE", "too many files are open."],
    ["ENOTDIR", "/data/keys.json.new is a file where a folder belongs."],
    ["EISDIR", "/data/keys.json.new is a folder where a file belongs."],
    ["ENOENT", "cannot be made or read: /data/keys.json.new is not there, or a folder above it"],
    ["ESTALE", "The data folder /data cannot be used (ESTALE at /data/keys.json.new)."],
  ])("is named in a sentence for %s", (code, sentence) => {
    expect(sentenceOf(systemError(code))).toContain(sentence);
    expect(sentenceOf(new Error("wrapped", { cause: systemError(code) }))).toContain(sentence);
  });

  it("is named when a folder above it is refused", () => {
    expect(startFault(systemError("EROFS", "/mnt"), "/mnt/palimpsest")).toContain(
      "The data folder /mnt/palimpsest cannot be written",
    );
  });

  it("is named for a write error without a path", () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    expect(sentenceOf(error)).toContain("is full");
  });

  it.each([
    ["The database could not be created:\ninitdb: error: … No space left on device", "is full."],
    ["The database server ended with code 1 …:\nFATAL: … Read-only file system", "is read-only."],
    ["The database server ended with code 1 …:\nFATAL: … Permission denied", "/data/postgres"],
  ])("is found in the output of PostgreSQL's programs: %j", (printed, sentence) => {
    expect(sentenceOf(new Error(printed))).toContain(sentence);
  });

  it("leaves other errors as they are", () => {
    for (const error of [
      new Error("The database server ended with code 1 before it was ready:\nFATAL: bad setting"),
      systemError("EACCES", "/elsewhere/postgres"),
      systemError("EROFS", "/database"),
      Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" }),
      Object.assign(new Error("read"), { code: "ECONNRESET", syscall: "read" }),
      databaseError("23505"),
      "a string",
    ])
      expect(sentenceOf(error)).toBeNull();
  });
});

it.each([
  ["25006", "The database is read-only"],
  ["53100", "The disk of the database is full."],
  ["58030", "The disk of the database fails"],
])("[START-42] a database that cannot be written is named: %s", (code, sentence) => {
  const cause = databaseError(code);
  expect(sentenceOf(new Error("The migration could not be applied.", { cause }))).toContain(
    sentence,
  );
});

describe("[START-42] a start on a folder with something in the way", () => {
  const start = (work: () => Promise<unknown>) =>
    withStartFaults(folder, work).then(
      () => null,
      (error: unknown) => String(error),
    );

  it("reports a file in place of the data folder", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const said = await withStartFaults(join(file, "data"), () =>
      lockFolder(join(file, "data")),
    ).catch(String);
    expect(said).toContain("is a file where a folder belongs");
  });

  it("names a folder in place of a file, and creates nothing", async () => {
    const file = join(folder, "keys.json");
    await mkdir(file);
    expect(await start(() => loadKeys(folder))).toBe(
      `Error: The data folder ${folder} cannot be used: ${file} is a folder where a file belongs. ` +
        "Move it away and start again.",
    );
    expect(await readdir(folder)).toEqual(["keys.json"]);
  });

  it("reports a folder in place of the marker", async () => {
    await mkdir(join(folder, "folder.json"));
    const place = { folder, notes: join(folder, "notes"), holdsDatabase: true };
    expect(await start(() => admitFolder(place, false, () => undefined))).toContain(
      "is a folder where a file belongs",
    );
  });
});
