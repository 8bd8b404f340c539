import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { documentAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { bytesWords } from "./file-attributes";
import { documentMarkdown } from "./markdown";
import { staticHtml } from "./static-html";
import { newestSchema } from "./text-schema";

const id = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01";
const began = Date.UTC(2026, 10, 24);

/** Creates a text of one block with these attributes. */
function textOf(name: string, attributes: Record<string, unknown>): Y.Doc {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = 5;
  const block = new Y.XmlElement(name);
  doc.transact(() => {
    doc.getXmlFragment("default").insert(0, [block]);
    // Yjs accepts any value, although its types do not say so.
    for (const [key, value] of Object.entries(attributes)) block.setAttribute(key, value as string);
  });
  return doc;
}

function recorded(doc: Y.Doc, schema: number) {
  const update = encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time: began }]);
  return [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, began),
    row({ version: 2, actorId: "Ana", clientIds: [5], schema, update }, began),
  ];
}

function folded(rows: ReturnType<typeof recorded>) {
  const fold = new ConfirmedDocument(null);
  for (const each of rows) fold.integrate(each);
  return {
    reasons: fold.anomalies.map(({ reason }) => reason),
    fragment: fold.doc.getXmlFragment("default"),
  };
}

const image = { file: id, alt: "A shelf", caption: "In “May”", width: 1200, height: 800 };

describe("an image in a text", () => {
  it("[FILE-1] names its file, and reads the same to every reader of the log", () => {
    const attributes = { ...image, scale: 88, align: "right" };
    const rows = recorded(textOf("image", attributes), newestSchema);
    const { reasons, fragment } = folded(rows);
    expect(reasons).toEqual([]);
    const timeline = openTimeline(rows);
    expect(documentAt(timeline.blocks, timeline.length - 1).content).toEqual([
      { type: "image", attrs: attributes },
    ]);
    expect(staticHtml(fragment)).toBe(
      `<figure class="image" data-file="${id}" data-align="right" data-scale="88" style="--scale:88%">` +
        `<img alt="A shelf" width="1200" height="800" loading="lazy" decoding="async" ` +
        `src="/files/${id}?w=1280"><figcaption>In “May”</figcaption></figure>`,
    );
  });

  it("[FILE-1] becomes Markdown with escaped words", () => {
    const words = { ...image, alt: "a](x) *b*", caption: 'say "hi"' };
    expect(documentMarkdown("T", folded(recorded(textOf("image", words), 3)).fragment)).toContain(
      `![a\\](x) \\*b\\*](/files/${id} "say \\"hi\\"")`,
    );
  });

  it("[FILE-2] is rejected under an older schema", () => {
    const { reasons, fragment } = folded(recorded(textOf("image", image), 2));
    expect([reasons, fragment.length]).toEqual([["unsupported"], 0]);
  });

  it.each([
    { file: "https://evil.example/x.png" },
    { src: "https://evil.example/x.png" },
    { file: id, alt: "x".repeat(1_001) },
    { file: id, width: 65_536 },
    { file: id, scale: 5 },
    { file: id, align: "left;position:fixed" },
    { file: id, onerror: "alert(1)" },
  ])("[ADMIT-11] refuses other attributes and values: %j", (attributes) => {
    const { reasons, fragment } = folded(recorded(textOf("image", attributes), newestSchema));
    expect(reasons).toEqual(["unsupported"]);
    expect(staticHtml(fragment)).not.toMatch(/evil|position|onerror|65536|xxxx/);
  });

  it("[FILE-3] renders invalid attributes as defaults, and fetches nothing", () => {
    const hostile = { file: { id }, alt: 7, caption: ["<b>"], width: "9", scale: 1e9, align: {} };
    expect(staticHtml(textOf("image", hostile).getXmlFragment("default"))).toBe(
      '<figure class="image" data-file="" data-align="left" data-scale="100" style="--scale:100%">' +
        '<img alt="" loading="lazy" decoding="async"></figure>',
    );
  });
});

describe("a file in a text", () => {
  it("[FILE-1] shows its name and size, and links to its bytes", () => {
    const rows = recorded(textOf("file", { file: id, name: "a<b>.pdf", bytes: 214_000 }), 3);
    const { reasons, fragment } = folded(rows);
    expect(reasons).toEqual([]);
    expect(staticHtml(fragment)).toBe(
      `<div class="file" data-file="${id}" data-name="a&lt;b&gt;.pdf" data-bytes="214000">` +
        `<a href="/files/${id}" download="">a&lt;b&gt;.pdf</a><span>214 KB</span></div>`,
    );
    expect(documentMarkdown("T", fragment)).toContain(`[a\\<b\\>.pdf](/files/${id})`);
  });

  it("[FILE-3] isolates a name that changes the text direction", () => {
    const name = "\u202egnp.exe";
    const html = staticHtml(textOf("file", { file: id, name }).getXmlFragment("default"));
    expect(html).toContain(">\u2068gnp.exe\u2069</a>");
  });

  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_499, "1 KB"],
    [214_000, "214 KB"],
    [4_200_000, "4.2 MB"],
    [26_214_400, "26 MB"],
    [5_368_709_120, "5.4 GB"],
  ])("formats a size: %d", (bytes, words) => {
    expect(bytesWords(bytes)).toBe(words);
  });
});
