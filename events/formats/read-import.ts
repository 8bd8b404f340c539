import type { Node } from "@tiptap/pm/model";
import { documentSchema } from "@/events/content/schema";
import { ArchivePictures, pictureName } from "./reading/archive-pictures";
import { BroughtPictures } from "./reading/brought-pictures";
import type { BroughtPicture, FoundPicture, PictureWays } from "./reading/brought-pictures";
import { textOf, unpackWanted } from "./reading/import-archive";
import type { ArchivedFile, Unpacked } from "./reading/import-archive";
import { ImportError, importLimits } from "./reading/import-error";
import { cleanTitle, titleOfName } from "./reading/import-name";
import type { ReadText } from "./reading/read-blocks";
import { readHtml } from "./reading/read-html";
import { readMarkdownFile } from "./reading/read-markdown";
import { readWord } from "./reading/word/read-word";
import { ArchiveDocuments } from "./reading/archive-documents";
import { withDocumentLinks } from "./reading/document-links";
import { anchorsOf, withAnchors } from "./reading/file-anchors";
import type { NamedLine } from "./reading/file-anchors";
import { contentsIn, isContents } from "./reading/own-contents";
import type { FoundThread, ImportBudget } from "./reading/word/word-comments";

/** A document to be created. `parent` is the index of its parent among all documents. */
type ReadDocument = {
  /** The document's future id, by which other documents link to it. */
  id: string;
  title: string;
  parent: number | null;
  text: Node;
  pictures: BroughtPicture[];
  /** A Word file's comments, with positions in this text. */
  threads: FoundThread[];
};
/** The documents of a file, parents first, and counts by kind of the content that was left out. */
type ReadFile = { documents: ReadDocument[]; left: Map<string, number> };

const readable = /\.(md|markdown|html?|docx|txt)$/i;
const inner = /\.zip$/i;

type Ways = PictureWays & {
  origin: string;
  onRead: (done: number, all: number) => void;
  /** The titles of existing documents, by id. */
  titles?: ReadonlyMap<string, string>;
};

function counted() {
  const left = new Map<string, number>();
  return { left, count: (what: string, by = 1) => void left.set(what, (left.get(what) ?? 0) + by) };
}
type Count = ReturnType<typeof counted>["count"];

type One = ReadText & { pictures: BroughtPicture[]; threads: FoundThread[] };

/** The images that an archive's text may show, and the documents that it may link to. */
type Beside = { pictures: ArchivePictures; documents: ArchiveDocuments };

async function readOne(
  { path, bytes }: ArchivedFile,
  { origin, titles, ...ways }: Ways,
  { pictures: beside, documents }: Beside,
  left: Count,
  budget: ImportBudget,
  sum: Unpacked,
  own: string,
): Promise<One> {
  const name = path.at(-1) ?? "";
  const inside = new Map<string, FoundPicture>();
  const folder = path.slice(0, -1);
  const around = beside.from(folder);
  const pictures = new BroughtPictures((address) => inside.get(address) ?? around(address), ways);
  const documentOf = documents.from(folder);
  const titleOf = (document: string) => titles?.get(document) ?? null;
  const sources = { origin, left, pictureOf: pictures.take, documentOf, titleOf, own };
  const onPicture = (address: string, picture: FoundPicture) => void inside.set(address, picture);
  if (/\.docx$/i.test(name)) {
    const { title, text, place, named } = await readWord(bytes, { ...sources, onPicture, sum });
    const settled = await pictures.settle(text, left);
    const { lost, ...placed } = place(settled.text, budget);
    if (lost > 0) left("comments", lost);
    return { title, named, ...settled, ...placed };
  }
  const read = /\.html?$/i.test(name)
    ? readHtml(textOf(bytes), sources)
    : readMarkdownFile(textOf(bytes), sources);
  const { title, named } = read;
  return { title, named, threads: [], ...(await pictures.settle(read.text, left)) };
}

const emptyText = () => documentSchema.node("doc", null, [documentSchema.node("paragraph")]);
const keyOf = (path: readonly string[]) => path.join("/").toLowerCase();
const withoutEnding = (path: readonly string[]) => [
  ...path.slice(0, -1),
  (path.at(-1) ?? "").replace(readable, ""),
];

/**
 * Reads an archive's documents as a tree: a folder's documents become children of the document with
 * the folder's name.
 */
