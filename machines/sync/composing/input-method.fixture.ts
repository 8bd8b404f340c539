import * as Y from "yjs";
import type { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { decodeEdits } from "@/events/crdt/payload/payload";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import type { LiveDocument } from "../live-document";
import { paragraph, stream } from "../live-world.fixture";
import type { Composition, PageView } from "../device/page-view";

type Shown = Pick<LiveDocument, "doc" | "fragment">;

export function blockOf({ fragment }: Shown): Y.XmlElement | null {
  const block = fragment.get(0);
  return block instanceof Y.XmlElement ? block : null;
}

/** Returns the text of the first paragraph. */
function textIn(live: Shown): Y.XmlText {
  const text = blockOf(live)?.get(0);
  if (!(text instanceof Y.XmlText)) throw new Error("The document has no text");
  return text;
}

/** Simulates an input method in a page, as the editor reports it. */
export function inputMethod(live: Shown & { show(view: PageView): unknown }) {
  let open: (Composition & { end(): void }) | null = null;
  let shown = "";
  let finished = 0;
  const view: PageView = {
    composition: () => open,
    settle: () => open?.ended ?? null,
    rebind: () => {},
  };
  live.show(view);
  const end = () => {
    open?.end();
    open = null;
    shown = "";
  };
  const begin = () => {
    let isOpen = true;
    let resolve = () => {};
    const ended = new Promise<void>((done) => (resolve = done));
    open = {
      get isOpen() {
        return isOpen;
      },
      ended,
      block: () => blockOf(live),
      finish: () => {
        finished += 1;
        end();
      },
      end: () => {
        isOpen = false;
        resolve();
      },
    };
  };
  return {
    view,
    /** Shows uncommitted letters at a position in the line. */
    compose(words: string, at: number) {
      if (open === null) begin();
      live.doc.transact(() => {
        if (blockOf(live) === null) live.fragment.insert(0, [paragraph("")]);
        textIn(live).delete(at, shown.length);
        if (words !== "") textIn(live).insert(at, words);
      });
      shown = words;
    },
    commit(words: string, at: number) {
      this.compose(words, at);
      end();
    },
    get finished() {
      return finished;
    },
  };
}

/** Returns every letter that the log has ever had. */
export const everLogged = (backend: MemoryBackend) =>
  backend
    .log(stream)
    .flatMap(({ update, clientTime }) =>
      update ? decodeEdits(update, Date.parse(clientTime)) : [],
    )
    .map(({ update }) => insertedText(update))
    .join("");
