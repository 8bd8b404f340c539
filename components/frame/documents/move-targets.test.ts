import { expect, it } from "vitest";
import { documentRow } from "@/components/workspace-state/document-row.fixture";
import { moveTargets } from "./move-targets";

const document = (id: string, title: string, parent: string | null = null) => ({
  ...documentRow(id),
  title,
  parent,
  trashedIn: null,
});
const documents = [
  document("1", "Handbook page 9"),
  document("2", "The handbook of 2024"),
  document("3", "Handbook"),
  document("4", "Inside", "3"),
  document("5", "Notes", "4"),
];

it("[TREE-13] lists the exact title first, then titles that begin with the query", () => {
  const targets = moveTargets(documents, "5");
  expect(targets.find("handbook").map(({ title }) => title)).toEqual([
    "Handbook",
    "Handbook page 9",
    "The handbook of 2024",
  ]);
  expect(targets.find("").map(({ title }) => title)).toEqual([
    "Top level",
    "Handbook page 9",
    "The handbook of 2024",
    "Handbook",
  ]);
  expect(targets.above("4")).toBe("Handbook");
});

it("[TREE-13] offers neither the document, its branch nor its current parent", () => {
  expect(
    moveTargets(documents, "4")
      .find("")
      .map(({ parent }) => parent),
  ).toEqual([null, "1", "2"]);
});
