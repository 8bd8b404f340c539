import mammoth from "mammoth";
import type { Node } from "@tiptap/pm/model";
import { strFromU8, zipSync } from "fflate";
import { imageTypeOf } from "@/events/core/file-types";
import { unpackWanted } from "../import-archive";
import type { Unpacked } from "../import-archive";
import { ImportError } from "../import-error";
import type { FoundPicture } from "../brought-pictures";
import type { ReadText, Sources } from "../read-blocks";
import { readHtml } from "../read-html";
import { withNumbers } from "./word-numbers";
import { countMessages, preparedParts } from "./word-parts";
import { commentsIn, placedComments, withMarkedComments, titleWithoutMarks } from "./word-comments";
import type { ImportBudget, WordComment } from "./word-comments";

const part = /(\.(xml|rels)|^word\/media\/[^/]+)$/i;
const styles = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Code'] => pre:separator('\n')",
  "u => u",
  "strike => s",
];

type Ways = {
  origin: string;
  left: (what: string, count?: number) => void;
  /** Receives an image of the file, and the address by which the text will name the image. */
  onPicture: (address: string, picture: FoundPicture) => void;
  pictureOf: Sources["pictureOf"];
  documentOf?: Sources["documentOf"];
  own?: Sources["own"];
  /** The totals unpacked so far from the archive that contains the file. */
  sum: Unpacked;
};

/** A text with markers at its comments. `place` removes the markers once all words are there. */
type ReadWord = ReadText & {
  place: (text: Node, budget: ImportBudget) => ReturnType<typeof placedComments>;
};

const isXml = (name: string) => !name.startsWith("word/media/");

/**
 * Reads a Word file: only its XML and its images. Macros are ignored, links are not followed, and
 * XML that defines its own entities is refused.
 */
export async function readWord(
  bytes: Uint8Array,
  { origin, left, onPicture, pictureOf, documentOf, own, sum }: Ways,
): Promise<ReadWord> {
  let macros = 0;
  const parts = unpackWanted(
    bytes,
    (name) => part.test(name),
    () => undefined,
    sum,
  );
  const files = Object.fromEntries(
    parts.map(({ path, bytes: content }) => [path.join("/"), content]),
  );
  for (const [name, content] of Object.entries(files)) {
    // XML could have an image's name and still be referenced as the text or its styles.
    if (!isXml(name) && imageTypeOf(content) !== null) continue;
    const head = strFromU8(content.subarray(0, 100_000));
    if (/<!DOCTYPE|<!ENTITY/i.test(head))
      throw new ImportError(
        `“${name}” in the Word file defines entities of its own, as no Word file does.`,
      );
    if (/vbaProject|macroEnabled/i.test(head)) macros = 1;
  }
  if (
    !files["word/document.xml"] &&
    !Object.keys(files).some((name) => /document\d*\.xml$/.test(name))
  )
    throw new ImportError("This is not a Word file (.docx).");
  if (macros > 0) left("macros");
  let prepared: Record<string, Uint8Array>;
  try {
    prepared = preparedParts(files, left);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new ImportError("This Word file is damaged and can’t be read.");
  }
  // Only files that were unpacked within the limits are read.
  const safe = zipSync(withMarkedComments(prepared), { level: 0 });
  const buffer = safe.buffer;
  const input = { arrayBuffer: buffer, buffer: safe };
  let pictures = 0;
  const convertImage = mammoth.images.imgElement(async (image) => {
    const src = `word-picture:${(pictures += 1)}`;
    // A linked image is on another machine, and a missing image does not exist.
    const content = await image.readAsArrayBuffer().catch(() => null);
    const name = `image.${image.contentType.split("/").at(-1) ?? ""}`;
    if (content) onPicture(src, { name, bytes: new Uint8Array(content) });
    return { src };
  });
  let comments: WordComment[] = [];
  let html: string;
  try {
    // Browsers accept one form and Node accepts the other. Each type declares only its own form.
    const read = await mammoth.convertToHtml(input as { arrayBuffer: ArrayBuffer }, {
      styleMap: styles,
      convertImage,
      transformDocument(document: unknown) {
        comments = commentsIn(document);
        return document;
      },
    });
    html = read.value;
    countMessages(read.messages, left);
  } catch {
    throw new ImportError("This Word file is damaged and can’t be read.");
  }
  const read = readHtml(html, { origin, left, pictureOf, documentOf, own }, withNumbers);
  const title = read.title === null ? null : titleWithoutMarks(read.title);
  return {
    ...read,
    title,
    place: (marked, budget) => placedComments(marked, comments, files, budget),
  };
}
