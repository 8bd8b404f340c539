import { randomUUID } from "node:crypto";
import type { Node } from "@tiptap/pm/model";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { toBase64 } from "@/events/core/bytes/base64";
import { cases } from "@/events/core/cases.fixture";
import { mostFileBytes } from "@/events/core/file-types";
import { readFile } from "./read-import";

const png = (size = 40) => {
  const bytes = new Uint8Array(size).fill(7);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes;
};
const size = { width: 30, height: 20 };

async function read(name: string, content: Uint8Array | string, shows = true) {
  const ways = {
    origin: "https://palimpsest.example",
    onRead: () => undefined,
    newId: randomUUID,
    sizeOf: async () => (shows ? size : null),
  };
  const bytes = typeof content === "string" ? strToU8(content) : content;
  const { documents, left } = await readFile(name, bytes, ways);
  return { documents, left: [...left] };
}

const packed = (files: Record<string, Uint8Array | string>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === "string" ? strToU8(content) : content,
      ]),
    ),
    { level: 0 },
  );

/** Returns a text's blocks as words, and an image as its own description. */
const told = (text: Node | undefined) =>
  text?.children.map(({ type, attrs, textContent }) =>
    type.name === "image"
      ? `[${attrs.alt} | ${attrs.caption} | ${attrs.width}x${attrs.height}]`
      : `${type.name}: ${textContent}`,
  );

