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

it("[EDIT-55] finds a change between unchanged letters", () => {
  const [before, after] = [text("one two"), text("one ", "two")];
  const map = structuralChange(before, after, [1, 7, 9]);
  expect([map?.map(3), map?.map(7)]).toEqual([3, 9]);
});

it("[EDIT-55] does not walk the text if letters changed", () => {
  const lines = Array.from({ length: 50 }, (_, line) => `line ${line}`);
  const [before, after] = [text(...lines), text(...lines.toReversed())];
  const walked = vi.spyOn(Node.prototype, "forEach");
  expect(structuralChange(before, after, [0, before.content.size, after.content.size])).toBeNull();
  expect(walked).not.toHaveBeenCalled();
  walked.mockRestore();
});
