import { expect, it } from "vitest";
import { memoryOutbox } from "./outbox";
import { countUnsent, isAllSent, unsentWords } from "./unsent-count";
import type { UnsentCount } from "./unsent-count";

const nothing: UnsentCount = { documents: 0, changes: 0, comments: 0, files: 0, drafts: 0 };

function storageOf(entries: Record<string, unknown>) {
  const keys = Object.keys(entries);
  return {
    length: keys.length,
    key: (at: number) => keys[at] ?? null,
    getItem: (key: string) => JSON.stringify(entries[key]),
  };
}

const anchor = { start: "", end: "", quote: "words" };

it("[ACC-52] counts the records of a person on the device that the log lacks", async () => {
  const outbox = memoryOutbox();
  const box = await outbox.open({ userId: "ana", documentId: "d1" });
  const update = new Uint8Array([1]);
  await box.write({ put: [{ kind: "edit", key: "1", update, time: 1 }] });
  // A record that only accompanies an edit is not counted.
  const other = await outbox.open({ userId: "ana", documentId: "d2" });
  await other.write({ put: [{ kind: "support", key: "1", update }] });
  const device = {
    outbox,
    proposals: { count: async (userId: string) => (userId === "ana" ? 2 : 0) },
    files: async (userId: string) => (userId === "ana" ? 1 : 0),
    storage: storageOf({
      "palimpsest.drafts.ana.d1": {
        begun: [{ anchor, text: "Begun" }],
        words: { reply: "Half", other: " " },
        sent: [{ slot: null, anchor, text: "Sent" }],
      },
    }),
  };
  expect(await countUnsent("ana", device)).toEqual({
    documents: 1,
    changes: 2,
    comments: 1,
    files: 1,
    drafts: 2,
  });
  expect(await countUnsent("ben", device)).toEqual(nothing);
});

it("[ACC-52] counts nothing on a device that fails", async () => {
  const fails = () => Promise.reject(new Error("no database"));
  const device = {
    outbox: { documents: fails, peek: fails },
    proposals: { count: fails },
    files: fails,
    storage: null,
  };
  expect(await countUnsent("ana", device)).toEqual(nothing);
});

it("[ACC-52] states how signing out affects unsent records", () => {
  expect(unsentWords({ ...nothing, documents: 1 })).toBe(
    "1 document with text is not sent yet. It stays on this device, and is sent when you sign in here again.",
  );
  expect(unsentWords({ documents: 2, changes: 1, comments: 3, files: 1, drafts: 1 })).toBe(
    "2 documents with text, 1 change to titles or places, 3 comments, and 1 upload are not sent yet. " +
      "They stay on this device, and are sent when you sign in here again. " +
      "A comment that you have not posted is deleted.",
  );
  expect(isAllSent({ ...nothing, drafts: 1 })).toBe(true);
  expect(isAllSent({ ...nothing, files: 1 })).toBe(false);
});