describe("pictures of an import", () => {
  it("[FORMAT-15] become images in their place, from any folder of the archive", async () => {
    const { documents, left } = await read(
      "notion.zip",
      packed({
        "Reading group.md":
          "# Group\n\nBefore ![a shelf](Reading%20group/shelf.png 'Our shelf') after\n\n" +
          "[![linked](./Reading%20group/shelf.png)](https://a.example)\n\n- ![in a list](Reading%20group/shelf.png)",
        "Reading group/shelf.png": png(),
        "Reading group/Books.md": '# Books\n\n<img src="../cover.png" alt="Cover">\n',
        "Reading group/Deep/Root.md": "# Root\n\n![](uploads/one.png)",
        "cover.png": png(),
        "uploads/one.png": png(),
      }),
    );
    const [group, books, , root] = documents;
    expect([group, books, root].map((document) => told(document?.text))).toEqual([
      [
        "paragraph: Before ",
        "[a shelf | Our shelf | 30x20]",
        "paragraph:  after",
        "[linked |  | 30x20]",
        "bulletList: ",
      ],
      ["[Cover |  | 30x20]"],
      ["[ |  | 30x20]"],
    ]);
    // An image is imported once per text, and again for another address.
    expect(group?.pictures.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ["shelf.png", 40],
      ["shelf.png", 40],
    ]);
    for (const { text, pictures } of documents) {
      expect(() => text.check()).not.toThrow();
      const named: unknown[] = [];
      text.descendants(({ type, attrs }) => void (type.name === "image" && named.push(attrs.file)));
      expect(new Set(named)).toEqual(new Set(pictures.map(({ file }) => file)));
    }
    expect(left).toEqual([]);
  });

  it("[FORMAT-15] come from HTML with their captions, and from data addresses", async () => {
    const inside = `data:image/png;base64,${toBase64(png())}`;
    const { documents, left } = await read(
      "page.zip",
      packed({
        "page.html":
          `<h1>Page</h1><figure><a href="a.png"><img src="a.png" alt="A"></a>` +
          `<figcaption>One <b>shelf</b></figcaption></figure>` +
          `<p>x<img src="${inside}" alt="B">y</p><h2>Head<img src="a.png"></h2>` +
          `<table><tr><th>z<img src="a.png" alt="C"></th></tr></table>`,
        "a.png": png(),
      }),
    );
    expect(told(documents[0]?.text)).toEqual([
      "[A | One shelf | 30x20]",
      "paragraph: x",
      "[B |  | 30x20]",
      "paragraph: y",
      "heading: Head",
      "[ |  | 30x20]",
      "table: z",
    ]);
    expect(documents[0]?.pictures.map(({ name }) => name)).toEqual(["a.png", "image.png"]);
    expect(left).toEqual([]);
    expect(told((await read("alone.md", `![B](${inside})`)).documents[0]?.text)).toEqual([
      "[B |  | 30x20]",
    ]);
  });

  it("[FORMAT-15] come from a Word file, unless it only links to them", async () => {
    const { Document, ImageRun, Packer, Paragraph, TextRun } = await import("docx");
    const image = new ImageRun({
      type: "png",
      data: png(),
      transformation: { width: 30, height: 20 },
      altText: { name: "shelf", description: "A shelf", title: "" },
    });
    const children = [new Paragraph({ children: [new TextRun("Before"), image] })];
    const made = await Packer.toArrayBuffer(new Document({ sections: [{ children }] }));
    const { documents, left } = await read("a.docx", new Uint8Array(made));
    expect(told(documents[0]?.text)).toEqual(["paragraph: Before", "[A shelf |  | 30x20]"]);
    expect(documents[0]?.pictures).toMatchObject([{ name: "image.png" }]);
    expect(left).toEqual([]);

    const parts = unzipSync(new Uint8Array(made));
    const asText = (name: string) => new TextDecoder().decode(parts[name]);
    const path = "word/_rels/document.xml.rels";
    const elsewhere = asText(path).replace(
      /Target="media\/[^"]+"/,
      'Target="https://evil.example/a.png" TargetMode="External"',
    );
    const body = asText("word/document.xml").replace("r:embed=", "r:link=");
    const linked = { ...parts, [path]: strToU8(elsewhere), "word/document.xml": strToU8(body) };
    const none = await read("a.docx", zipSync(linked));
    expect(told(none.documents[0]?.text)).toEqual(["paragraph: BeforeA shelf"]);
    expect([none.documents[0]?.pictures, none.left]).toEqual([[], [["pictures", 1]]]);
  });

  it("[FORMAT-12] [FORMAT-15] become words and are counted if they cannot be imported", async () => {
    const { documents, left } = await read(
      "a.zip",
      packed({
        "in/a.md":
          "![out](../../up.png) ![gone](none.png) ![svg](b.svg) ![large](c.png) ![text](d.png) " +
          "![far](https://evil.example/a.png) ![two](same.png) ![cut](data:image/png;base64,%%%)",
        "in/b.svg": "<svg><script>alert(1)</script></svg>",
        "in/c.png": png(mostFileBytes + 1),
        "in/d.png": "no picture",
        "x/same.png": png(),
        "y/same.png": png(),
      }),
    );
    const [, , document] = documents.length === 1 ? [null, null, documents[0]] : documents;
    const text = (document ?? documents.at(-1))?.text;
    expect(text?.textContent).toBe("out gone svg large text far two cut");
    expect(documents.flatMap(({ pictures }) => pictures)).toEqual([]);
    expect(left).toEqual([
      ["pictures", 7],
      ["pictures on other sites", 1],
      ["pictures that no document shows", 2],
    ]);
  });

  it("[FORMAT-15] become words if images cannot be shown", async () => {
    const { documents, left } = await read(
      "a.zip",
      packed({ "a.md": "> ![A shelf](a.png)\n\n![](a.png)", "a.png": png() }),
      false,
    );
    expect(told(documents[0]?.text)).toEqual(["blockquote: A shelf", "paragraph: Picture"]);
    expect([documents[0]?.pictures, left]).toEqual([[], [["pictures", 1]]]);
  });

  it("[FORMAT-15] are found as quickly among very many others and among tags without an end", async () => {
    const places = Array.from({ length: cases(8_000) }, (_, at) => `${at}`);
    const pictures = Object.fromEntries(places.map((place) => [`${place}/x.png`, png()]));
    const timeOf = async (link: string, tag: string, sign: string) => {
      const asking = places.map((place) => `${link}(/y/${place}/x.png)`).join("\n\n");
      const text =
        `![found](/7/x.png) ${asking}\n\n<div>${tag.repeat(cases(200_000))}</div>\n\n` +
        `<div><img src="${sign.repeat(cases(200_000))}\n" alt="Marks"></div>`;
      const archive = packed({ ...pictures, "in/a.md": text });
      const began = performance.now();
      const { documents } = await read("many.zip", archive);
      expect(documents.at(-1)?.pictures).toHaveLength(1);
      return performance.now() - began;
    };
    const calm = Math.max(100, await timeOf("[none]", "<imp ", "a"));
    // At full size, each takes minutes if the reader scans all of it again for each part.
    expect(await timeOf("![none]", "<img ", "#")).toBeLessThan(20 * calm);
  }, 600_000);
});
