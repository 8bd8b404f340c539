import { describe, expect, it } from "vitest";
import { pair } from "../bound-text.fixture";
import { boundedAt } from "./late-bounds";

const clipboard = (html: string, plain: string) => ({
  getData: (kind: string) => (kind === "text/html" ? html : kind === "text/plain" ? plain : ""),
});
const viewOf = (text: ReturnType<typeof pair>["ana"]) => ({
  get state() {
    return text.state;
  },
  dispatch: text.dispatch,
  posAtCoords: () => null,
});

describe("pasting above the limits", () => {
  it("[EDIT-73] inserts all words at the caret in pieces, and undo removes them", () => {
    const { ana, ben } = pair();
    ana.type("Before. After.");
    ana.caret(9);
    const updates: number[] = [];
    ana.doc.on("update", (update: Uint8Array) => updates.push(update.length));
    const words = `${"word ".repeat(20)}\n`.repeat(2_000);
    const html = words.replaceAll("word", "<b>word</b>").replaceAll("\n", "<br>");
    expect(boundedAt(viewOf(ana), clipboard(html, words), null)?.sentence).toMatch(
      /20,000 elements/,
    );
    expect(ben.text.match(/word/g)).toHaveLength(40_000);
    expect([ben.text.startsWith("Before. |word"), ben.text.endsWith("|After.")]).toEqual([
      true,
      true,
    ]);
    expect(Math.max(...updates)).toBeLessThan(300_000);
    ana.undo();
    expect(ben.text).toBe("Before. After.");
  });

  it("[EDIT-73] leaves code and smaller pastes to the editor", () => {
    const { ana } = pair();
    expect(boundedAt(viewOf(ana), clipboard("<p>word</p>", "word"), null)).toBeNull();
    const block = ana.state.schema.node("codeBlock");
    ana.dispatch(ana.state.tr.replaceWith(0, ana.state.doc.content.size, block));
    ana.caret(1);
    const html = "<i>word</i>".repeat(21_000);
    expect(boundedAt(viewOf(ana), clipboard(html, "word"), null)).toBeNull();
  });
});
