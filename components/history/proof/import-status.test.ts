import { describe, expect, it } from "vitest";
import type { Ruled } from "@/events/core/envelope";
import { unhashed } from "@/events/proof/chain.fixture";
import { broughtImport } from "./import-status";

const body = {
  label: "“Plans”, exported by Ana on 3 November 2026",
  authors: [{ name: "Ana", clients: [] }],
  events: 3,
};
const created = { type: "document.created" };
const imported = { type: "document.imported", body };
const step = { type: "document.step_imported" };
const edited = { type: "document.edited" };

function statusOf(rows: Partial<Ruled>[]) {
  const log = rows.map((row, index) => unhashed(index + 1, row));
  return broughtImport(
    {
      read: async (_, after, max) => log.slice(after, max === undefined ? undefined : after + max),
    },
    log[0]?.streamId ?? "",
  );
}

describe("the import status of a document", () => {
  it("[IMPORT-4] gives the source, and the revision at which the import was complete", async () => {
    expect(await statusOf([created, imported, step, step, step, imported, edited])).toMatchObject({
      words: expect.stringContaining("Written there by Ana."),
      complete: 6,
      whole: true,
    });
    expect(await statusOf([created, imported, edited])).toMatchObject({ complete: 2, whole: true });
  });

  it("[IMPORT-11] says that only a part arrived, even after further edits", async () => {
    for (const rows of [[step], [step, step, step], [step, step, edited, edited, edited]])
      expect(await statusOf([created, imported, ...rows])).toMatchObject({ whole: false });
  });

  it("[IMPORT-4] is null after any other beginning", async () => {
    expect(await statusOf([created])).toBeNull();
    expect(await statusOf([created, edited, imported])).toBeNull();
  });
});
