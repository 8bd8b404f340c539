import { strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { Doc, XmlElement, XmlText } from "yjs";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import { staticHtml } from "@/events/content/static-html";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { documentAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { htmlFile } from "../writing/html-file";
import { markdownFile } from "../writing/markdown-file";
import { readFile } from "../read-import";
import { textTree } from "../writing/text-tree";
import { wordFile } from "../writing/word-file";

/** `npm run test:soak` uses a million. */
const count = process.env.SOAK ? 1_000_000 : 100_000;
const perParagraph = 20_000;
const links = {
  nameOf: () => ({ words: "", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
  images: new Map<string, never>(),
};
const ways = {
  origin: "https://palimpsest.example",
  onRead: () => undefined,
  newId: () => "00000000-0000-4000-8000-000000000000",
  sizeOf: async () => null,
};
const half = "\ud83d";
const faces = /[\u{1f600}-\u{1f64f}]/gu;

/** Returns this many emoji in an incompressible order. */
function manyFaces(letters: number): string {
  let seed = 7;
  return Array.from({ length: letters }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x1f600 + (seed % 80));
  }).join("");
}

/** Creates a text with these paragraphs. */
function fragmentOf(paragraphs: readonly string[]) {
  const fragment = new Doc().getXmlFragment("default");
  fragment.push(
    paragraphs.map((words) => {
      const paragraph = new XmlElement("paragraph");
      paragraph.insert(0, [new XmlText(words)]);
      return paragraph;
    }),
  );
  return fragment;
}

const kinds: [
  name: string,
  write: (fragment: ReturnType<typeof fragmentOf>) => Promise<Uint8Array>,
][] = [
  ["pier.md", async (fragment) => strToU8(markdownFile("Pier", textTree(fragment), links))],
  ["pier.html", async (fragment) => strToU8(htmlFile("Pier", null, staticHtml(fragment), links))],
  ["pier.docx", async (fragment) => wordFile("Pier", textTree(fragment), links)],
];

describe("surrogate pairs", () => {
  it.each(kinds)(
    "[FORMAT-39] survive a round trip by the hundred thousand, and lone halves become U+FFFD: %s",
    async (name, write) => {
      const emoji = Array.from({ length: count / perParagraph }, () => manyFaces(perParagraph));
      const fragment = fragmentOf([...emoji, `before${half}between\ude00after`]);
      const bytes = await write(fragment);
      const { documents } = await readFile(name, bytes, ways);
      const [document] = documents;
      if (!document) throw new Error("Nothing was read.");
      document.text.check();
      const words = document.text.textBetween(0, document.text.content.size, " ", " ");
      expect(words.match(faces)?.length).toBe(count);
      expect(words).toContain("before\ufffdbetween\ufffdafter");
      expect(words).not.toMatch(loneSurrogates);

      // The imported text is a document whose replay gives the same text.
      const doc = new Doc();
      let update = new Uint8Array();
      doc.on("update", (made: Uint8Array) => (update = Uint8Array.from(made)));
      prosemirrorToYXmlFragment(document.text, doc.getXmlFragment("default"));
      const edited = row(
        {
          version: 2,
          actorId: "Ana",
          clientIds: [doc.clientID],
          update: encodeEdits([{ update, time: 1 }]),
        },
        1,
      );
      const created = row(
        { version: 1, actorId: "Ana", type: "document.created", body: { title: "" } },
        0,
      );
      const timeline = openTimeline([created, edited]);
      expect(timeline.anomalies).toEqual([]);
      const shown = JSON.stringify(documentAt(timeline.blocks, timeline.length - 1));
      expect(shown.match(faces)?.length).toBe(count);
      expect(shown).toContain("before\ufffdbetween\ufffdafter");
    },
    120_000,
  );
});

it("[FORMAT-13] a small file of one repeated letter is not refused as a zip bomb", async () => {
  const bytes = await wordFile("Pier", textTree(fragmentOf(["😀".repeat(90_000)])), links);
  const { documents } = await readFile("pier.docx", bytes, ways);
  expect(documents[0]?.text.textContent.match(faces)?.length).toBe(90_000);
});
