import { describe, expect, it } from "vitest";
import { aggregates } from "@/machines/catalog";
import { activityWords } from "./activity-words";

describe("the words of the activity", () => {
  it("name every event that a workspace can hold [DOCS-2]", () => {
    const types = aggregates.flatMap(({ kind, schemas }) =>
      kind === "account" ? [] : Object.keys(schemas),
    );
    const unnamed = types.filter((type) => {
      const happening = {
        id: "1",
        type,
        stream: { kind: "workspace", id: "w" },
        subjectId: "s",
        actorId: "a",
        version: 1,
        at: "",
        began: "",
        count: 1,
        body: {},
      };
      return /^(changed something|did something)/.test(
        activityWords(happening, () => "Ben", "Minutes").before,
      );
    });
    expect(types).toContain("document.edited");
    expect(unnamed).toEqual([]);
  });

  it("[ICON-5] say which icon a document was given, or that it was removed", () => {
    const said = (emoji: string | null) =>
      activityWords(
        {
          id: "1",
          type: "document.icon_set",
          stream: { kind: "document", id: "d" },
          subjectId: "d",
          actorId: "a",
          version: 2,
          at: "",
          began: "",
          count: 1,
          body: { emoji },
        },
        () => "Ben",
        "Tides",
      );
    expect([said("🌊"), said(null)]).toEqual([
      { before: "set the icon of", link: "Tides", after: " to 🌊" },
      { before: "removed the icon of", link: "Tides", after: "" },
    ]);
  });
});
