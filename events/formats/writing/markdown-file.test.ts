import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Doc } from "yjs";
import { documentSchema } from "@/events/content/schema";
import { cases } from "@/events/core/cases.fixture";
import { markdownFile } from "./markdown-file";
import { readMarkdownFile } from "../reading/read-markdown";
import { alone as withoutLinks } from "../sources.fixture";
import { textTree } from "./text-tree";
import { randomText, withoutGaps } from "./random-text.fixture";

const origin = "https://palimpsest.example";
const links = {
  nameOf: () => ({ words: "Linked [x](y)", icon: null, state: "open" as const }),
  origin,
};
const alone = { ...withoutLinks, titleOf: () => links.nameOf().words };

function written(title: string, text: Node): string {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(text, fragment);
  return markdownFile(title, textTree(fragment), links);
}

describe("a Markdown file", () => {
  it("[FORMAT-1] writes any text so that it reads back the same", () => {
    fc.assert(
      fc.property(randomText, (json) => {
        const text = documentSchema.nodeFromJSON(json);
        text.check();
        const markdown = written("A title", text);
        const read = readMarkdownFile(markdown, alone);
        expect(read.title, markdown).toBe("A title");
        expect(read.text.toJSON(), markdown).toEqual(withoutGaps(text).toJSON());
        expect(written("A title", read.text)).toBe(markdown);
      }),
      { numRuns: cases(300) },
    );
  });

  it("[FORMAT-1] keeps any title on one line, as words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (title) => {
        const said = title.replaceAll("\0", "\ufffd").replace(/\s+/g, " ").trim();
        const markdown = written(
          title,
          documentSchema.node("doc", null, [documentSchema.node("paragraph")]),
        );
        expect(readMarkdownFile(markdown, alone).title ?? "", markdown).toBe(said);
      }),
    );
  });
});
