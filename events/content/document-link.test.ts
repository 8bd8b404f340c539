import { yXmlFragmentToProseMirrorRootNode } from "@tiptap/y-tiptap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { documentAt } from "@/events/history/timeline/document-text";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { pathOfTarget, targetOfAddress } from "./document-address";
import { closedLink, nameOfLinked, targetOf, unnamed } from "./document-link";
import { documentMarkdown } from "./markdown";
import { currentWriting, linkWriting } from "./markdown-writing";
import { documentSchema } from "./schema";
import { staticHtml } from "./static-html";
import { linkedIn, withLinkNames } from "./static-links";
import { newestSchema } from "./text-schema";

const id = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01";
const other = "0b9a8e6e-51c7-4f13-8b0a-3d2f1c0e9a02";
const began = Date.UTC(2026, 10, 24);

/** Creates a text whose paragraph has a link with these attributes between two words. */
function linking(attributes: Record<string, unknown>): Y.Doc {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = 5;
  const link = new Y.XmlElement("documentLink");
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText("See "), link, new Y.XmlText(" first.")]);
  doc.transact(() => {
    doc.getXmlFragment("default").insert(0, [paragraph]);
    // Yjs accepts any value, although its types do not say so.
    for (const [name, value] of Object.entries(attributes))
      link.setAttribute(name, value as string);
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

const folded = (rows: ReturnType<typeof recorded>) => {
  const fold = new ConfirmedDocument(null);
  for (const each of rows) fold.integrate(each);
  return { anomalies: fold.anomalies, fragment: fold.doc.getXmlFragment("default") };
};

const title = (words: string) => nameOfLinked({ id, title: words, icon: "🧾", phase: "live" });

describe("a link to a document", () => {
  it("[LINK-10] reads the same to every reader of the log, without a title", () => {
    const rows = recorded(linking({ document: id, block: "7-12" }), newestSchema);
    const { anomalies, fragment } = folded(rows);
    expect(anomalies).toEqual([]);
    const link = { type: "documentLink", attrs: { document: id, block: "7-12" } };
    const timeline = openTimeline(rows);
    expect(documentAt(timeline.blocks, timeline.length - 1).content?.[0]?.content?.[1]).toEqual(
      link,
    );
    const node = yXmlFragmentToProseMirrorRootNode(fragment, documentSchema).child(0).child(1);
    expect(targetOf(node.attrs)).toEqual({ document: id, block: "7-12" });
    expect(staticHtml(fragment)).toContain(`>${unnamed.words}</a> first.</p>`);
  });

  it("[LINK-10] is rejected under an older schema, which keeps only the words around it", () => {
    const { anomalies, fragment } = folded(recorded(linking({ document: id }), 1));
    expect(anomalies.map(({ reason }) => reason)).toEqual(["unsupported"]);
    expect(fragment.toString()).toBe("<paragraph>See  first.</paragraph>");
  });

  it.each([
    { document: "javascript:alert(1)" },
    { document: `${id}"><script>` },
    { document: id.toUpperCase() },
    { document: { id } },
    { document: id, block: "#7-12" },
    { document: id, block: 'x" onclick="alert(1)' },
    { document: id, title: "Secret" },
    { href: "https://evil.example" },
  ])("[ADMIT-11] refuses attributes that are no ids: %j", (attributes) => {
    const { anomalies, fragment } = folded(recorded(linking(attributes), newestSchema));
    expect(anomalies.map(({ reason }) => reason)).toEqual(["unsupported"]);
    expect(fragment.toString()).not.toMatch(/javascript|script|onclick|Secret|evil|7-12/);
  });

  it("[ADMIT-11] is dropped outside paragraphs, and has no content", () => {
    const doc = new Y.Doc();
    doc.clientID = 5;
    const link = () => new Y.XmlElement("documentLink");
    const code = new Y.XmlElement("codeBlock");
    const full = link();
    full.insert(0, [new Y.XmlText("inside")]);
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [full]);
    code.insert(0, [link()]);
    doc.getXmlFragment("default").insert(0, [link(), code, paragraph]);
    const { fragment } = folded(recorded(doc, newestSchema));
    expect(fragment.toString().toLowerCase()).toBe(
      "<codeblock></codeblock><paragraph><documentlink></documentlink></paragraph>",
    );
  });

  it("[LINK-11] shows its escaped title in the server's HTML, and no address if it is closed", () => {
    const html = staticHtml(linking({ document: id, block: "7-12" }).getXmlFragment("default"));
    expect(linkedIn(html)).toEqual([id]);
    const hostile = [
      '"><img src=x onerror=alert(1)>',
      "</a><script>",
      `" href="//evil" x="`,
      "$1$&",
    ];
    for (const words of hostile) {
      const named = withLinkNames(html, () => title(words));
      expect(named).toContain(`href="/d/${id}#7-12"`);
      expect(named.replace(/<\/?(?:p|a)(?: [a-z-]+="[^"<>]*")*>/g, "")).not.toMatch(/[<>]/);
      expect(linkedIn(named)).toEqual([id]);
    }
    const closed = withLinkNames(html, () => closedLink);
    expect(closed).toContain(`>${closedLink.words}</a>`);
    expect(closed).not.toContain("href");
  });

  it("[LINK-11] is never made of words that look like one", () => {
    const doc = new Y.Doc();
    const paragraph = new Y.XmlElement("paragraph");
    const words = `<a class="document-link" data-document="${id}">x</a>`;
    paragraph.insert(0, [new Y.XmlText(words)]);
    doc.getXmlFragment("default").insert(0, [paragraph]);
    const html = staticHtml(doc.getXmlFragment("default"));
    expect(linkedIn(html)).toEqual([]);
    expect(withLinkNames(html, () => title("Secret"))).toBe(html);
  });

  it("[LINK-12] shows whether its document is in the trash or cannot be opened", () => {
    const named = (phase: string) => nameOfLinked({ id, title: "Budget", icon: null, phase });
    expect(named("live")).toEqual({ words: "Budget", icon: null, state: "open" });
    expect(named("trashed").state).toBe("trashed");
    expect(named("purged")).toEqual(closedLink);
    expect(nameOfLinked(null)).toEqual(closedLink);
    expect(JSON.stringify(named("purged"))).not.toContain("Budget");
  });

  it("[LINK-13] is a Markdown link with its title for readers with access, and without it in a file", () => {
    const fragment = linking({ document: id }).getXmlFragment("default");
    const asSeen = (name = title("Bud[get](x)")) =>
      documentMarkdown("T", fragment, {
        ...currentWriting,
        documentLink: linkWriting(() => name, "https://palimpsest.example"),
      });
    expect(asSeen()).toContain(`See [Bud\\[get\\](x)](https://palimpsest.example/d/${id}) first.`);
    expect(asSeen(closedLink)).toContain(`See ${closedLink.words} first.`);
    expect(documentMarkdown("T", fragment)).toContain(`See [${unnamed.words}](/d/${id}) first.`);
  });
});

describe("the address of a document", () => {
  const origin = "https://palimpsest.example";

  it("[LINK-20] leads back to its target, and any other address to none", () => {
    for (const block of [null, "4294967295-17"])
      for (const document of [id, other]) {
        const target = { document, block };
        expect(targetOfAddress(` ${origin}${pathOfTarget(target)}\n`, origin)).toEqual(target);
      }
    for (const address of [
      `${origin}/d/${id}?at=7`,
      `${origin}/d/${id}#text`,
      `${origin}/w/${id}`,
      `https://other.example/d/${id}`,
      `${origin}.evil.example/d/${id}`,
      `${origin}/d/${id} and more`,
      `javascript:/d/${id}`,
      `//evil.example/d/${id}`,
      "",
    ])
      expect(targetOfAddress(address, origin)).toBeNull();
    fc.assert(
      fc.property(fc.string(), (text) => {
        const target = targetOfAddress(text, origin);
        expect(target === null || targetOf(target) !== null).toBe(true);
      }),
    );
  });
});
