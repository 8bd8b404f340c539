import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import { Doc, encodeStateAsUpdate } from "yjs";
import { systemRandom } from "@/events/core/clock";
import { longestQuote } from "@/events/core/text/text-lengths";
import { countWords } from "@/events/content/word-count";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { stretchAt } from "@/events/analysis/anchors/plain-stretch";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { readUpdate } from "@/events/crdt/updates/yjs-update";
import { ImportError } from "@/events/formats/reading/import-error";
import { readFile } from "@/events/formats/read-import";
import { nameBlocks } from "./importing/numbered-blocks";
import type { FoundThread } from "@/events/formats/reading/word/word-comments";
import { shownSize } from "@/events/formats/shown-size";
import { mostStructs, splitState } from "@/events/revisions/copy-in-events";

/**
 * A request to the worker: a file, the time of the import, and the titles of the workspace's
 * documents by id.
 */
export type ImportRequest = {
  name: string;
  file: Blob;
  origin: string;
  now: number;
  titles: ReadonlyMap<string, string>;
};

/** A document to be created, with its text as the updates of events, in order. */
export type ImportedDocument = {
  /** The document's future id, to which other documents of the import link. */
  id: string;
  title: string;
  parent: number | null;
  words: number;
  pieces: { update: Uint8Array; clientIds: number[] }[];
  /** The document's images, by the ids in its text. */
  pictures: { file: string; name: string; bytes: Blob }[];
  /** The document's comments: the first comment of each thread with its replies. */
  threads: { anchor: Anchor; isResolved: boolean; comments: string[] }[];
};
export type ImportedFile = { documents: ImportedDocument[]; left: [what: string, count: number][] };

/** The worker's answers: progress, the result, or the reason why there is no result. */
export type ImportReply =
  { done: number; all: number } | { file: ImportedFile } | { refused: string } | { fault: string };

type Content = Pick<ImportedDocument, "pieces" | "threads"> & { lost: number };

const isEmpty = (text: Node) =>
  text.childCount === 1 && text.firstChild?.isTextblock === true && text.content.size === 2;

function begunText(text: Node): Doc {
  const doc = new Doc();
  prosemirrorToYXmlFragment(text, doc.getXmlFragment("default"));
  return doc;
}

function contentOf(doc: Doc, threads: readonly FoundThread[], now: number): Content {
  const fragment = doc.getXmlFragment("default");
  const pieces = splitState(encodeStateAsUpdate(doc)).map((update) => ({
    update: encodeEdits([{ update, time: now }]),
    clientIds: readUpdate(update, mostStructs).blocks.map(({ client }) => client),
  }));
  const here = liveText(fragment);
  let lost = 0;
  const anchored = threads.flatMap(({ place, ...thread }) => {
    const words = stretchAt(place, here);
    const anchor = words && anchorOf(here, words.from, words.to, longestQuote);
    if (!anchor) lost += thread.comments.length;
    return anchor ? [{ anchor, ...thread }] : [];
  });
  return { pieces, threads: anchored, lost };
}

/** Reads a file and builds documents from it. A failure is an answer too. */
export async function importFile(
  { name, file, origin, now, titles }: ImportRequest,
  tell: (reply: ImportReply) => void,
): Promise<void> {
  try {
    const onRead = (done: number, all: number) => tell({ done, all });
    const sizeOf = (image: Uint8Array) => shownSize(new Blob([new Uint8Array(image)]));
    const ways = { origin, titles, onRead, newId: systemRandom.uuid, sizeOf };
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { documents, left } = await readFile(name, bytes, ways);
    const texts = new Map<string, Doc>();
    for (const { id, text } of documents) if (!isEmpty(text)) texts.set(id, begunText(text));
    nameBlocks(new Map([...texts].map(([id, doc]) => [id, doc.getXmlFragment("default")])));
    const made = documents.map(({ id, title, parent, text, pictures, threads }) => {
      const doc = texts.get(id);
      texts.delete(id);
      const words = countWords(text.textBetween(0, text.content.size, " "));
      const { lost, ...content } =
        doc === undefined ? { pieces: [], threads: [], lost: 0 } : contentOf(doc, threads, now);
      if (lost > 0) left.set("comments", (left.get("comments") ?? 0) + lost);
      // The time limit is per document, so each document reports its completion.
      onRead(documents.length, documents.length);
      return {
        id,
        title,
        parent,
        words,
        ...content,
        pictures: pictures.map((picture) => ({
          ...picture,
          bytes: new Blob([new Uint8Array(picture.bytes)]),
        })),
      };
    });
    tell({ file: { documents: made, left: [...left] } });
  } catch (error) {
    if (error instanceof ImportError) tell({ refused: error.message });
    else tell({ fault: error instanceof Error ? error.message : String(error) });
  }
}
