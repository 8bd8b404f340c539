import { describe, expect, it } from "vitest";
import { forgetDrafts } from "@/events/device/comment-drafts";
import type { Sent } from "@/events/device/comment-drafts";
import { draftStore } from "./draft-store";
import { isRecorded } from "./use-recovered";

function memory(full = false) {
  const items = new Map<string, string>();
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (full) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
}
const anchor = { start: "AA==", end: "AQ==", quote: "at nine" };

describe("[COMMENT-10] what is written and not sent", () => {
  it("is restored only for the same person and document", () => {
    const storage = memory();
    const drafts = draftStore(storage, "ana", "doc");
    drafts.begin({ anchor, text: "" });
    drafts.beginning.write("Ten, sur");
    drafts.slot("thread").write("No");
    const next = draftStore(storage, "ana", "doc");
    expect([next.begun(), next.slot("thread").read(), next.slot("other").read()]).toEqual([
      { anchor, text: "Ten, sur" },
      "No",
      "",
    ]);
    for (const [who, where] of [
      ["ben", "doc"],
      ["ana", "elsewhere"],
    ] as const)
      expect(draftStore(storage, who, where).begun()).toBeNull();
  });

  it("leaves the device once it is sent or discarded", () => {
    const storage = memory();
    const drafts = draftStore(storage, "ana", "doc");
    drafts.begin({ anchor, text: "x" });
    drafts.slot("thread").write("No");
    drafts.begin(null);
    drafts.slot("thread").write("");
    expect(storage.items.size).toBe(0);
    // `beginning` has no words to write to if no new thread exists.
    drafts.beginning.write("late");
    expect(drafts.begun()).toBeNull();
  });

  it("is kept when another tab writes or discards its own", () => {
    const storage = memory();
    const [one, two] = [draftStore(storage, "ana", "doc"), draftStore(storage, "ana", "doc")];
    one.begin({ anchor, text: "Ten, surely" });
    one.slot("thread").write("No");
    two.begin({ anchor: { ...anchor, quote: "on Saturdays" }, text: "And on Sundays?" });
    two.slot("other").write("Yes");
    expect([two.slot("thread").read(), one.slot("other").read()]).toEqual(["No", "Yes"]);
    // A tab sends and discards only its own drafts.
    two.begin(null);
    two.slot("other").write("");
    const next = draftStore(storage, "ana", "doc");
    expect([next.begun(), next.slot("thread").read(), next.slot("other").read()]).toEqual([
      { anchor, text: "Ten, surely" },
      "No",
      "",
    ]);
  });

  it("is not cleared when another tab sends from the same field", () => {
    const storage = memory();
    const [one, two] = [draftStore(storage, "ana", "doc"), draftStore(storage, "ana", "doc")];
    one.slot("thread").write("No");
    two.slot("thread").write("Rather");
    one.slot("thread").write("");
    expect(draftStore(storage, "ana", "doc").slot("thread").read()).toBe("Rather");
  });

  it("is read from the old format with one new thread", () => {
    const storage = memory();
    storage.items.set(
      "palimpsest.drafts.ana.doc",
      JSON.stringify({ begun: { anchor, text: "Ten" }, words: { thread: "No" } }),
    );
    const drafts = draftStore(storage, "ana", "doc");
    expect([drafts.begun(), drafts.slot("thread").read()]).toEqual([{ anchor, text: "Ten" }, "No"]);
    storage.items.set(
      "palimpsest.drafts.ana.doc",
      JSON.stringify({ begun: null, words: { thread: "No" } }),
    );
    expect(draftStore(storage, "ana", "doc").slot("thread").read()).toBe("No");
  });

  it("lasts as long as the page without room or storage, and ignores unreadable entries", () => {
    for (const storage of [memory(true), null]) {
      const drafts = draftStore(storage, "ana", "doc");
      drafts.slot("thread").write("No");
      expect(drafts.slot("thread").read()).toBe("No");
    }
    const strange = memory();
    for (const value of ["{", "[]", '{"begun":{"text":5},"words":{}}']) {
      strange.items.set("palimpsest.drafts.ana.doc", value);
      expect(draftStore(strange, "ana", "doc").begun()).toBeNull();
    }
  });
});

