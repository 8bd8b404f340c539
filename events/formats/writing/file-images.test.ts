import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { imagesInTree, placedImage } from "./file-images";
import type { FileImage } from "./file-images";
import { htmlFile } from "./html-file";
import { wordFile } from "./word-file";

const file = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01";
const other = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f02";
const image: FileImage = {
  type: "image/png",
  bytes: Uint8Array.of(1, 2, 3),
  width: 1280,
  height: 640,
};
const images = new Map([[file, image]]);
const links = {
  nameOf: () => ({ words: "", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
  images,
};
const shows = (attributes: Record<string, unknown>) => ({
  name: "image",
  attributes: { file, ...attributes },
  children: [],
});

describe("an image in a downloaded file", () => {
  it("[FORMAT-7] keeps its size in the text, within the limits of a page", () => {
    const most = { width: 600, height: 200 };
    const sizeOf = (attributes: Record<string, unknown>) => {
      const { width, height } = placedImage(shows(attributes), images, most) ?? {};
      return [width, height];
    };
    expect(sizeOf({ width: 3000, height: 1500 })).toEqual([400, 200]);
    expect(sizeOf({ width: 3000, height: 1500, scale: 50 })).toEqual([300, 150]);
    expect(sizeOf({ width: 40, height: 20 })).toEqual([40, 20]);
    expect(placedImage(shows({ file: other }), images, most)).toBeNull();
    const quoted = { name: "blockquote", attributes: {}, children: [shows({}), shows({})] };
    expect(imagesInTree([quoted, shows({ file: other })])).toEqual([file, other]);
  });

  it("[FORMAT-7] is embedded in the page, which loads no file", () => {
    const text = [file, other]
      .map((each) => `<figure><img alt="A" src="/files/${each}?w=1280"></figure>`)
      .join("");
    const html = htmlFile("T", null, text, links);
    expect(html).toContain('<img alt="A" src="data:image/png;base64,AQID">');
    expect(html).toContain("img-src data:");
    expect(html).not.toContain("/files/");
  });

  it("[FORMAT-7] is embedded as often as a page can hold it", () => {
    const large = { ...image, bytes: new Uint8Array(40 * 2 ** 20) };
    const text = `<img alt="A" src="/files/${file}">`.repeat(20);
    const html = htmlFile("T", null, text, { ...links, images: new Map([[file, large]]) });
    expect(html.split("data:image/png;base64,")).toHaveLength(3);
    expect(html.split('<img alt="A">')).toHaveLength(19);
  });

  it("[FORMAT-7] is in a Word file with its description and caption, or its words if it is missing", async () => {
    const text = [shows({ alt: "A\u0001 <shelf>", caption: "Ours", align: "center" })];
    const gone = shows({ file: other, alt: "Gone" });
    const parts = unzipSync(await wordFile("T", [...text, gone], links));
    const media = Object.entries(parts).filter(([name]) => name.startsWith("word/media/"));
    expect(media.map(([, bytes]) => [...bytes])).toEqual([[1, 2, 3]]);
    const body = new TextDecoder().decode(parts["word/document.xml"]);
    expect(body).toContain(`descr="A\ufffd &lt;shelf&gt;"`);
    expect(body).toContain(">Ours<");
    expect(body).toContain(">Gone<");
  });
});