async function readTreeOf(
  files: ArchivedFile[],
  pictures: ArchivePictures,
  ways: Ways,
  count: Count,
  sum: Unpacked = { entries: 0, bytes: 0 },
  contents: readonly ArchivedFile[] = [],
): Promise<ReadDocument[]> {
  const documents: ReadDocument[] = [];
  const budget: ImportBudget = { comments: importLimits.comments };
  const places = new Map<string, number>();
  const folderOf = (path: readonly string[]): number | null => {
    // Deeper folders are flattened into this level.
    const folder = path.slice(0, importLimits.levels);
    if (folder.length === 0) return null;
    const known = places.get(keyOf(folder));
    if (known !== undefined) return known;
    const parent = folderOf(folder.slice(0, -1));
    places.set(keyOf(folder), documents.length);
    const title = titleOfName(folder.at(-1) ?? "");
    const id = ways.newId();
    documents.push({ id, title, parent, text: emptyText(), pictures: [], threads: [] });
    return documents.length - 1;
  };
  const ordered = files.toSorted(
    (one, other) =>
      one.path.length - other.path.length || (keyOf(one.path) < keyOf(other.path) ? -1 : 1),
  );
  if (ordered.length > importLimits.documents)
    throw new ImportError(
      `There are more than ${importLimits.documents} documents in it. Import it in parts.`,
    );
  const archived = new ArchiveDocuments(ways.origin);
  const ids = ordered.map((file) => {
    const id = ways.newId();
    archived.add(file, id);
    return id;
  });
  for (const file of contents) archived.addContents(contentsIn(file));
  const beside = { pictures, documents: archived };
  const lines = new Map<string, readonly NamedLine[]>();
  for (const [index, file] of ordered.entries()) {
    const id = ids[index] ?? ways.newId();
    const reading = readOne(file, ways, beside, count, budget, sum, id).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw new ImportError(`“${file.path.at(-1) ?? ""}” is nested too deeply to be read.`);
    });
    const { title, named = [], ...read } = await reading;
    lines.set(id, named);
    const parent = folderOf(file.path.slice(0, -1));
    const name =
      title === null || title === "" ? titleOfName(file.path.at(-1) ?? "") : cleanTitle(title);
    const key = keyOf(withoutEnding(file.path));
    if (!places.has(key)) places.set(key, documents.length);
    documents.push({ id, title: name, parent, ...read });
    if (documents.length > importLimits.documents)
      throw new ImportError(
        `There are more than ${importLimits.documents} documents in it. Import it in parts.`,
      );
    ways.onRead(index + 1, ordered.length);
  }
  return withLinks(documents, lines, ways.origin);
}

/** Resolves links between the documents, and to named places in them. */
function withLinks(
  documents: readonly ReadDocument[],
  lines: ReadonlyMap<string, readonly NamedLine[]>,
  origin: string,
): ReadDocument[] {
  const read = new Map(documents.map((document) => [document.id, document]));
  const anchors = new Map<string, ReturnType<typeof anchorsOf>>();
  const numberOf = (id: string, name: string) => {
    const document = read.get(id);
    if (document === undefined) return null;
    const known = anchors.get(id) ?? anchorsOf(document.text, lines.get(id) ?? []);
    anchors.set(id, known);
    return known(name);
  };
  const titleOf = (id: string) => read.get(id)?.title ?? null;
  return documents.map((document) => {
    const text = withAnchors(document.text, document.id, numberOf);
    // Comment positions count letters, and a link to a document has no letters.
    return document.threads.length > 0
      ? { ...document, text }
      : { ...document, text: withDocumentLinks(text, origin, titleOf) };
  });
}

/** Reads a file to import. Throws ImportError if the file cannot be imported. */
export async function readFile(name: string, bytes: Uint8Array, ways: Ways): Promise<ReadFile> {
  const { left, count } = counted();
  if (bytes.length === 0) throw new ImportError("The file is empty.");
  if (readable.test(name)) {
    const alone = new ArchivePictures([]);
    const documents = await readTreeOf([{ path: [name], bytes }], alone, ways, count);
    return { documents, left };
  }
  if (!inner.test(name))
    throw new ImportError("Files that end with .md, .html, .docx or .zip can be imported.");
  const isRead = (entry: string) =>
    readable.test(entry) || pictureName.test(entry) || isContents(entry);
  const wanted = (entry: string) => isRead(entry) || inner.test(entry);
  const sum = { entries: 0, bytes: 0 };
  const outer = unpackWanted(bytes, wanted, count, sum);
  // Notion nests one archive in another. No program nests archives deeper.
  const files = outer.flatMap((file) =>
    inner.test(file.path.at(-1) ?? "") ? unpackWanted(file.bytes, isRead, count, sum) : [file],
  );
  const isPicture = ({ path }: ArchivedFile) => pictureName.test(path.at(-1) ?? "");
  const texts = files.filter(({ path }) => readable.test(path.at(-1) ?? ""));
  if (texts.length === 0)
    throw new ImportError("There is no Markdown, HTML or Word file in this archive.");
  const beside = new ArchivePictures(files.filter(isPicture));
  const contents = files.filter(({ path }) => isContents(path.at(-1) ?? ""));
  const documents = await readTreeOf(texts, beside, ways, count, sum, contents);
  if (beside.unasked > 0) count("pictures that no document shows", beside.unasked);
  return { documents, left };
}
