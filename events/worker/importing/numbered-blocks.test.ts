import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { targetOfAddress } from "@/events/content/document-address";
import { targetOf } from "@/events/content/document-link";
import { decodeEdits } from "@/events/crdt/payload/payload";
import { blockInHash } from "@/events/core/ids/block-key";
import { structAt } from "@/events/crdt/updates/struct-at";
import { paragraph, run, wordBytes } from "@/events/formats/reading/word/word-bytes.fixture";
import { importFile } from "../import-jobs";
import type { ImportReply } from "../import-jobs";

const origin = "https://palimpsest.example";
const [a, b] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
const uuid = "6a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11";

const wordsOf = (text: Y.XmlText): string =>
  text
    .toDelta()
    .map(({ insert }: { insert: unknown }) => (typeof insert === "string" ? insert : ""))
    .join("");

function linesIn(parent: Y.XmlFragment): Y.XmlText[] {
  return parent.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return [child];
    return child instanceof Y.XmlElement ? linesIn(child) : [];
  });
}

/** Returns the words of the block that a link names. */
function wordsOfBlock(doc: Y.Doc, block: string): string {
  const { client, clock } = blockInHash(block) ?? { client: 0, clock: 0 };
  const item = structAt(doc, client, clock);
  const element: unknown =
    item instanceof Y.Item && item.content instanceof Y.ContentType ? item.content.type : null;
  if (!(element instanceof Y.XmlElement)) return "no block";
  const at = doc.getXmlFragment("default").toArray().indexOf(element);
  return `${linesIn(element).map(wordsOf).join("")} at ${at}`;
}

/**
 * Returns the links of an archive's first document: their words, and the title and line that each
 * leads to.
 */
async function linksOf(files: Record<string, string | Uint8Array>): Promise<string[]> {
  const packed = Object.entries(files).map(([name, text]) => [
    name,
    typeof text === "string" ? new TextEncoder().encode(text) : text,
  ]);
  const bytes = new Uint8Array(zipSync(Object.fromEntries(packed)));
  const replies: ImportReply[] = [];
  const about = { origin, now: 0, titles: new Map<string, string>() };
  await importFile({ name: "a.zip", file: new Blob([bytes]), ...about }, (one) =>
    replies.push(one),
  );
  const last = replies.at(-1);
  if (last === undefined || !("file" in last)) throw new Error(JSON.stringify(last));
  const texts = new Map(
    last.file.documents.map(({ id, title, pieces }) => {
      const doc = new Y.Doc();
      for (const { update } of pieces)
        for (const edit of decodeEdits(update, 0)) Y.applyUpdate(doc, edit.update);
      return [id, { title, doc }];
    }),
  );
  const told = (words: string, target: ReturnType<typeof targetOf>) => {
    const text = target && texts.get(target.document);
    if (!target || !text) return [];
    const line = target.block === null ? "" : `: ${wordsOfBlock(text.doc, target.block)}`;
    return [`${words} → ${text.title}${line}`];
  };
  const first = texts.get(last.file.documents.find(({ title }) => title === "Start")?.id ?? "");
  if (first === undefined) throw new Error("There is no first document.");
  const read = (parent: Y.XmlFragment): string[] =>
    parent.toArray().flatMap((child) => {
      if (child instanceof Y.XmlElement)
        return child.nodeName === "documentLink"
          ? told("", targetOf(child.getAttributes()))
          : read(child);
      if (!(child instanceof Y.XmlText)) return [];
      const deltas: { insert: unknown; attributes?: { link?: { href: string } } }[] =
        child.toDelta();
      return deltas.flatMap(({ insert, attributes }) =>
        attributes?.link ? told(String(insert), targetOfAddress(attributes.link.href, origin)) : [],
      );
    });
  return read(first.doc.getXmlFragment("default"));
}

const long =
  "# Plan\n\nSee [it](Other.md) **twice**\n\n## Hours\n\n- one\n- two\n\n## Größe & Form\n\nx\n\n## Hours\n\ny";

describe("a link in an archive to a place in a document", () => {
  it.each<[string, Record<string, string | Uint8Array>, string[]]>([
    [
      "by the names that headings have in Markdown, also a second one of the same words",
      {
        "Start.md":
          "# Start\n\n[a](Plan.md#hours) [b](Plan.md#hours-1) [c](Plan.md#gr%C3%B6%C3%9Fe--form) [Plan](Plan.md#hours) [d](Plan.md#nowhere)",
        "Plan.md": long,
        "Other.md": "text",
      },
      [
        "a → Plan: Hours at 1",
        "b → Plan: Hours at 5",
        "c → Plan: Größe & Form at 3",
        " → Plan: Hours at 1",
        "d → Plan",
      ],
    ],
    [
      "in the document itself, and none to a place that is not there",
      { "Start.md": "# Start\n\n[down](#the-end) [none](#nowhere) [top](#)\n\n## The end" },
      ["down → Start: The end at 1"],
    ],
    [
      "Outline’s",
      {
        "Start.md": "[x](./Plan.md#h-opening-hours)",
        "Plan.md": "# Plan\n\ny\n\n## Opening *hours*!",
      },
      ["x → Plan: Opening hours! at 1"],
    ],
    [
      "Notion’s, by ids of blocks",
      {
        [`Start ${a}.html`]: `<title>Start</title><p><a href="Plan%20${b}.html#${uuid}">x</a> <a href="https://www.notion.so/Plan-${b}#${uuid.replaceAll("-", "")}">y</a></p>`,
        [`Plan ${b}.html`]: `<title>Plan</title><p>Same</p><p id="${uuid}">Same</p><ul><li id="z">Item</li></ul>`,
      },
      ["x → Plan: Same at 1", "y → Plan: Same at 1"],
    ],
    [
      "Google’s, by names of headings and of places before words",
      {
        "Start.html":
          '<title>Start</title><a href="https://www.google.com/url?q=https://docs.google.com/document/d/1/edit%23heading%3Dh.abc&amp;sa=D">Plan</a> ' +
          '<a href="Plan.html#here">x</a> <a href="#own">y</a><h2 id="own">Own</h2>',
        "Plan.html":
          '<title>Plan</title><h2 id="h.abc">Hours</h2><a id="here"></a><table><tr><td>Cell</td></tr></table>',
      },
      [" → Plan: Hours at 0", "x → Plan: Cell at -1", "y → Start: Own at 1"],
    ],
    [
      "Word’s, to a bookmark",
      {
        "Start.docx": wordBytes(
          paragraph(`<w:hyperlink w:anchor="_Toc1">${run("1 Hours")}</w:hyperlink>`) +
            paragraph(run("Other words")) +
            paragraph(
              `<w:bookmarkStart w:id="0" w:name="_Toc1"/>${run("Hours")}<w:bookmarkEnd w:id="0"/>`,
            ),
        ),
      },
      ["1 Hours → Start: Hours at 2"],
    ],
  ])("[FORMAT-24] leads to the block: %s", async (_, files, expected) => {
    expect(await linksOf(files)).toEqual(expected);
  });
});
