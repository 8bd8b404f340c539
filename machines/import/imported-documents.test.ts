import { expect, it } from "vitest";
import type { Store } from "@/events/log/store";
import { appendDocuments, takeBackDocuments } from "./imported-documents";
import type { BegunDocuments } from "./imported-documents";

const document = (title: string, parent: number | null) => ({
  id: `document ${title}`,
  title,
  parent,
  words: 0,
  pieces: [],
  pictures: [],
  threads: [],
});

/** Creates a log whose answers may get lost although it has recorded the request. */
function log(loses: (type: string, nth: number) => boolean) {
  const phases = new Map<string, string>();
  let nth = 0;
  let asking = 0;
  let most = 0;
  const append = (async (id: string, _version: number | null, [first]: { type: string }[]) => {
    asking += 1;
    most = Math.max(most, asking);
    await Promise.resolve();
    asking -= 1;
    nth += 1;
    const type = first?.type ?? "";
    if (type === "document.trashed" && phases.get(id) !== "live")
      return { ok: false, refusal: { name: "illegal-transition", detail: "" } };
    phases.set(id, type === "document.trashed" ? "trashed" : "live");
    if (loses(type, nth)) throw new Error("no answer");
    return { ok: true, rulings: [] };
    // The test uses only a part of a store's answer.
  }) as unknown as Store["append"];
  return { append, phases, most: () => most };
}

const ways = (append: Store["append"]) => {
  let id = 0;
  return {
    workspaceId: "w",
    append,
    signal: new AbortController().signal,
    newId: () => `${(id += 1)}`,
    now: () => "2026-11-24T10:00:00Z",
    send: async () => "sent" as const,
    onDone: () => undefined,
  };
};

it("[FORMAT-14] takes back documents that the log recorded without an answer, and no unknown one", async () => {
  const begun: BegunDocuments = {
    documents: [document("a", null), document("b", 0), document("c", null), document("d", null)],
    ids: [],
  };
  const kept = log((_type, nth) => nth === 3);
  const given = ways(kept.append);
  await expect(appendDocuments(begun, given)).rejects.toThrow("no answer");
  expect(kept.phases.size).toBe(3);
  begun.ids.push("never begun");
  expect(await takeBackDocuments(begun, given)).toBe(true);
  expect([...kept.phases.values()]).toEqual(["trashed", "live", "trashed"]);
});

it("[FORMAT-14] takes documents back one at a time, and reports when one stays", async () => {
  const documents = Array.from({ length: 50 }, (_, at) => document(`${at}`, null));
  const begun: BegunDocuments = { documents, ids: [] };
  const kept = log((type) => type === "document.trashed");
  const given = ways(kept.append);
  expect(await appendDocuments(begun, given)).toEqual({ state: "whole", unfit: 0 });
  expect(await takeBackDocuments(begun, given)).toBe(false);
  expect(kept.most()).toBe(1);
});

it("[FORMAT-17] opens a thread for each comment with its answers, and resolves it if it was resolved", async () => {
  const anchor = { start: "AA==", end: "AQ==", quote: "roof" };
  const about = (isResolved: boolean, ...comments: string[]) => ({ anchor, isResolved, comments });
  const threads = [about(false, "Ben: Is that so?", "Ana: Yes."), about(true, "Ana: Done")];
  const sent: { type: string; subject?: { id: string }; body: unknown }[] = [];
  const append = (async (_id: string, _version: number | null, events: typeof sent) => {
    sent.push(...events);
    return { ok: true, rulings: [] };
    // The test uses only a part of a store's answer.
  }) as unknown as Store["append"];
  const begun = { documents: [{ ...document("Minutes", null), threads }], ids: [] };
  expect((await appendDocuments(begun, ways(append))).state).toBe("whole");
  const [, opened, first, answer, other, done, resolved] = sent;
  expect(sent.map(({ type }) => type)).toEqual([
    "document.created",
    "thread.opened",
    "comment.added",
    "comment.added",
    "thread.opened",
    "comment.added",
    "thread.resolved",
  ]);
  expect(opened?.body).toEqual(anchor);
  expect([first?.body, answer?.body]).toEqual([
    { thread: opened?.subject?.id, text: "Ben: Is that so?" },
    { thread: opened?.subject?.id, text: "Ana: Yes." },
  ]);
  expect(done?.body).toEqual({ thread: other?.subject?.id, text: "Ana: Done" });
  expect(resolved?.subject?.id).toBe(other?.subject?.id);
});
