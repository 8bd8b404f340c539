import { describe, expect, it } from "vitest";
import { FolderInUse } from "@/supabase/local/lock";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import { faultSentence, sizeWords } from "./command";

const coded = (code: string, message = "as the system says it", path?: string) =>
  Object.assign(new Error(message), { code, ...(path !== undefined && { path }) });

describe("the error of a failed command", () => {
  it.each<[string, unknown, RegExp]>([
    ["a full disk", coded("ENOSPC"), /no room for it on the disk/],
    ["a limit of the user's", coded("EDQUOT"), /no room for it on the disk/],
    ["the database's full disk", coded("53100"), /no room for it on the disk/],
    [
      "a database that could not be created",
      new Error("FATAL:  could not write to file: No space left on device"),
      /no room for it on the disk/,
    ],
    [
      "a file of another user's",
      coded("EACCES", "", "/x/keys.json"),
      /not read or write \/x\/keys.json/,
    ],
    ["a folder that is missing", coded("ENOENT", "", "/none/a"), /There is no \/none\/a/],
    ["a database that went away", coded("CONNECTION_CLOSED"), /does not answer, or has gone away/],
    ["a sentence of ours", new BackupFault("This is no backup."), /^This is no backup\.$/],
    [
      "another process",
      new FolderInUse({ pid: 7, startedAt: "2026-11-23T10:00:00.000Z", mark: "" }),
      /already open in another process \(pid 7/,
    ],
  ])("[BACKUP-5] names %s in one sentence", (_, error, sentence) => {
    expect(faultSentence(error)).toMatch(sentence);
    expect(faultSentence(error)).not.toContain("\n");
  });

  it("formats sizes in bytes, kB, MB and GB", () => {
    expect([0, 999, 1000, 137_728, 9_999_999, 12_345_678_901].map(sizeWords)).toEqual([
      "0 bytes",
      "999 bytes",
      "1.0 kB",
      "138 kB",
      "10.0 MB",
      "12 GB",
    ]);
  });
});
