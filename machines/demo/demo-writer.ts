import {
  createAbsolutePositionFromRelativePosition,
  createRelativePositionFromTypeIndex,
  Doc,
  XmlElement,
  XmlText,
} from "yjs";
import type { RelativePosition } from "yjs";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import type { DemoBlock } from "./demo-steps";

/** One author of the demo with their own document, caret and edits. */
export class DemoWriter {
  readonly doc = new Doc({ gc: false });
  private caret: RelativePosition | null = null;

  constructor(clientId: number) {
    this.doc.clientID = clientId;
  }

  private get texts(): XmlText[] {
    const found: XmlText[] = [];
    const walk = (parent: { toArray(): unknown[] }) => {
      for (const child of parent.toArray()) {
        if (child instanceof XmlText) found.push(child);
        else if (child instanceof XmlElement) walk(child);
      }
    };
    walk(this.doc.getXmlFragment("default"));
    return found;
  }

  private at(): { text: XmlText; index: number } {
    const place =
      this.caret === null ? null : createAbsolutePositionFromRelativePosition(this.caret, this.doc);
    if (place !== null && place.type instanceof XmlText)
      return { text: place.type, index: place.index };
    const last = this.texts.at(-1);
    if (last === undefined) throw new Error("The demo writes before it opens a block");
    return { text: last, index: last.length };
  }

  private put(text: XmlText, index: number): void {
    // Bound to the preceding character, so that the caret stays after this writer's own text.
    this.caret = createRelativePositionFromTypeIndex(text, index, -1);
  }

  private find(words: string): { text: XmlText; index: number } {
    for (const text of this.texts) {
      const index = text
        .toString()
        .replace(/<[^>]*>/g, "")
        .indexOf(words);
      if (index >= 0) return { text, index };
    }
    throw new Error(`The demo document does not contain “${words}”`);
  }

  letter(letter: string): void {
    const { text, index } = this.at();
    this.doc.transact(() => text.insert(index, letter));
    this.put(text, index + letter.length);
  }

  backspace(): void {
    const { text, index } = this.at();
    if (index === 0) throw new Error("The demo deletes more than it wrote");
    this.doc.transact(() => text.delete(index - 1, 1));
    this.put(text, index - 1);
  }

  /** Returns the anchor of words within one textblock. */
  anchor(words: string): Anchor {
    const text = liveText(this.doc.getXmlFragment("default"));
    const { letters } = text;
    for (let textblock = 0; textblock < letters.count; textblock += 1) {
      const offset = letters.textOf(textblock).indexOf(words);
      const anchor =
        offset < 0
          ? null
          : anchorOf(
              text,
              { textblock, offset },
              { textblock, offset: offset + words.length },
              words.length,
            );
      if (anchor !== null) return anchor;
    }
    throw new Error(`The demo comments on missing text: ${words}`);
  }

  goAfter(words: string): void {
    const { text, index } = this.find(words);
    this.put(text, index + words.length);
  }

  cut(words: string): void {
    const { text, index } = this.find(words);
    this.doc.transact(() => text.delete(index, words.length));
    this.put(text, index);
  }

  mark(words: string, mark: "bold" | "italic"): void {
    const { text, index } = this.find(words);
    this.doc.transact(() => text.format(index, words.length, { [mark]: {} }));
  }

  /** Opens a block below the caret's block. An item opened after another item joins its list. */
  open(block: DemoBlock): void {
    const fragment = this.doc.getXmlFragment("default");
    const text = new XmlText();
    const here = this.caret === null && fragment.length === 0 ? null : this.at().text;
    this.doc.transact(() => {
      const item = here?.parent instanceof XmlElement ? here.parent.parent : null;
      if (
        block === "item" &&
        item instanceof XmlElement &&
        item.nodeName === "listItem" &&
        item.parent instanceof XmlElement
      ) {
        item.parent.insert(item.parent.toArray().indexOf(item) + 1, [
          wrapped(text, ["listItem", "paragraph"]),
        ]);
        return;
      }
      let top: unknown = here;
      while (top instanceof XmlText || (top instanceof XmlElement && top.parent !== fragment))
        top = top.parent;
      const after =
        top instanceof XmlElement ? fragment.toArray().indexOf(top) : fragment.length - 1;
      fragment.insert(after + 1, [wrapped(text, shapes[block])]);
    });
    this.put(text, 0);
  }
}

const shapes: Record<DemoBlock, string[]> = {
  paragraph: ["paragraph"],
  heading: ["heading"],
  item: ["bulletList", "listItem", "paragraph"],
  quote: ["blockquote", "paragraph"],
};

function wrapped(text: XmlText, names: string[]): XmlElement {
  const [outermost = "paragraph", ...inner] = names;
  const outer = new XmlElement<{ [name: string]: number }>(outermost);
  if (outermost === "heading") outer.setAttribute("level", 1);
  outer.insert(0, [inner.length === 0 ? text : wrapped(text, inner)]);
  // Yjs types attributes as strings by default, but a heading's level is a number in the schema.
  return outer as unknown as XmlElement;
}