describe("[COMMENT-11] a sent, unrecorded comment", () => {
  const never = new Promise<{ ok: boolean }>(() => {});
  const unrecorded = () => false;

  it("becomes a draft again on the next page if this page ends first", () => {
    const storage = memory();
    const drafts = draftStore(storage, "ana", "doc");
    drafts.begin({ anchor, text: "Ten, surely" });
    drafts.beginning.sent("Ten, surely", never);
    drafts.begin(null);
    drafts.slot("thread").sent("No", never);
    const next = draftStore(storage, "ana", "doc");
    expect([next.begun(), next.slot("thread").read()]).toEqual([null, ""]);
    next.recover(unrecorded);
    expect([next.begun(), next.slot("thread").read()]).toEqual([
      { anchor, text: "Ten, surely" },
      "No",
    ]);
    const third = draftStore(storage, "ana", "doc");
    third.recover(unrecorded);
    expect([third.begun(), third.slot("thread").read()]).toEqual([
      { anchor, text: "Ten, surely" },
      "No",
    ]);
  });

  it("is dropped once it is recorded, refused or found recorded", async () => {
    const storage = memory();
    const drafts = draftStore(storage, "ana", "doc");
    for (const ok of [true, false]) {
      const done = Promise.resolve({ ok });
      drafts.slot("thread").sent("No", done);
      expect(storage.items.size).toBe(1);
      await done;
      expect(storage.items.size).toBe(0);
    }
    drafts.slot("thread").sent("Said", never);
    const next = draftStore(storage, "ana", "doc");
    next.recover(({ text }) => text === "Said");
    expect([next.slot("thread").read(), storage.items.size]).toEqual(["", 0]);
  });

  it("is recovered once, however many tabs are open", async () => {
    const storage = memory();
    const [one, two] = [draftStore(storage, "ana", "doc"), draftStore(storage, "ana", "doc")];
    let rule = (_: { ok: boolean }) => {};
    one.slot("thread").sent("No", new Promise((done) => (rule = done)));
    two.slot("other").sent("Lost", never);
    const [third, fourth] = [draftStore(storage, "ana", "doc"), draftStore(storage, "ana", "doc")];
    rule({ ok: true });
    await Promise.resolve();
    for (const drafts of [third, fourth]) drafts.recover(unrecorded);
    // One comment is recorded by now, and the other was restored once.
    expect([third.slot("thread").read(), third.slot("other").read()]).toEqual(["", "Lost"]);
    third.slot("other").write("");
    fourth.recover(unrecorded);
    expect([fourth.slot("other").read(), storage.items.size]).toEqual(["", 0]);
  });

  it("waits while its field holds other words", () => {
    const storage = memory();
    const drafts = draftStore(storage, "ana", "doc");
    drafts.slot("thread").sent("No", never);
    drafts.slot("thread").write("And besides");
    const next = draftStore(storage, "ana", "doc");
    next.recover(unrecorded);
    expect(next.slot("thread").read()).toBe("And besides");
    next.slot("thread").write("");
    const third = draftStore(storage, "ana", "doc");
    third.recover(unrecorded);
    expect(third.slot("thread").read()).toBe("No");
  });

  it("counts as recorded if its author made the same comment there", () => {
    const comment = {
      id: "c",
      thread: "t",
      text: "No",
      authorId: "ana",
      addedAt: "",
      editedAt: null,
      deleted: false,
    };
    const thread = (change: Partial<typeof comment>) => [
      {
        id: "t",
        resolved: false,
        resolvedBy: null,
        resolvedAt: null,
        openedBy: "ana",
        openedAt: "",
        openedVersion: 1,
        anchor,
        comments: [{ ...comment, ...change }],
      },
    ];
    const answer: Sent = { slot: "t", anchor: null, text: "No" };
    const beginning: Sent = { slot: null, anchor: { ...anchor, start: "", end: "" }, text: "No" };
    for (const sent of [answer, beginning, { ...answer, slot: "c" }]) {
      expect(isRecorded(sent, thread({}), "ana")).toBe(true);
      for (const other of [{ text: "No!" }, { authorId: "ben" }, { deleted: true }])
        expect(isRecorded(sent, thread(other), "ana")).toBe(false);
    }
    expect(isRecorded({ ...answer, slot: "elsewhere" }, thread({}), "ana")).toBe(false);
  });

  it("[COMMENT-10] stays when its author signs out, which removes drafts", () => {
    const storage = memory();
    storage.items.set("elsewhere", "kept");
    draftStore(storage, "ana", "one").begin({ anchor, text: "secret" });
    const two = draftStore(storage, "ana", "two");
    two.slot("thread").write("secret");
    two.slot("thread").sent("said", never);
    forgetDrafts(storage);
    expect([...storage.items.keys()].sort()).toEqual(["elsewhere", "palimpsest.drafts.ana.two"]);
    expect([...storage.items.values()].join()).not.toContain("secret");
    const next = draftStore(storage, "ana", "two");
    next.recover(unrecorded);
    expect(next.slot("thread").read()).toBe("said");
  });
});
