import { EditorState, TextSelection } from "@tiptap/pm/state";
import { expect, it } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { nextPart } from "./link-menu";

const shut = { open: null, dismissed: null };

/** Returns the state of the list while these letters are typed one by one. */
function typed(letters: string) {
  const doc = documentSchema.nodeFromJSON({ type: "doc", content: [{ type: "paragraph" }] });
  let state = EditorState.create({ doc, selection: TextSelection.create(doc, 1) });
  let part = nextPart(state.tr, shut, state, undefined) ?? shut;
  for (const letter of letters) {
    const transaction = state.tr.insertText(letter);
    state = state.apply(transaction);
    part = nextPart(transaction, part, state, undefined) ?? shut;
  }
  return part.open?.options ?? null;
}

it("[LINK-14] offers a new document even if there is none to link to", () => {
  expect(typed("In [[")).toBeNull();
  expect(typed("In [[Packing")).toEqual([{ kind: "new", title: "Packing" }]);
  expect(typed("In @Packing")).toBeNull();
});
