import { Extension } from "@tiptap/core";
import type { Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { splitLongParagraphs, splitSentence } from "./long-paragraph";

const mostBytes = 2 * 1024 * 1024;

/** The sentence shown when somebody pastes more than a document takes at once; null for what it takes. */
export function pasteRefusal(bytes: number): string | null {
  if (bytes <= mostBytes) return null;
  const megabytes = Math.max(2.1, bytes / 1024 / 1024)
    .toFixed(1)
    .replace(/\.0$/, "");
  return `That’s ${megabytes} MB. Paste up to 2 MB at a time; your text is unchanged.`;
}

async function fetchLate() {
  await afterCritical();
  const [{ pasteInPieces, pieceSize }, { listsOfWord }] = await importWithRetry(() =>
    Promise.all([import("./long-paste"), import("./word-lists")]),
  );
  return { pasteInPieces, pieceSize, listsOfWord };
}

/**
 * Refuses a paste above 2 MB with a sentence, splits paragraphs that are too long, brings large
 * ones in by pieces, and makes lists of Word's.
 */
export const Paste = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: "longPaste",
  addOptions() {
    return { onRefuse: () => undefined };
  },
  addProseMirrorPlugins() {
    // Nobody begins with a long paste or a copy from Word.
    let late: Awaited<ReturnType<typeof fetchLate>> | null = null;
    return [
      new Plugin({
        view() {
          void fetchLate().then((fetched) => (late = fetched));
          return {};
        },
        props: {
          transformPastedHTML: (html) => late?.listsOfWord(html) ?? html,
          // What is dropped comes by here, too.
          transformPasted: (pasted) => {
            const { slice, ...found } = splitLongParagraphs(pasted);
            const sentence = splitSentence(found);
            if (sentence !== null) this.options.onRefuse(sentence);
            return slice;
          },
          handleDOMEvents: {
            paste: (_view, event) => {
              const bytes = Math.max(
                ...["text/html", "text/plain"].map(
                  (kind) => event.clipboardData?.getData(kind).length ?? 0,
                ),
              );
              const refusal = pasteRefusal(bytes);
              if (refusal === null) return false;
              event.preventDefault();
              this.options.onRefuse(refusal);
              return true;
            },
          },
          handlePaste: (view, _event, slice: Slice) => {
            const atTop =
              view.state.selection.$from.depth === 1 && view.state.selection.$to.depth === 1;
            const blocks = slice.content.firstChild?.isBlock === true;
            if (!late || slice.content.size <= late.pieceSize || !atTop || !blocks) return false;
            late.pasteInPieces(view, slice.content);
            return true;
          },
        },
      }),
    ];
  },
});
