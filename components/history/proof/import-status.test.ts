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

describe("what a document says of the import that it began with", () => {
  it("[IMPORT-4] is where it came from, and the revision at which all of it was there", async () => {
    expect(await statusOf([created, imported, step, step, step, imported, edited])).toMatchObject({
      words: expect.stringContaining("Written there by Ana."),
      complete: 6,
      whole: true,
    });
    expect(await statusOf([created, imported, edited])).toMatchObject({ complete: 2, whole: true });
  });

  it("[IMPORT-11] is that only a part of it is here, also where somebody has gone on writing in that", async () => {
    for (const rows of [[step], [step, step, step], [step, step, edited, edited, edited]])
      expect(await statusOf([created, imported, ...rows])).toMatchObject({ whole: false });
  });

  it("[IMPORT-4] is nothing where it began otherwise", async () => {
    expect(await statusOf([created])).toBeNull();
    expect(await statusOf([created, edited, imported])).toBeNull();
  });
});
