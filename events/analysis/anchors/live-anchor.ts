import * as Y from "yjs";
import { characterOf } from "./anchor";
import type { Anchor, AnchoredText, CharacterId } from "./anchor";
import type { AnchorMemory } from "./anchor-memory";
import { toBase64 } from "@/events/core/bytes/base64";
import { firstCodePoints } from "@/events/core/text/code-points";
import { Letters } from "@/events/crdt/updates/letters";
import type { Spot, Stretch } from "@/events/crdt/updates/letters";
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

/** Returns the character ids of a textblock, one for each UTF-16 unit of `textOf`. */
function idsOf(textblock: Y.XmlText | undefined): CharacterId[] {
  const ids: CharacterId[] = [];
  for (let item = textblock?._start ?? null; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { client, clock } = item.id;
    for (let at = 0; at < item.length; at += 1) ids.push({ client, clock: clock + at });
  }
  return ids;
}

const space = /\s/;

type LiveText = AnchoredText & { readonly textblocks: readonly Y.XmlText[] };

/**
 * Reads a live document to locate and create anchors. The result is valid until the document
 * changes. Without a memory, words are located by their own characters alone.
 */
export function liveText(fragment: Y.XmlFragment, memory: AnchorMemory | null = null): LiveText {
  const textblocks = textblocksOf(fragment);
  const ids = new Map<number, CharacterId[]>();
  const idsIn = (textblock: number) => {
    const made = ids.get(textblock) ?? idsOf(textblocks[textblock]);
    ids.set(textblock, made);
    return made;
  };
  const numbers = new Map<unknown, number>(
    textblocks.map((textblock, index) => [textblock, index]),
  );
  const letters = new Letters(textblocks.length, (textblock) => textOf(textblocks[textblock]));
  const spotOf: AnchoredText["spotOf"] = (client, clock) => {
    const struct = fragment.doc && structAt(fragment.doc, client, clock);
    if (!(struct instanceof Y.Item)) return null;
    const textblock = numbers.get(struct.parent);
    if (textblock === undefined) return null;
    let offset = struct.deleted ? 0 : clock - struct.id.clock;
    for (let item = struct.left; item; item = item.left)
      if (!item.deleted && item.countable) offset += item.length;
    return { textblock, offset, stands: !struct.deleted };
  };
  const ranges = new Map<Anchor, Stretch | null>();
  /** Returns the range between an anchor's two ends. */
  const rangeOf = (anchor: Anchor): Stretch | null => {
    const known = ranges.get(anchor);
    if (known !== undefined) return known;
    const [from, to] = [anchor.start, anchor.end].map((position) => {
      const id = characterOf(position);
      return id && spotOf(id.client, id.clock);
    });
    const range =
      from && to
        ? { from, to: { textblock: to.textblock, offset: to.offset + (to.stands ? 1 : 0) } }
        : null;
    ranges.set(anchor, range);
    return range;
  };
  const isIn = ({ textblock, offset }: Spot, { from, to }: Stretch) =>
    (textblock > from.textblock || (textblock === from.textblock && offset >= from.offset)) &&
    (textblock < to.textblock || (textblock === to.textblock && offset < to.offset));
  /** Whether each letter of a range is new or stands between the anchor's ends. */
  const isOfThese = (
    anchor: Anchor,
    { from, to }: Stretch,
    { isNew }: { isNew: (id: CharacterId) => boolean },
  ): boolean => {
    const range = rangeOf(anchor);
    for (let textblock = from.textblock; textblock <= to.textblock; textblock += 1) {
      const [own, text] = [idsIn(textblock), letters.textOf(textblock)];
      const end = textblock === to.textblock ? to.offset : own.length;
      for (let offset = textblock === from.textblock ? from.offset : 0; offset < end; offset += 1) {
        const id = own[offset];
        if (id === undefined || space.test(text[offset] ?? " ") || isNew(id)) continue;
        if (range === null || !isIn({ textblock, offset }, range)) return false;
      }
    }
    return true;
  };
  return {
    textblocks,
    letters,
    spotOf,
    continuationOf(anchor) {
      const outcome = memory?.outcomeOf(anchor) ?? null;
      const [first, last] = [outcome?.first, outcome?.last].map(
        (id) => id && spotOf(id.client, id.clock),
      );
      return first?.stands && last?.stands
        ? {
            from: { textblock: first.textblock, offset: first.offset },
            to: { textblock: last.textblock, offset: last.offset + 1 },
          }
        : null;
    },
    mayBe(anchor, stretch, isBeside) {
      const may =
        memory !== null && isOfThese(anchor, stretch, { isNew: (id) => memory.isNew(id) });
      if (may) memory.doubt(anchor);
      // If words are known to be gone, the history is queried first, because matching letters may
      // be other words that were moved.
      return may && (isBeside || !memory.has(anchor));
    },
  };
}

/**
 * Creates the anchor of the words between two positions of a text, without surrounding white space.
 * Its quotation has at most `longest` characters. Null if there are no words.
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
    if (!text) throw new Error(`Unknown textblock ${textblock}`);
    return toBase64(
      Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(text, offset, side)),
    );
  };
  // A code point has at most two UTF-16 units.
  const quote = firstCodePoints(letters.between(first, last, 2 * longest), longest);
  return { start: position(first, 0), end: position(last, -1), quote };
}

/** Returns the position moved past adjacent white space, also across textblocks. */
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
