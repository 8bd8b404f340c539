import { describe, expect, it } from "vitest";
import type { Happening } from "@/events/read-models/activity";
import { catalogueOf, emptyCatalogue } from "@/events/log/law-catalogue";
import { aggregates } from "@/machines/catalog";
import { readStory, stageOf, storyAfter, storyOf, storyTypes } from "./workspace-story";
import type { StoryState } from "./workspace-story";

let count = 0;
function happened(type: string, fields: Partial<Happening> = {}): Happening {
  count += 1;
  const stream = type.startsWith("document")
    ? { kind: "document", id: "d1" }
    : { kind: "workspace", id: "w" };
  return {
    id: `${count}`,
    type,
    stream,
    subjectId: "s",
    actorId: "Ana",
    version: count,
    at: "",
    began: "",
    count: 1,
    body: {},
    ...fields,
  };
}

describe("the story of a workspace", () => {
  it("gives the document tree at every moment, including branches in the trash [TREE-9]", () => {
    const inside = (id: string, type: string, body: Happening["body"] = {}) =>
      happened(type, { stream: { kind: "document", id }, body });
    const story = storyOf([
      inside("d1", "document.created", { title: "House" }),
      inside("d2", "document.created", { title: "Roof" }),
      inside("d3", "document.created", { title: "Door" }),
      inside("d2", "document.moved", { parent: "d1", after: null }),
      inside("d3", "document.moved", { parent: null, after: null }),
      inside("d1", "document.trashed"),
    ]);
    expect(
      story.map((state) =>
        stageOf(state)
          .map(
            ({ document, level }) =>
              `${level} ${document.title}${document.trashed ? " (trash)" : ""}`,
          )
          .join(),
      ),
    ).toEqual([
      "1 House",
      "1 House,1 Roof",
      "1 House,1 Roof,1 Door",
      "1 House,2 Roof,1 Door",
      "1 Door,1 House,2 Roof",
      "1 Door,1 House (trash),2 Roof (trash)",
    ]);
  });

  it("gives the documents, their titles and the members at every moment [UNDERSTAND-15]", () => {
    const story = storyOf([
      happened("workspace.created", { body: { name: "Library" } }),
      happened("document.created", { body: { title: "Draft" } }),
      happened("member.joined", { subjectId: "Ben" }),
      happened("document.edited", { actorId: "Ben", count: 12 }),
      happened("document.renamed", { body: { title: "Opening hours" } }),
      happened("document.trashed"),
      happened("document.restored"),
      happened("workspace.renamed", { body: { name: "Village library" } }),
      happened("member.removed", { subjectId: "Ben" }),
    ]);
    expect(story.map(({ people }) => people.length)).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 1]);
    expect(
      story.map(({ documents }) =>
        documents.map(({ title, trashed }) => `${title}${trashed ? " (trash)" : ""}`).join(),
      ),
    ).toEqual([
      "",
      "Draft",
      "Draft",
      "Draft",
      "Opening hours",
      "Opening hours (trash)",
      "Opening hours",
      "Opening hours",
      "Opening hours",
    ]);
    expect(story.at(-1)).toMatchObject({
      name: "Village library",
      people: ["Ana"],
      documents: [{ happenings: 16 }],
    });
  });

  it("[ICON-5] gives a document’s icon at every moment", () => {
    const story = storyOf([
      happened("document.created", { body: { title: "Tides" } }),
      happened("document.icon_set", { body: { emoji: "🌊" } }),
      happened("document.renamed", { body: { title: "High tides" } }),
      happened("document.icon_set", { body: { emoji: null } }),
    ]);
    expect(story.map(({ documents }) => documents[0]?.icon)).toEqual([null, "🌊", "🌊", null]);
    expect(storyTypes).toContain("document.icon_set");
  });

  const pagesOf =
    (pages: Happening[][]) => (before: number | null, types: readonly string[] | null) => {
      const at = before ?? 0;
      const found = (pages[at] ?? []).filter(({ type }) => types?.includes(type) ?? true);
      return Promise.resolve({ happenings: found, older: at + 1 < pages.length ? at + 1 : null });
    };

  it("reads back to the beginning, or says that it did not [UNDERSTAND-15]", async () => {
    const read = pagesOf([[happened("c"), happened("b")], [happened("a")]]);
    const { happenings, detailedFrom, complete } = await readStory(read, {
      pages: 9,
      olderPages: 9,
    });
    expect([happenings.map(({ type }) => type), detailedFrom, complete]).toEqual([
      ["a", "b", "c"],
      null,
      true,
    ]);
    expect((await readStory(read, { pages: 1, olderPages: 0 })).complete).toBe(false);
  });

  it(
    "knows all documents and members from the beginning, however much was written " +
      "since [UNDERSTAND-15]",
    async () => {
      const written = Array.from({ length: 40 }, () => [
        happened("document.edited", { actorId: "Ben", began: "the beginning of it" }),
      ]);
      const read = pagesOf([
        ...written,
        [happened("document.renamed", { body: { title: "Opening hours" } })],
        [
          happened("member.joined", { subjectId: "Ben" }),
          happened("document.created", { body: { title: "Draft" } }),
        ],
        [happened("workspace.created", { body: { name: "Library" } })],
      ]);
      const { happenings, detailedFrom, complete } = await readStory(read, {
        pages: 25,
        olderPages: 100,
      });
      expect([detailedFrom, complete]).toEqual(["the beginning of it", true]);
      expect(happenings.filter(({ type }) => type === "document.edited")).toHaveLength(25);
      expect(storyOf(happenings).at(-1)).toMatchObject({
        name: "Library",
        people: ["Ana", "Ben"],
        documents: [{ title: "Opening hours" }],
      });
    },
  );

  it("requests all event types that change documents or people [UNDERSTAND-15]", () => {
    const before = storyOf([
      happened("workspace.created", { body: { name: "Library" } }),
      happened("document.created", { body: { title: "Draft" } }),
      happened("member.joined", { subjectId: "Ben" }),
    ]).at(-1);
    if (!before) throw new Error("There is no story.");
    const summary = ({ name, people, documents }: StoryState) => ({
      name,
      people,
      documents: documents.map(({ title, trashed }) => ({ title, trashed })),
    });
    for (const { eventType: type } of catalogueOf(aggregates, emptyCatalogue).schemas) {
      const after = storyAfter(
        before,
        happened(type, {
          subjectId: type === "member.joined" ? "Carol" : "Ben",
          body: { title: "Other", name: "Other" },
        }),
      );
      if (JSON.stringify(summary(after)) !== JSON.stringify(summary(before)))
        expect(storyTypes).toContain(type);
    }
  });
});
