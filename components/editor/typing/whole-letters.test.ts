import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { documentSchema as schema } from "@/events/content/schema";
import { BoundText } from "../bound-text.fixture";
import { wholeLetters } from "./whole-letters";

const half = "\ud83d";
const otherHalf = "\ude00";

/** Creates an editor, and a page that shows the editor's updates. */
function writer() {
  const doc = new Y.Doc();
  const text = new BoundText(doc, [
    new Plugin({
      appendTransaction: (transactions, _before, state) => wholeLetters(transactions, state),
    }),
  ]);
  const received = (): unknown => {
    const other = new Y.Doc();
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc));
    return new BoundText(other).state.doc.toJSON();
  };
  return { text, received };
}

const paragraph = (...content: Node[]) => schema.node("paragraph", null, content);
const open = (...blocks: Node[]) => Slice.maxOpen(Fragment.from(blocks));

function paste(text: BoundText, slice: Slice) {
  text.dispatch(text.state.tr.replaceSelection(slice).setMeta("paste", true));
}

describe("[EDIT-76] halves of letters", () => {
  it.each([
    ["a first half", `a${half}b`, "a\ufffdb"],
    ["a second half", `a${otherHalf}b`, "a\ufffdb"],
    ["halves in the wrong order", `a${otherHalf}${half}b`, "a\ufffd\ufffdb"],
    ["a half beside a whole letter", `😀${half}😀${otherHalf}😀`, "😀\ufffd😀\ufffd😀"],
    ["whole letters", "a😀b", "a😀b"],
  ])("are U+FFFD on the page that inserts them: %s", (_name, inserted, shown) => {
    const { text, received } = writer();
    text.dispatch(text.state.tr.insertText(inserted, 1));
    expect(text.text).toBe(shown);
    expect(received()).toEqual(text.state.doc.toJSON());
  });

  it("are replaced in several pasted blocks, with their marks, as one step of Undo", () => {
    const { text, received } = writer();
    text.type("Before.");
    const bold = schema.marks["bold"]?.create();
    if (bold === undefined) throw new Error("no bold");
    paste(
      text,
      open(
        paragraph(schema.text(`One${half}`, [bold])),
        paragraph(schema.text(`Two ${otherHalf}`), schema.text("three", [bold])),
      ),
    );
    expect(text.text).toBe("Before.One\ufffd|Two \ufffdthree");
    expect(
      text.state.doc.rangeHasMark(text.find("\ufffd"), text.find("\ufffd") + 1, bold.type),
    ).toBe(true);
    expect(text.state.selection.from).toBe(text.find("three") + "three".length);
    expect(received()).toEqual(text.state.doc.toJSON());
    text.undo();
    expect(text.text).toBe("Before.");
  });

  it("that two formats divide, or a deletion leaves, are replaced", () => {
    const { text, received } = writer();
    const bold = schema.marks["bold"]?.create();
    if (bold === undefined) throw new Error("no bold");
    paste(text, open(paragraph(schema.text(half), schema.text(otherHalf, [bold]))));
    expect(text.text).toBe("\ufffd\ufffd");
    text.type("a😀b", 3);
    text.deleted(5, 6);
    expect(text.text).toBe("\ufffd\ufffda\ufffdb");
    expect(received()).toEqual(text.state.doc.toJSON());
  });

  it("are replaced in addresses, languages and descriptions", () => {
    const { text, received } = writer();
    const link = schema.marks["link"]?.create({ href: `https://example.com/${half}` });
    if (link === undefined) throw new Error("no link");
    paste(
      text,
      new Slice(
        Fragment.from([
          paragraph(schema.text("linked", [link])),
          schema.node("codeBlock", { language: `x${half}` }, [schema.text("code")]),
        ]),
        0,
        0,
      ),
    );
    const shown = JSON.stringify(text.state.doc.toJSON());
    expect(shown).toContain("https://example.com/\ufffd");
    expect(shown).toContain("x\ufffd");
    expect(shown).toBe(JSON.stringify(received()));
  });

  it("costs no step when nothing is replaced", () => {
    const { text } = writer();
    const before = text.state;
    const { transactions } = before.applyTransaction(before.tr.insertText("Whole 😀."));
    expect(transactions).toHaveLength(1);
  });
});
