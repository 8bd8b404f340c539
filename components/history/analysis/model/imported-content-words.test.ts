import { describe, expect, it } from "vitest";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import {
  basisWords,
  cameWords,
  copyInWords,
  passageChangeKind,
  passageWriter,
  writerOf,
  writtenWords,
} from "./imported-content-words";

const ana = { userId: "a", name: "Ana Perez", color: 1 };
const ben = { userId: "b", name: "Ben Okafor", color: 2 };
const viewModel = {
  authors: [ana],
  people: new Map([
    ["a", ana],
    ["b", ben],
  ]),
  titleOf: (id: string) => (id === "known" ? "Minutes" : null),
};
const copyIn = (type: string, source = "known"): CopyIn => ({
  from: 1,
  to: 1,
  type,
  by: 0,
  source,
  version: 7,
  label: null,
  writers: [],
});

describe("the words about imported content [FORK-9]", () => {
  it("say how it came and who copied it", () => {
    expect(cameWords(viewModel, copyIn("document.forked"))).toBe(
      "came with the fork of “Minutes” that Ana made",
    );
    expect(cameWords(viewModel, copyIn("document.merged", "hidden"))).toBe(
      "came when Ana merged another document in",
    );
    expect(
      cameWords(viewModel, { ...copyIn("document.imported"), label: "“Plans”, exported by Ben" }),
    ).toBe("imported by Ana from “Plans”, exported by Ben");
    expect(copyInWords(viewModel, copyIn("document.forked"), 12)).toBe(
      "began it as a fork of “Minutes”: 12 words came from there.",
    );
  });

  it("name the known writer by account or name, and never the person who copied it in", () => {
    const from = copyIn("document.forked");
    const writers = [{ userId: "b", name: null }, { userId: null, name: "Carol Ito" }, null];
    expect(writers.map((writer) => writerOf(viewModel, { writer }).name)).toEqual([
      "Ben Okafor",
      "Carol Ito",
      "Written elsewhere",
    ]);
    expect(
      writtenWords(
        viewModel,
        writers.flatMap((writer) => writer ?? []),
      ),
    ).toBe("Written there by Ben and Carol.");
    expect(
      passageWriter(viewModel, { author: 0, imported: { copyIn: from, writer: null } }).name,
    ).toBe("Written elsewhere");
    expect(
      passageChangeKind(viewModel, { atOnce: false, imported: { copyIn: from, writer: null } }),
    ).toBe("came with the fork of “Minutes” that Ana made");
    expect(
      basisWords({
        copyIn: copyIn("document.imported"),
        writer: { userId: null, name: "Carol Ito" },
      }),
    ).toBe("By the names in the file.");
  });
});
