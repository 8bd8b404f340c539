import { Extension } from "@tiptap/core";
import type { Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { clipboardContent, dispatchPaste, HeldPastes } from "../early/held-pastes";
import { splitLongParagraphs, splitSentence } from "./paragraphs";
import { loadPasteBounds } from "./paste-bounds";

const mostBytes = 2 * 1024 * 1024;

/** Returns the sentence that refuses a paste of this size, or null within the limit. */
export function pasteRefusal(bytes: number): string | null {
  if (bytes <= mostBytes) return null;
  const megabytes = Math.max(2.1, bytes / 1024 / 1024)
    .toFixed(1)
    .replace(/\.0$/, "");
  return `That’s ${megabytes} MB. Paste up to 2 MB at a time; your text is unchanged.`;
}

async function fetchLate() {
  const [{ pasteInPieces, pieceSize }, { cleanPaste }, markdown] = await Promise.all([
    import("./long-paste"),
    import("./clean-paste"),
    import("./markdown-paste"),
    loadPasteBounds(),
  ]);
  return { pasteInPieces, pieceSize, cleanPaste, markdown };
}

declare module "@tiptap/core" {
  interface Storage {
    longPaste: { held: HeldPastes | null };
  }
}

/**
 * Refuses a paste above 2 MB, splits long paragraphs, inserts large pastes in pieces, reduces other
 * programs' HTML to its structure, and reads Markdown.
 */
export const Paste = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: "longPaste",
  addOptions() {
    return { onRefuse: () => undefined };
  },
  addStorage: (): { held: HeldPastes | null } => ({ held: null }),
  addProseMirrorPlugins() {
    // The code loads after the page's other code, or with the first paste.
    let late: Awaited<ReturnType<typeof fetchLate>> | null = null;
    const { editor } = this;
    const held = new HeldPastes(editor, {
      load: async () => {
        late ??= await fetchLate();
      },
      paste: (data) => dispatchPaste(editor.view.dom, data),
    });
    this.storage.held = held;
    const hold = (event: ClipboardEvent): boolean => {
      const { clipboardData } = event;
      const isHeld = clipboardData !== null && held.hold(clipboardContent(clipboardData));
      if (isHeld) event.preventDefault();
      return isHeld;
    };
    editor.on("transaction", ({ transaction }) => held.follow(transaction.mapping));
    // Whether Shift was pressed for the paste, as in ⌘⇧V.
    let asPlain = false;
    let withShift = false;
    return [
      new Plugin({
        view() {
          void afterCritical()
            .then(() => importWithRetry(fetchLate))
            .then((fetched) => (late ??= fetched));
          return {};
        },
        props: {
          transformPastedHTML: (html) => {
            asPlain = false;
            return late?.cleanPaste(html) ?? html;
          },
          transformPastedText: (text, plain) => {
            asPlain = plain;
            return text;
          },
          // Also called for drops.
          transformPasted: (pasted) => {
            const { slice, ...found } = splitLongParagraphs(pasted);
            const sentence = splitSentence(found);
            if (sentence !== null) this.options.onRefuse(sentence);
            return slice;
          },
          handleDOMEvents: {
            keydown: (_view, { shiftKey }) => {
              withShift = shiftKey;
              return false;
            },
            paste: (_view, event) => {
              const [html = "", plain = ""] = ["text/html", "text/plain"].map(
                (kind) => event.clipboardData?.getData(kind) ?? "",
              );
              const refusal = pasteRefusal(Math.max(html.length, plain.length));
              // The plain text of longer HTML may still be pasted. A paste with Shift uses only the
              // plain text, which needs no other code.
              const mayHold = late === null && !withShift && plain.length <= mostBytes;
              if (mayHold && hold(event)) return true;
              if (refusal === null) return false;
              event.preventDefault();
              this.options.onRefuse(refusal);
              return true;
            },
          },
          handlePaste: (view, { clipboardData }, slice: Slice) => {
            if (late !== null && view.state.selection.$from.parent.type.spec.code !== true) {
              const plain = clipboardData?.getData("text/plain") ?? "";
              if (asPlain && plain !== "") return late.markdown.pastePlain(view, plain) !== null;
              const text = late.markdown.markdownIn(clipboardData);
              if (text !== null) {
                void late.markdown.pasteMarkdown(editor, text);
                return true;
              }
            }
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
