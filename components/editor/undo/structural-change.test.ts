import { Node, Schema } from "@tiptap/pm/model";
import { expect, it, vi } from "vitest";
import { structuralChange } from "./structural-change";

const schema = new Schema({
  nodes: {
    doc: { content: "paragraph+" },
    paragraph: { content: "text*" },
    text: {},
  },
});
const text = (...lines: string[]) =>
  schema.node(
    "doc",
    null,
    lines.map((line) => schema.node("paragraph", null, line === "" ? [] : [schema.text(line)])),
  );

it("[EDIT-55] a change that left its letters is known by what changed between them", () => {
  const [before, after] = [text("one two"), text("one ", "two")];
  const map = structuralChange(before, after, [1, 7, 9]);
  expect([map?.map(3), map?.map(7)]).toEqual([3, 9]);
});

it("[EDIT-55] where letters changed nothing else of the text is looked at", () => {
  const lines = Array.from({ length: 50 }, (_, line) => `line ${line}`);
  const [before, after] = [text(...lines), text(...lines.toReversed())];
  const walked = vi.spyOn(Node.prototype, "forEach");
  expect(structuralChange(before, after, [0, before.content.size, after.content.size])).toBeNull();
  expect(walked).not.toHaveBeenCalled();
  walked.mockRestore();
});
