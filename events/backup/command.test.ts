import { describe, expect, it } from "vitest";
import { FolderInUse } from "@/supabase/local/process/lock";
import { BackupFault } from "@/supabase/local/backup/archive-format";
import { faultSentence, sizeWords } from "./command";

const coded = (code: string, message = "as the system says it", path?: string) =>
  Object.assign(new Error(message), { code, ...(path !== undefined && { path }) });

describe("the error of a failed command", () => {
  it.each<[string, unknown, RegExp]>([
    ["a full disk", coded("ENOSPC"), /The disk is full/],
    ["the user's quota", coded("EDQUOT"), /The disk is full/],
    ["the database's full disk", coded("53100"), /The disk is full/],
    [
      "a database that could not be created",
      new Error("FATAL:  could not write to file: No space left on device"),
      /The disk is full/,
    ],
    [
      "another user's file",
      coded("EACCES", "", "/x/keys.json"),
      /not read or write \/x\/keys.json/,
    ],
    ["a missing folder", coded("ENOENT", "", "/none/a"), /\/none\/a does not exist/],
    [
      "a lost connection to the database",
      coded("CONNECTION_CLOSED"),
      /connection to the database was lost/,
    ],
    ["a BackupFault", new BackupFault("This is not a backup."), /^This is not a backup\.$/],
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
