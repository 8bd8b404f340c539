import type { Transaction } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import { autoLink } from "./auto-links";
import { pair } from "../bound-text.fixture";
import type { BoundText } from "../bound-text.fixture";

/** Links typed addresses in a text, as an editor does. */
function linking(text: BoundText): BoundText {
  const dispatch = text.dispatch;
  const linked = (transaction: Transaction) => {
    dispatch(transaction);
    const made = autoLink(transaction, text.state);
    if (made !== null) dispatch(made);
  };
  Object.defineProperty(text, "dispatch", { value: linked });
  return text;
}

function links({ state }: BoundText): [words: string, href: unknown][] {
  const found: [string, unknown][] = [];
  state.doc.descendants((node) => {
    const link = node.marks.find(({ type }) => type.name === "link");
    if (link) found.push([node.text ?? "", link.attrs.href]);
  });
  return found;
}

test.each([
  ["see https://a.example/x, and", "https://a.example/x", "https://a.example/x"],
  ["(https://a.example/x) ", "https://a.example/x", "https://a.example/x"],
  ["https://a.example/A_(b) ", "https://a.example/A_(b)", "https://a.example/A_(b)"],
  ["www.a.example ", "www.a.example", "https://www.a.example"],
  ["ana@a.example ", "ana@a.example", "mailto:ana@a.example"],
  ["http://a.example\n", "http://a.example", "http://a.example"],
])("[EDIT-34] an address typed as %j becomes a link once it ends", (typed, words, href) => {
  const { ana } = pair();
  linking(ana).type(typed);
  expect(links(ana)).toEqual([[words, href]]);
  ana.type("more ");
  expect(links(ana)).toHaveLength(1);
});

test.each([
  "a.b ",
  "https:// ",
  "javascript:alert(1) ",
  "//a.example ",
  "www. ",
  "@a.example ",
  "https://a.example",
])("[EDIT-34] text typed as %j stays plain", (typed) => {
  const { ana } = pair();
  linking(ana).type(typed);
  expect(links(ana)).toEqual([]);
});

test("[EDIT-34] undo removes only the link, and edits of others make none", () => {
  const { ana, ben } = pair();
  linking(ana).type("https://a.example ");
  expect(links(ben)).toHaveLength(1);
  ana.undo();
  expect([links(ben), ben.text]).toEqual([[], "https://a.example "]);
  linking(ben);
  ana.type("x https://b.example ", 1);
  expect(links(ben)).toEqual([["https://b.example", "https://b.example"]]);
  ben.type(" ", ben.find("https://a.example ") + 3);
  expect(links(ben)).toHaveLength(1);
});
