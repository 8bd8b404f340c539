import { expect, it } from "vitest";
import { TitleDraft } from "./title-draft";

it("[TITLE-2] gives no title if nothing was typed", () => {
  const draft = new TitleDraft("Minutes");
  expect(draft.take()).toBeNull();
  draft.arrive("Minutes of May");
  expect(draft.words).toBe("Minutes of May");
  expect(draft.take()).toBeNull();
});

it("[TITLE-2] gives a typed title once, with the title that it replaces", () => {
  const draft = new TitleDraft("Minutes");
  draft.type("Minutes of M");
  draft.type("Minutes of May");
  expect(draft.take()).toEqual({ title: "Minutes of May", replaces: "Minutes" });
  expect(draft.take()).toBeNull();
  draft.arrive("Minutes of May");
  draft.type("Minutes of May, 2026");
  expect(draft.take()).toEqual({ title: "Minutes of May, 2026", replaces: "Minutes of May" });
  draft.type("Minutes");
  draft.type("Minutes of May, 2026");
  expect(draft.take()).toBeNull();
});

it("[TITLE-3] merges an arriving title with the words being typed", () => {
  const draft = new TitleDraft("Minutes");
  draft.type("Minutes, May");
  draft.arrive("Draft Minutes");
  expect(draft.words).toBe("Draft Minutes, May");
  expect(draft.take()).toEqual({ title: "Draft Minutes, May", replaces: "Draft Minutes" });
});

it("[TITLE-3] keeps typed words that cannot be merged, with the title that they replace", () => {
  const draft = new TitleDraft("");
  draft.type("a".repeat(200));
  draft.arrive("b".repeat(200));
  expect(draft.words).toBe("a".repeat(200));
  expect(draft.take()).toEqual({ title: "a".repeat(200), replaces: "" });
  draft.arrive("b".repeat(200));
  expect(draft.words).toBe("b".repeat(200));
});

it("[EDIT-74] merges a title typed over an older one with the current title", () => {
  const draft = new TitleDraft("Draft Minutes");
  draft.typeOver("Minutes", "Minutes, May");
  expect(draft.take()).toEqual({ title: "Draft Minutes, May", replaces: "Draft Minutes" });
});

it("[EDIT-74] merges the titles of two pages that ended, and each of them once", () => {
  const draft = new TitleDraft("Minutes");
  draft.typeOver("Minutes", "Minutes of May");
  draft.typeOver("Minutes", "Draft Minutes");
  draft.typeOver("Minutes", "Minutes of May");
  expect(draft.take()).toEqual({ title: "Draft Minutes of May", replaces: "Minutes" });
  draft.typeOver("Minutes", "Draft Minutes");
  expect(draft.take()).toBeNull();
});
