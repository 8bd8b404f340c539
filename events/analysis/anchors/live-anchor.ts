import * as Y from "yjs";
import { type Anchor, type AnchoredText } from "./anchor";
import { toBase64 } from "@/events/core/base64";
import { firstCodePoints } from "@/events/core/code-points";
import { Letters, type Spot } from "@/events/crdt/updates/letters";
import { structAt } from "@/events/crdt/updates/struct-at";

function textblocksOf(parent: Y.XmlFragment, into: Y.XmlText[] = []): Y.XmlText[] {
  for (let item = parent._start; item; item = item.right) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const type: unknown = item.content.type;
    if (type instanceof Y.XmlText) into.push(type);
    else if (type instanceof Y.XmlElement) textblocksOf(type, into);
  }
  return into;
}

function textOf(textblock: Y.XmlText | undefined): string {
  let text = "";
  for (let item = textblock?._start ?? null; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    text += item.content instanceof Y.ContentString ? item.content.str : "￼".repeat(item.length);
  }
  return text;
}

type LiveText = AnchoredText & { readonly textblocks: readonly Y.XmlText[] };

/** A live document as a text to find anchors in and to make them of; good until the document changes. */
export function liveText(fragment: Y.XmlFragment): LiveText {
  const textblocks = textblocksOf(fragment);
  const numbers = new Map<unknown, number>(
    textblocks.map((textblock, index) => [textblock, index]),
  );
  return {
    textblocks,
    letters: new Letters(textblocks.length, (textblock) => textOf(textblocks[textblock])),
    spotOf(client, clock) {
      const struct = fragment.doc && structAt(fragment.doc, client, clock);
      if (!(struct instanceof Y.Item)) return null;
      const textblock = numbers.get(struct.parent);
      if (textblock === undefined) return null;
      let offset = struct.deleted ? 0 : clock - struct.id.clock;
      for (let item = struct.left; item; item = item.left)
        if (!item.deleted && item.countable) offset += item.length;
      return { textblock, offset, stands: !struct.deleted };
    },
  };
}

/**
 * The anchor of the words between two spots of a text, without the space around them and with a quotation of at most
 * `longest` characters; null where no words are.
 */
export function anchorOf(
  { textblocks, letters }: LiveText,
  from: Spot,
  to: Spot,
  longest: number,
): Anchor | null {
  const [first, last] = [inwards(letters, from, 1), inwards(letters, to, -1)];
  if (letters.isEmpty(first, last)) return null;
  const position = ({ textblock, offset }: Spot, side: number) => {
    const text = textblocks[textblock];
    if (!text) throw new Error(`There is no line ${textblock}.`);
    return toBase64(
      Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, offset, side)),
    );
  };
  // A character is two units at most.
  const quote = firstCodePoints(letters.between(first, last, 2 * longest), longest);
  return { start: position(first, 0), end: position(last, -1), quote };
}

/** The spot moved past the space beside it, over the ends of textblocks too. */
function inwards(letters: Letters, { textblock, offset }: Spot, step: 1 | -1): Spot {
  for (let at = textblock; at >= 0 && at < letters.count; at += step) {
    const text = letters.textOf(at);
    const edge =
      step > 0 ? (at === textblock ? offset : 0) : at === textblock ? offset : text.length;
    const part = step > 0 ? text.slice(edge) : text.slice(0, edge);
    const trimmed = step > 0 ? part.trimStart() : part.trimEnd();
    if (trimmed !== "")
      return { textblock: at, offset: step > 0 ? text.length - trimmed.length : trimmed.length };
  }
  return { textblock, offset };
}
